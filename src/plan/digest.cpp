#include "plan/digest.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace tare::plan {
namespace {

std::string text_of(const core::GenerationSettings& settings) {
  std::string text =
      fmt::format("{} {} {}", settings.max_tokens, settings.sample, settings.temperature);
  for (const auto& number : {settings.top_p, settings.min_p, settings.repetition_penalty})
    text += number ? fmt::format(" {}", *number) : " -";
  text += settings.top_k ? fmt::format(" {}", *settings.top_k) : " -";
  if (settings.parameters != core::GenerationParameters::given)
    text += settings.parameters == core::GenerationParameters::backend ? " backend" : " length";
  for (const std::string& stop : settings.until) text += fmt::format(" {}:{}", stop.size(), stop);
  return text;
}

std::string text_of(const EncodedRequest& request) {
  return fmt::format("{} {} {} {} {} {} {}:", request.task, request.request, request.first_scored,
                     request.skipped, request.window, request.repetition, request.tokens.size());
}

}  // namespace

std::string digest(std::span<const core::BuiltTask> tasks,
                   std::span<const EncodedRequest> requests) {
  base::Sha256 all;
  for (const core::BuiltTask& task : tasks) {
    all.update(fmt::format("{}:{} {}\n", task.name.size(), task.name, task.repeats));
    if (task.output_type == core::OutputType::generate_until) all.update(text_of(task.generation));
  }
  for (const EncodedRequest& request : requests)
    all.update(text_of(request) + fmt::format("{}\n", fmt::join(request.tokens, " ")));
  return all.hex();
}

}  // namespace tare::plan
