#include "cli/capability_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/messages.h"
#include "cli/known_backends.h"
#include "score/metrics.h"

namespace tare::cli {
namespace {

using backend::Capabilities;
using core::BuiltTask;
using core::GenerationParameters;
using core::OutputType;

/// A task in front of a backend.
struct Pair {
  const BuiltTask& task;
  const Capabilities& can;
  const RunOptions& options;

  [[nodiscard]] bool generates() const { return task.output_type == OutputType::generate_until; }
  [[nodiscard]] bool leaves_parameters() const {
    return generates() && task.generation.parameters != GenerationParameters::given;
  }
  [[nodiscard]] bool messages() const {
    return options.chat.apply && takes_messages(options.model);
  }
};

bool reads_greedy_flag(const BuiltTask& task) {
  if (task.process_results) return false;
  return std::ranges::any_of(task.metrics, [&](const core::MetricSpec& metric) {
    return score::reads_greedy_flag(metric.name, task.output_type);
  });
}

struct Lack {
  bool (*holds)(const Pair&);
  const char* needed;
  const char* remedy;
};

/// In the order in which they are looked for: the first one that holds is told.
constexpr std::array kLacks{
    Lack{[](const Pair& p) { return p.generates() && !p.can.generation; }, "generated text",
         "choose a task that scores given text, or a backend that generates (tare ls backends)"},
    Lack{[](const Pair& p) {
           return p.generates() && !p.leaves_parameters() && p.task.generation.sample &&
                  !p.can.sampling;
         },
         "sampled text", "use --generation-mode deterministic"},
    Lack{[](const Pair& p) { return p.leaves_parameters() && !p.can.own_defaults; },
         "answers by the backend's own defaults (--generation-mode)",
         "use --generation-mode deterministic or fix"},
    Lack{
        [](const Pair& p) { return !p.generates() && !p.can.loglikelihood && p.can.chat_messages; },
        "log-likelihoods of given text",
        "a chat endpoint gives none: choose a task that generates, or leave out endpoint=chat"},
    Lack{[](const Pair& p) { return !p.generates() && !p.can.loglikelihood; },
         "log-likelihoods of given text",
         "choose a task that generates, or a backend that scores (tare ls backends)"},
    Lack{[](const Pair& p) {
           return p.task.output_type == OutputType::loglikelihood_rolling && !p.can.token_ids;
         },
         "whole texts scored in windows of tokens",
         "choose a backend with token ids (tare ls backends)"},
    Lack{[](const Pair& p) { return !p.can.greedy_flag && reads_greedy_flag(p.task); },
         "to know whether an answer is the most likely one (metrics acc, exact_match)",
         "leave such metrics out of the task, or choose a backend with a greedy flag (tare ls "
         "backends)"},
    Lack{[](const Pair& p) { return p.messages() && !p.can.chat_messages; },
         "prompts that are conversations",
         "leave out endpoint=chat, so that they are rendered here"},
    Lack{[](const Pair& p) { return p.options.chat.apply && !p.messages() && p.can.chat_messages; },
         "prompts rendered by --apply-chat-template",
         "a chat endpoint renders them itself and would do so twice: give endpoint=chat with "
         "--model, or leave out --apply-chat-template"},
    Lack{[](const Pair& p) {
           return p.options.overlength == plan::Overlength::truncate && !p.can.token_ids &&
                  !p.can.any_length;
         },
         "prompts that can be cut by tokens (--overlength truncate)",
         "use --overlength fail, and fewer examples or documents where prompts are too long"},
};

std::string unchecked_length(const Capabilities& can, const std::string& backend) {
  const char* reason = can.token_ids ? "tells no context length" : "shows no token ids";
  return fmt::format(
      "the backend {} {}: that a prompt is too long for the model is not found before it is asked, "
      "so --overlength has no effect; look for failed requests and truncation in the result",
      backend, reason);
}

/// Prompts whose last message is an answer that the task has begun.
std::size_t begun_answers(const BuiltTask& task) {
  return static_cast<std::size_t>(
      std::ranges::count_if(task.requests, [](const core::Request& request) {
        const auto messages = backend::read_messages(request.context);
        return !messages.empty() && messages.back().role == "assistant";
      }));
}

}  // namespace

base::Status check_capabilities(std::span<const BuiltTask> tasks, const backend::Backend& backend,
                                const RunOptions& options) {
  const Abilities abilities{backend.capabilities(), ""};
  if (check_capabilities(tasks, abilities, options)) return {};
  // Asked for only now, since it waits for the hash of the weights.
  return check_capabilities(tasks, {abilities.can, backend.identity().backend}, options);
}

base::Status check_capabilities(std::span<const BuiltTask> tasks, const Abilities& abilities,
                                const RunOptions& options) {
  for (const BuiltTask& task : tasks) {
    const Pair pair{task, abilities.can, options};
    const auto* lack = std::ranges::find_if(kLacks, [&](const Lack& l) { return l.holds(pair); });
    if (lack != kLacks.end())
      return base::input_error(fmt::format("task {} needs {}, which the backend {} cannot give; {}",
                                           task.name, lack->needed, abilities.backend,
                                           lack->remedy));
  }
  return {};
}

std::vector<core::Warning> capability_warnings(std::span<const BuiltTask> tasks,
                                               const backend::Backend& backend,
                                               const RunOptions& options) {
  const Capabilities can = backend.capabilities();
  std::vector<core::Warning> warnings;
  if (!can.any_length && (!can.token_ids || can.context_length == 0))
    warnings.push_back({"length-unchecked", unchecked_length(can, backend.identity().backend)});
  for (const BuiltTask& task : tasks) {
    if (!Pair{task, can, options}.messages()) continue;
    const std::size_t begun = begun_answers(task);
    if (begun == 0) continue;
    warnings.push_back(
        {"chat-begun-answer",
         fmt::format("task {}: {} of {} prompts begin the answer (gen_prefix); a chat endpoint may "
                     "begin another one behind it",
                     task.name, begun, task.requests.size()),
         begun});
  }
  return warnings;
}

std::size_t countable_context(const Capabilities& can) {
  return can.token_ids ? can.context_length : 0;
}

}  // namespace tare::cli
