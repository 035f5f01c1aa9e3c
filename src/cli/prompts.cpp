#include "cli/prompts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "cli/tell.h"
#include "store/planned.h"

namespace tare::cli {
namespace {

using core::OutputType;

std::string head(const core::BuiltTask& task, std::size_t document, const core::Request& request) {
  return fmt::format("---- {}, document {}, request {} ({})", in_one_line(task.name),
                     task.doc_ids[document], request.index, store::request_type(task.output_type));
}

/// Choices that follow the same context are listed after it.
std::string request_text(const core::BuiltTask& task, std::size_t document, std::size_t position,
                         bool same_context) {
  const core::Request& request = task.requests[position];
  std::string text;
  if (task.output_type == OutputType::loglikelihood_rolling)
    return fmt::format("{}, text:\n{}\n", head(task, document, request), request.continuation);
  if (!same_context)
    text = fmt::format("{}, context:\n{}\n", head(task, document, request), request.context);
  if (task.output_type != OutputType::generate_until)
    text += fmt::format("---- continuation {}: {}\n", request.index,
                        base::python::repr(request.continuation));
  return text;
}

std::string document_text(const core::BuiltTask& task, std::size_t document, core::Range range) {
  std::string text;
  for (std::size_t at = range.first; at < range.last; ++at)
    text += request_text(
        task, document, at,
        at > range.first && task.requests[at].context == task.requests[at - 1].context);
  return text + fmt::format("---- target: {}\n", base::python::repr(task.golds[document].target));
}

std::string length_text(const core::GenerationSettings& settings) {
  if (settings.parameters == core::GenerationParameters::backend)
    return "the backend's default length";
  return fmt::format("at most {} new tokens", settings.max_tokens);
}

std::string choice_text(const core::GenerationSettings& settings) {
  if (settings.parameters != core::GenerationParameters::given) return "by the backend's defaults";
  return settings.sample ? fmt::format("sampled at temperature {}", settings.temperature)
                         : "greedy";
}

std::string generation_text(const core::GenerationSettings& settings) {
  base::List until(settings.until.begin(), settings.until.end());
  return fmt::format("---- stop strings: {}; {}; {}\n",
                     base::python::repr(base::Value(std::move(until))), length_text(settings),
                     choice_text(settings));
}

}  // namespace

std::string prompts_text(const core::BuiltTask& task, std::size_t documents) {
  const auto ranges = core::request_ranges(task);
  std::string text;
  for (std::size_t i = 0; i < std::min(documents, ranges.size()); ++i) {
    text += document_text(task, i, ranges[i]);
    if (task.output_type == OutputType::generate_until) text += generation_text(task.generation);
  }
  return text;
}

}  // namespace tare::cli
