#include "run/forecast.h"

#include <algorithm>

namespace tare::run {
namespace {

/// What a token of a prompt costs of a new token, where answers grow side by side (SmolLM2-135M on
/// 1 and 2 threads: 0.3 to 0.7), and what a row of logits costs there, which each new token has.
constexpr double kPromptShare = 0.45;
constexpr double kUsualProjection = 0.27;
/// A speed is remembered after this much work.
constexpr double kEnoughSeconds = 3;

double number(std::size_t count) {
  return static_cast<double>(count);
}

/// Answers that grow side by side.
constexpr std::size_t kSideBySide = 16;

/// Prompts and places for new tokens: an empty place costs as much as a full one.
double generation_work(double prompts, double places, double projection) {
  if (projection == 0) projection = kUsualProjection;
  return kPromptShare * (1 + kUsualProjection) / (1 + projection) * prompts + places;
}

/// The mean length of an answer. Those that have ended are the short ones; as if each token were
/// the last with one probability, all tokens so far belong to the answers that have ended.
double mean_answer(const Progress& progress) {
  const double most = number(progress.generated_most) / number(progress.answers_total);
  if (progress.answers_done == 0) return most;
  return std::min(most,
                  number(progress.generated + progress.growing) / number(progress.answers_done));
}

/// How long the longest of `count` answers goes on, of such lengths.
double longest_answer(const Progress& progress, double mean, std::size_t count) {
  double harmonic = 0;
  for (std::size_t i = 1; i <= count; ++i) harmonic += 1 / number(i);
  const double most = number(progress.generated_most) / number(progress.answers_total);
  return std::min(most, mean * harmonic);
}

/// Places until the last answer ends: waiting answers fill them, then the last ones leave them
/// empty one by one.
double places_left(const Progress& progress) {
  const std::size_t left = progress.answers_total - progress.answers_done;
  const std::size_t growing = std::min(left, kSideBySide);
  const double mean = mean_answer(progress);
  return number(left - growing) * mean +
         number(kSideBySide) * longest_answer(progress, mean, growing);
}

}  // namespace

void Line::add(double seconds, double work) {
  if (!started_) {
    started_ = true;
    first_seconds_ = seconds;
    first_work_ = work;
  }
  last_seconds_ = seconds;
  products_ += (seconds - first_seconds_) * (work - first_work_);
  squares_ += (seconds - first_seconds_) * (seconds - first_seconds_);
}

std::optional<double> Line::slope() const {
  if (squares_ <= 0 || products_ <= 0) return std::nullopt;
  return products_ / squares_;
}

void Forecast::observe(const Progress& progress, double seconds) {
  // The line of scoring begins at the first answer: before that the model's pages are read and the
  // KV cache is made.
  if (progress.phase == Phase::generate)
    generated_.add(seconds, generation_work(number(progress.prompts_done), number(progress.places),
                                            progress.projection));
  else if (progress.scored_done > 0)
    scored_.add(seconds, number(progress.scored_done));
  if (progress.phase != Phase::generate && progress.work_done > 0)
    work_.add(seconds, progress.work_done);
  last_ = progress;
}

std::optional<double> Forecast::scoring_left() const {
  if (const auto slope = work_.slope(); slope && last_.work_total > 0)
    return (last_.work_total - last_.work_done) / *slope;
  const std::size_t left = last_.scored_total - last_.scored_done;
  if (left == 0) return 0;
  const auto slope = scored_.slope() ? scored_.slope() : known_.scored;
  if (!slope) return std::nullopt;
  return number(left) / *slope;
}

/// Before anything was generated: as in earlier runs, but for what makes this one faster or slower.
std::optional<double> Forecast::expected_generation() const {
  const auto scored = scored_.slope();
  if (known_.generated && known_.scored && scored)
    return *known_.generated * *scored / *known_.scored;
  if (known_.generated) return known_.generated;
  if (scored) return generation_work(*scored, 0, last_.projection);
  return std::nullopt;
}

std::optional<double> Forecast::generating_left() const {
  if (last_.answers_total == last_.answers_done) return 0;
  const double work = generation_work(number(last_.prompts_total - last_.prompts_done),
                                      places_left(last_), last_.projection);
  const auto slope = generated_.slope() ? generated_.slope() : expected_generation();
  if (!slope) return std::nullopt;
  return work / *slope;
}

std::optional<double> Forecast::seconds_left() const {
  const auto scoring = scoring_left();
  const auto generating = generating_left();
  if (!scoring || !generating) return std::nullopt;
  return *scoring + *generating;
}

Speeds Forecast::speeds() const {
  Speeds speeds;
  if (scored_.seconds() > kEnoughSeconds) speeds.scored = scored_.slope();
  if (generated_.seconds() > kEnoughSeconds) speeds.generated = generated_.slope();
  return speeds;
}

std::optional<double> expected_seconds(const Progress& work, const Speeds& speeds) {
  double seconds = 0;
  if (work.scored_total > 0) {
    if (!speeds.scored) return std::nullopt;
    seconds += number(work.scored_total) / *speeds.scored;
  }
  if (work.answers_total > 0) {
    if (!speeds.generated) return std::nullopt;
    seconds += generation_work(number(work.prompts_total), places_left(work), work.projection) /
               *speeds.generated;
  }
  return seconds;
}

}  // namespace tare::run
