#include "backend/llama/probe.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <utility>

#include "backend/llama/answer_steps.h"
#include "backend/llama/context.h"
#include "backend/llama/engine.h"
#include "backend/llama/generator.h"
#include "backend/llama/shape_class.h"

namespace tare::backend::llama {
namespace {

using base::Result;
using core::InvarianceAttempt;
using core::InvarianceTrial;
using core::InvarianceVerdict;
using Scores = std::map<std::size_t, core::LogLikelihood>;

constexpr std::size_t kSmallDecode = 64;  ///< rows

bool same_bits(const core::LogLikelihood& a, const core::LogLikelihood& b) {
  return std::bit_cast<std::uint64_t>(a.sum) == std::bit_cast<std::uint64_t>(b.sum) &&
         a.greedy == b.greedy;
}

bool same_bits(const Logits& a, const Logits& b) {
  const auto same = [](const std::vector<float>& x, const std::vector<float>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
  };
  return std::ranges::equal(a, b, same);
}

/// A NaN is no answer that could be the same.
InvarianceTrial compare(std::string name, const Scores& wanted, const Scores& found) {
  InvarianceTrial trial{std::move(name), 0, 0};
  for (const auto& [id, value] : found) {
    trial.comparisons += 1;
    trial.differing += !same_bits(wanted.at(id), value);
  }
  return trial;
}

InvarianceTrial compare(std::string name, std::span<const Logits> wanted,
                        std::span<const Logits> found) {
  InvarianceTrial trial{std::move(name), found.size(), 0};
  for (std::size_t i = 0; i < found.size(); ++i) trial.differing += !same_bits(wanted[i], found[i]);
  return trial;
}

/// The trials in one class of shapes.
class Trials {
 public:
  Trials(llama_model* model, const ContextSettings& settings, const ProbeWork& work,
         const std::stop_token& stop)
      : work_(work),
        stop_(stop),
        wide_(model, wide_settings(settings, work)),
        narrow_(model, narrow_settings(settings, work)),
        attempt_{class_name(settings.shape_class), {}} {}

  Result<InvarianceAttempt> run() {
    TARE_CHECK(score());
    if (!work_.answers.empty() && wide_.cuttable()) TARE_CHECK(answer());
    return std::move(attempt_);
  }

 private:
  base::Status score() {
    Engine together(wide_);
    Engine single(narrow_);
    std::vector<ScoreItem> all = work_.items;
    all.insert(all.end(), work_.company.begin(), work_.company.end());
    TARE_TRY(const Scores wanted, scores(together, all));
    TARE_TRY(const Scores other, scores(together, chosen({kSeparate, kOneToken, kLongTail})));
    attempt_.trials.push_back(compare("other_company", wanted, other));
    Scores alone;
    for (const ProbeItem item : {kLongTail, kOneToken, kSeparate}) {
      TARE_TRY(const Scores one, scores(single, chosen({item})));
      alone.insert(one.begin(), one.end());
    }
    attempt_.trials.push_back(compare("alone", wanted, alone));
    return {};
  }

  base::Status answer() {
    const std::span<const ScoreItem> all = work_.answers;
    TARE_TRY(const auto wanted, together_answers());
    TARE_TRY(const auto alone, answer_logits(wide_, all.first(1), slot_count(wide_) - 1));
    attempt_.trials.push_back(compare("answer_alone", wanted, alone));
    TARE_TRY(const auto few, answer_logits(narrow_, all.first(1), 0));
    attempt_.trials.push_back(compare("answer_few_slots", wanted, few));
    return {};
  }

  Result<std::vector<Logits>> together_answers() {
    const std::span<const ScoreItem> all = work_.answers;
    return answer_logits(wide_, all.first(wide_.shape_class().alone ? 1 : all.size()), 0);
  }

  [[nodiscard]] std::vector<ScoreItem> chosen(std::initializer_list<ProbeItem> which) const {
    std::vector<ScoreItem> items;
    for (const ProbeItem item : which) items.push_back(work_.items[item]);
    return items;
  }

  Result<Scores> scores(Engine& engine, std::span<const ScoreItem> items) {
    Scores found;
    const auto sink = [&](std::span<const ScoreResult> results) {
      for (const ScoreResult& result : results) found.emplace(result.id, *result.value);
    };
    TARE_CHECK(engine.run(items, sink, stop_));
    return found;
  }

  const ProbeWork& work_;
  const std::stop_token& stop_;
  Context wide_;
  Context narrow_;
  InvarianceAttempt attempt_;
};

}  // namespace

ContextSettings wide_settings(ContextSettings settings, const ProbeWork& work) {
  const std::size_t needed = work.items.size() + work.company.size();
  const std::size_t slots = work.answers.empty() ? 0 : kMostSlots + 1;
  settings.streams = std::min(settings.streams, std::max(needed, slots));
  return settings;
}

ContextSettings narrow_settings(ContextSettings settings, const ProbeWork& work) {
  settings.threads = 1;
  settings.rows = std::max(settings.shape_class.tile, kSmallDecode);
  settings.streams = work.answers.empty() ? 1 : kFewSlots + 1;
  return settings;
}

Result<ProbeResult> probe(llama_model* model, const ContextSettings& settings,
                          const ProbeWork& work, const std::stop_token& stop) {
  ProbeResult result{{InvarianceVerdict::not_measured, {}}, settings.shape_class};
  if (work.items.empty()) return result;
  for (std::optional shape(settings.shape_class); shape; shape = narrower(*shape)) {
    ContextSettings tried = settings;
    tried.shape_class = result.shape_class = *shape;
    TARE_TRY(InvarianceAttempt attempt, Trials(model, tried, work, stop).run());
    const bool held = core::differing(attempt) == 0;
    result.invariance.attempts.push_back(std::move(attempt));
    result.invariance.verdict = held ? InvarianceVerdict::held : InvarianceVerdict::broken;
    if (held) break;
  }
  return result;
}

}  // namespace tare::backend::llama
