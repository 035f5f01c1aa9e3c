#include "compare/rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/nearest.h"
#include "base/number.h"
#include "base/position.h"
#include "compare/words.h"
#include "report/foreign_text.h"

namespace tare::compare {
namespace {

using base::Result;

constexpr std::string_view kExample = "acc drops by 0.01 at 95 %";
constexpr std::array<std::string_view, 3> kMoves{"drops", "rises", "changes"};
constexpr std::string_view kBlanks = " \t\r\n";

/// In one line, and nothing in it that a terminal would obey.
std::string shown(std::string_view text) {
  std::string line = report::visible(text);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

/// Takes a rule apart word by word.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { skip(); }

  [[nodiscard]] bool at_end() const { return place_ == text_.size(); }

  [[nodiscard]] std::string_view next() const {
    return text_.substr(place_,
                        std::min(text_.find_first_of(kBlanks, place_), text_.size()) - place_);
  }

  std::string_view take() {
    const std::string_view word = next();
    place_ += word.size();
    skip();
    return word;
  }

  bool take(std::string_view wanted) {
    if (next() != wanted) return false;
    take();
    return true;
  }

  [[nodiscard]] base::Failure fault(std::string_view wanted) const {
    const std::string found = at_end() ? "the end" : fmt::format("'{}'", shown(next()));
    return base::usage_error(
        fmt::format("--fail-if '{}': {}: found {}, wanted {}; for example '{}'", shown(text_),
                    base::line_and_column(text_, place_), found, wanted, kExample));
  }

 private:
  void skip() { place_ = std::min(text_.find_first_not_of(kBlanks, place_), text_.size()); }

  std::string_view text_;
  std::size_t place_ = 0;
};

/// A finite number of the next word; nothing is taken otherwise.
std::optional<double> take_number(Words& words, std::string_view end) {
  std::string_view word = words.next();
  if (word.ends_with(end)) word.remove_suffix(end.size());
  const auto number = base::read_real(word);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  words.take();
  return number;
}

base::Status read_head(Words& words, Rule& rule) {
  const auto is_move = [](std::string_view word) { return std::ranges::count(kMoves, word) > 0; };
  if (words.at_end() || is_move(words.next())) return words.fault("the name of a metric");
  rule.metric = words.take();
  if (words.take("of")) {
    if (words.at_end() || is_move(words.next())) return words.fault("the name of a task");
    rule.task = words.take();
  }
  if (!is_move(words.next())) return words.fault("drops, rises or changes");
  rule.move = static_cast<Move>(std::ranges::find(kMoves, words.take()) - kMoves.begin());
  return {};
}

bool is_about(const Rule& rule, const std::string& task, const std::string& metric,
              const std::string& filter) {
  if (!rule.task.empty() && rule.task != task) return false;
  return rule.metric == metric || rule.metric == fmt::format("{},{}", metric, filter);
}

/// How far the interval lies beyond the bound; none if it does not.
bool is_beyond(const Rule& rule, const stats::Interval& interval) {
  const bool below = interval.high<-rule.by, above = interval.low> rule.by;
  if (rule.move == Move::drops) return below;
  return rule.move == Move::rises ? above : below || above;
}

std::string reason_of(const Measured& measured, const Comparison& comparison, const Versus& versus,
                      const stats::Interval& interval, double level) {
  return fmt::format("{} {}: {} in {}, {} in {}: {} ({} interval {} to {})", measured.task,
                     metric_text(measured), score_text(measured, measured.first.value),
                     comparison.sides[0].letter, score_text(measured, measured.second.value),
                     comparison.sides[versus.second].letter,
                     change_text(measured, measured.difference()), percent_text(level),
                     change_text(measured, interval.low), change_text(measured, interval.high));
}

/// A difference that a rule is about.
struct Looked {
  const Versus& versus;
  const Measured& measured;
};

Result<std::vector<Looked>> looked_at(const Rule& rule, const Comparison& comparison) {
  std::vector<Looked> found;
  for (const Versus& versus : comparison.pairs)
    for (const Measured& measured : versus.metrics) {
      if (!is_about(rule, measured.task, measured.metric, measured.filter)) continue;
      if (!measured.not_compared.empty())
        return base::input_error(fmt::format("--fail-if '{}': {} {} cannot be compared: {}",
                                             rule.shown(), measured.task, metric_text(measured),
                                             measured.not_compared));
      found.push_back({versus, measured});
    }
  return found;
}

}  // namespace

std::string Rule::shown() const {
  return compare::shown(text);
}

Result<Rule> parse_rule(std::string_view text) {
  Words words(text);
  Rule rule;
  rule.text = text;
  TARE_CHECK(read_head(words, rule));
  if (!words.take("by")) return words.fault("by");
  const Words before_number = words;
  const auto by = take_number(words, "");
  if (!by || *by < 0) return before_number.fault("a number that is not below 0");
  rule.by = *by;
  if (!words.take("at")) return words.fault("at");
  const Words before_level = words;
  const auto level = take_number(words, "%");
  if (!level || *level <= 0 || *level >= 100)
    return before_level.fault("a confidence between 0 and 100 %");
  rule.level = *level / 100;
  words.take("%");
  if (!words.at_end()) return words.fault("the end");
  return rule;
}

base::Status check_rule(const Rule& rule, const std::vector<Side>& sides) {
  std::vector<std::string> known;
  for (const Side& side : sides)
    for (const core::TaskRecord& task : side.run.record.tasks)
      for (const core::Estimate& estimate : task.score.estimates) {
        if (is_about(rule, task.task.name, estimate.metric, estimate.filter)) return {};
        known.push_back(fmt::format("{} of {}", estimate.metric, task.task.name));
      }
  std::ranges::sort(known);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::string subject =
      rule.task.empty() ? rule.metric : fmt::format("{} of {}", rule.metric, rule.task);
  auto near = base::nearest_names(subject, known);
  if (near.empty()) near = known;
  constexpr std::size_t kNamed = 5;
  if (near.size() > kNamed) near.resize(kNamed);
  return base::input_error(fmt::format("--fail-if '{}': no run has {}; wanted e.g. {}",
                                       rule.shown(), shown(subject), base::join_or(near)));
}

Result<Ruling> judge(const Rule& rule, const Comparison& comparison) {
  TARE_TRY(const auto looked, looked_at(rule, comparison));
  if (looked.empty())
    return base::input_error(
        fmt::format("--fail-if '{}': is about nothing that was compared; "
                    "wanted a metric that both runs have",
                    rule.shown()));
  Ruling ruling{.holds = false, .looked_at = looked.size(), .reasons = {}};
  const double level = 1 - (1 - rule.level) / static_cast<double>(looked.size());
  for (const auto& [versus, measured] : looked) {
    const auto interval = interval_at(measured, level);
    if (!interval)
      return base::input_error(fmt::format(
          "--fail-if '{}': cannot be told of {} {}: {} has no interval; wanted more "
          "documents",
          rule.shown(), measured.task, metric_text(measured), documents_text(measured.items)));
    if (!is_beyond(rule, *interval)) continue;
    ruling.holds = true;
    ruling.reasons.push_back(reason_of(measured, comparison, versus, *interval, level));
  }
  return ruling;
}

}  // namespace tare::compare
