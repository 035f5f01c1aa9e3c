#include "run/workload.h"

#include <algorithm>

namespace tare::run {

Workload::Workload(const plan::Plan& plan, std::span<const core::BuiltTask> tasks,
                   const std::vector<std::size_t>& scored,
                   const std::vector<std::size_t>& generated)
    : plan_(plan), unique_(plan.requests.size()) {
  const auto weigh = [&](const std::vector<std::size_t>& positions, std::size_t& total) {
    const std::vector<std::size_t> tokens = plan::unique_steps(plan.requests, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      unique_[positions[i]] = tokens[i];
      total += tokens[i];
    }
  };
  weigh(scored, progress_.scored_total);
  weigh(generated, progress_.prompts_total);
  for (const std::size_t i : generated)
    progress_.generated_most += tasks[plan.requests[i].task].generation.max_tokens;
  progress_.answers_total = generated.size();
  progress_.requests_total = scored.size() + generated.size();
  progress_.phase = scored.empty() ? Phase::generate : Phase::score;
}

void Workload::count_bytes() {
  constexpr std::size_t kBytesOfToken = 4;  // of English text, about
  progress_.bytes = true;
  progress_.generated_most *= kBytesOfToken;
}

void Workload::finish_scored(std::size_t position) {
  scored_finished_ += unique_[position];
  note_computed(computed_);
  finish(position);
}

void Workload::begin_generation() {
  progress_.phase = Phase::generate;
  progress_.scored_done = scored_finished_;
  progress_.work_done = progress_.work_total;
  computed_ = {};
}

void Workload::finish_generated(std::size_t position, std::size_t tokens) {
  prompts_finished_ += unique_[position];
  progress_.answers_done += 1;
  progress_.generated += tokens;
  note_computed(computed_);
  finish(position);
}

void Workload::fail(std::size_t position) {
  progress_.requests_failed += 1;
  if (plan_.requests[position].generates())
    finish_generated(position, 0);
  else
    finish_scored(position);
}

void Workload::note_computed(const backend::Computed& computed) {
  computed_ = computed;
  progress_.projection = computed.projection;
  if (progress_.phase == Phase::score) {
    progress_.scored_done = std::clamp(computed.inputs, scored_finished_, progress_.scored_total);
    progress_.work_total = computed.planned;
    progress_.work_done = std::min(computed.work, computed.planned);
    return;
  }
  progress_.prompts_done = std::clamp(computed.inputs, prompts_finished_, progress_.prompts_total);
  progress_.places = std::max(computed.places, progress_.generated);
  progress_.growing = computed.generated - std::min(computed.generated, progress_.generated);
}

void Workload::finish(std::size_t position) {
  progress_.requests_done += 1;
  progress_.asked_done += plan_.requests[position].inputs();
}

}  // namespace tare::run
