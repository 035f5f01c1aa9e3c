#include "cli/budget_watch.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <vector>

#include "cli/budget.h"
#include "plan/work.h"

namespace tare::cli {
namespace {

/// Too short a time says nothing of what a machine draws: counters are read late.
constexpr double kEnoughSeconds = 3;

/// All that is to be computed for what is not known yet.
plan::Work work_left(const Session& session, const run::Answers& answers) {
  std::unordered_set<std::size_t> known;
  for (const core::Answered& answered : answers.known) known.insert(answered.position);
  for (const core::Failed& failed : answers.failed) known.insert(failed.position);
  const auto left = [&](const std::vector<std::size_t>& order) {
    std::vector<std::size_t> positions;
    std::ranges::copy_if(order, std::back_inserter(positions),
                         [&](std::size_t i) { return !known.contains(i); });
    return positions;
  };
  plan::Work all;
  for (const plan::Work& work : plan::work_of(session.plan, session.tasks, left(session.plan.order),
                                              left(session.plan.generations)))
    all += work;
  return all;
}

std::size_t computed(const backend::Backend& backend) {
  return backend.computed_tokens().value_or(core::ComputedTokens{}).computed;
}

}  // namespace

BudgetWatch::BudgetWatch(const Session& session, const run::Answers& answers,
                         const run::Speeds& speeds)
    : session_(session), before_(computed(*session.backend)) {
  const plan::Work work = work_left(session, answers);
  if (work.scored + work.prompts + work.new_tokens == 0) return;
  budget_.emplace();
  budget_->at_most = work.answers > 0;
  budget_->estimated = cost_of(work, shape_of(session.options.model), speeds);
  if (!session.backend->capabilities().token_ids) budget_->estimated.tokens.reset();
}

std::optional<core::Budget> BudgetWatch::finish(double seconds) {
  meter_.sample();
  if (!budget_) return budget_;
  core::Cost& real = budget_->real;
  if (session_.backend->computed_tokens()) real.tokens = computed(*session_.backend) - before_;
  // Where answers could end early, how many operations they took was not counted.
  if (!budget_->at_most) real.flops = budget_->estimated.flops;
  real.seconds = seconds;
  real.joules = meter_.joules();
  return budget_;
}

std::optional<double> BudgetWatch::watts() const {
  if (!budget_ || !budget_->real.joules || *budget_->real.seconds < kEnoughSeconds)
    return std::nullopt;
  return *budget_->real.joules / *budget_->real.seconds;
}

}  // namespace tare::cli
