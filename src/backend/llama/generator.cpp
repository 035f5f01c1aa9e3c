#include "backend/llama/generator.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "backend/llama/answer.h"
#include "backend/llama/generation_plan.h"
#include "backend/llama/lone_generator.h"
#include "backend/llama/row_summary.h"
#include "backend/llama/timer.h"

namespace tare::backend::llama {
namespace {

using base::Status;

/// Continues the items of one group. Streams below first_slot_ compute prompts, those from there on
/// are the slots.
class Generation {
 public:
  Generation(Context& context, const Vocabulary& vocabulary, std::size_t context_length,
             std::span<const GenerateItem> items, std::vector<std::size_t> queue)
      : context_(context),
        vocabulary_(vocabulary),
        context_length_(context_length),
        items_(items),
        queue_(std::move(queue)),
        slots_(slot_count(context)),
        first_slot_(context.shape().streams - slots_.size()) {}

  Status run(const Backend::GenerateSink& sink, const std::stop_token& stop) {
    while (next_ < queue_.size() || active() > 0) {
      if (active() < slots_.size() && next_ < queue_.size()) TARE_CHECK(fill_slots(stop));
      if (stop.stop_requested()) return stopped();
      if (active() > 0) TARE_CHECK(step());
      if (!finished_.empty()) sink(finished_);
      finished_.clear();
    }
    return {};
  }

 private:
  static base::Failure stopped() {
    return base::fail(base::ErrorKind::interrupted, "generation was stopped");
  }

  [[nodiscard]] std::size_t active() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(slots_, [](const auto& slot) { return slot.has_value(); }));
  }

  /// Takes a prompt from the queue for each free slot. In the form that the prefix tree knows, only
  /// the token after the prompt is read; which one it will be is not known yet.
  std::vector<ScoreItem> take_prompts() {
    std::vector<ScoreItem> prompts;
    for (std::size_t free = slots_.size() - active(); free > 0 && next_ < queue_.size(); --free) {
      const std::size_t item = queue_[next_++];
      prompts.push_back({item, items_[item].tokens, items_[item].tokens.size()});
      prompts.back().tokens.push_back(0);
    }
    return prompts;
  }

  Status fill_slots(const std::stop_token& stop) {
    const std::vector<ScoreItem> prompts = take_prompts();
    Shape shape = context_.shape();
    shape.streams = first_slot_;
    Streams streams = context_.take_streams();
    const PrefixTree tree = build_prefix_tree(prompts);
    for (const Decode& decode : make_schedule(tree, prompts, shape, streams, false)) {
      if (stop.stop_requested()) return stopped();
      TARE_CHECK(context_.run(decode, prompts));
      begin_answers(decode, prompts);
    }
    context_.give_streams(std::move(streams));
    return {};
  }

  /// Prompts that end in this decode get their first token, and a slot if they go on.
  void begin_answers(const Decode& decode, std::span<const ScoreItem> prompts) {
    for (const OutputRow& output : output_rows(decode))
      for (const Read& read : output.reads) {
        const GenerateItem& item = items_[prompts[read.item].id];
        Answer answer(item, answer_room(item, context_length_), vocabulary_);
        answer.grow(context_.logits(output.row));
        context_.counters().generated += 1;
        if (answer.complete()) {
          finished_.push_back(answer.result());
        } else {
          seat(std::move(answer), decode.work[output.row / decode.rows].stream, item.tokens.size());
        }
      }
  }

  void seat(Answer answer, std::size_t prompt_stream, std::size_t prompt_tokens) {
    const auto free = std::ranges::find_if(slots_, [](const auto& slot) { return !slot; });
    context_.copy(prompt_stream, first_slot_ + static_cast<std::size_t>(free - slots_.begin()),
                  prompt_tokens);
    *free = std::move(answer);
  }

  /// One more token for every answer.
  Status step() {
    std::vector<Row> rows;
    for (std::size_t s = 0; s < slots_.size(); ++s) rows.push_back(next_row(s));
    TARE_CHECK(context_.run(rows));
    grow_answers();
    for (auto& slot : slots_) {
      if (!slot || !slot->complete()) continue;
      finished_.push_back(slot->result());
      slot.reset();
    }
    return {};
  }

  /// An idle slot computes some token at its begin.
  Row next_row(std::size_t slot) {
    const std::size_t stream = first_slot_ + slot;
    if (slots_[slot]) return {slots_[slot]->last_token(), slots_[slot]->last_position(), stream};
    context_.cut(stream, 0);
    return {0, 0, stream};
  }

  void grow_answers() {
    Counters& counters = context_.counters();
    const Timer timer(counters.read_seconds);
    counters.generated += active();
    counters.places += slots_.size();
    counters.computed += active();
    counters.padding += slots_.size() - active();
    std::vector<std::span<const float>> logits;
    for (std::size_t s = 0; s < slots_.size(); ++s) logits.push_back(context_.logits(s));
    parallel_for(slots_.size(), context_.threads(), [&](std::size_t s) {
      if (slots_[s]) slots_[s]->grow(logits[s]);
    });
  }

  Context& context_;
  const Vocabulary& vocabulary_;
  std::size_t context_length_;
  std::span<const GenerateItem> items_;
  std::vector<std::size_t> queue_;
  std::size_t next_ = 0;  ///< in queue_
  std::vector<std::optional<Answer>> slots_;
  std::size_t first_slot_;
  std::vector<GenerateResult> finished_;
};

/// Those that may have no token at all are answered at once; gives the others.
std::vector<GenerateItem> with_room(std::span<const GenerateItem> items,
                                    const Backend::GenerateSink& sink) {
  std::vector<GenerateItem> rest;
  std::vector<GenerateResult> empty;
  for (const GenerateItem& item : items) {
    if (item.settings->max_tokens > 0) {
      rest.push_back(item);
    } else {
      empty.push_back({item.id, {}});
    }
  }
  if (!empty.empty()) sink(empty);
  return rest;
}

Status generate_groups(Context& context, const Vocabulary& vocabulary, std::size_t context_length,
                       std::span<const GenerateItem> items, const Backend::GenerateSink& sink,
                       const std::stop_token& stop) {
  for (CapacityGroup& group : plan_generation(items, context.tile(), context_length)) {
    const std::size_t least = least_streams(context);
    TARE_CHECK(context.prepare({.capacity = group.capacity, .least_streams = least}));
    if (context.shape_class().alone) context.forget();
    Generation generation(context, vocabulary, context_length, items, std::move(group.items));
    TARE_CHECK(generation.run(sink, stop));
  }
  return {};
}

}  // namespace

std::size_t slot_count(const Context& context) {
  if (context.shape_class().alone) return 1;
  return context.shape().streams > kMostSlots ? kMostSlots : kFewSlots;
}

/// A few slots, and one stream in which prompts are computed.
std::size_t least_streams(const Context& context) {
  return context.shape_class().alone ? 2 : kFewSlots + 1;
}

Status generate(Context& context, const Vocabulary& vocabulary, std::size_t context_length,
                std::span<const GenerateItem> items, const Backend::GenerateSink& sink,
                const std::stop_token& stop) {
  const std::vector<GenerateItem> rest = with_room(items, sink);
  if (!context.cuttable())
    return generate_alone(context, vocabulary, context_length, rest, sink, stop);
  const std::size_t together = context.shape_class().alone ? 1 : rest.size();
  for (std::size_t i = 0; i < rest.size(); i += together)
    TARE_CHECK(generate_groups(context, vocabulary, context_length,
                               std::span(rest).subspan(i, together), sink, stop));
  return {};
}

}  // namespace tare::backend::llama
