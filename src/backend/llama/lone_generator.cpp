#include "backend/llama/lone_generator.h"

#include <algorithm>
#include <vector>

#include "backend/llama/answer.h"
#include "backend/llama/capacity.h"
#include "backend/llama/generation_plan.h"

namespace tare::backend::llama {
namespace {

using base::Status;

Status go_on(const std::stop_token& stop) {
  if (stop.stop_requested())
    return base::fail(base::ErrorKind::interrupted, "generation was stopped");
  return {};
}

/// Computes a prompt; gives the row of its last decode that holds the logits behind it.
base::Result<std::size_t> read_prompt(Context& context, std::span<const core::Token> prompt,
                                      const std::stop_token& stop) {
  const std::size_t most = std::min(context.shape().rows, context.shape().outputs);
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < prompt.size(); begin += count) {
    TARE_CHECK(go_on(stop));
    count = std::min(most, prompt.size() - begin);
    std::vector<Row> rows;
    for (std::size_t i = begin; i < begin + count; ++i) rows.push_back({prompt[i], i, 0});
    TARE_CHECK(context.run(rows));
  }
  context.counters().computed += prompt.size();
  return count - 1;
}

base::Result<GenerateResult> continue_prompt(Context& context, const Vocabulary& vocabulary,
                                             const GenerateItem& item, std::size_t room,
                                             const std::stop_token& stop) {
  TARE_CHECK(context.prepare({.capacity = stream_capacity(item.tokens.size() + room)}));
  context.forget();
  TARE_TRY(std::size_t row, read_prompt(context, item.tokens, stop));
  Counters& counters = context.counters();
  Answer answer(item, room, vocabulary);
  for (;;) {
    answer.grow(context.logits(row));
    counters.generated += 1;
    counters.places += 1;
    if (answer.complete()) return answer.result();
    TARE_CHECK(go_on(stop));
    const Row next{answer.last_token(), answer.last_position(), 0};
    TARE_CHECK(context.run({&next, 1}));
    counters.computed += 1;
    row = 0;
  }
}

}  // namespace

Status generate_alone(Context& context, const Vocabulary& vocabulary, std::size_t context_length,
                      std::span<const GenerateItem> items, const Backend::GenerateSink& sink,
                      const std::stop_token& stop) {
  for (const GenerateItem& item : items) {
    TARE_TRY(const GenerateResult result,
             continue_prompt(context, vocabulary, item, answer_room(item, context_length), stop));
    sink({&result, 1});
  }
  return {};
}

}  // namespace tare::backend::llama
