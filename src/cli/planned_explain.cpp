#include <fmt/format.h>

#include <algorithm>

#include "backend/llama/item_path.h"
#include "base/python.h"
#include "cli/llama_options.h"
#include "cli/planned.h"
#include "cli/tell.h"

namespace tare::cli {
namespace {

namespace llama = backend::llama;
using plan::EncodedRequest;

constexpr std::size_t kMostChoices = 5;       ///< of a document
constexpr std::size_t kHead = 6, kTail = 10;  ///< tokens of a context that are shown

/// Positions in the plan of what the first document of a task asks.
std::vector<std::size_t> first_requests(const Planned& planned, std::size_t task) {
  std::vector<std::size_t> places;
  const plan::Plan& plan = planned.plan;
  for (std::size_t i = 0; i < plan.requests.size() && places.size() < kMostChoices; ++i) {
    const EncodedRequest& request = plan.requests[i];
    if (request.task != task || request.skipped || request.tokens.empty()) continue;
    const auto& requests = planned.tasks[task].requests;
    const bool first = places.empty() || requests[request.request].document ==
                                             requests[plan.requests[places[0]].request].document;
    if (first) places.push_back(i);
  }
  return places;
}

std::string pieces(const Planned& planned, std::span<const core::Token> tokens) {
  std::string text;
  for (const core::Token& token : tokens)
    text += " " + base::python::repr(planned.tokenizer->decode({&token, 1}, true));
  return text;
}

/// "'Question' ':' ... 31 more ... 'Answer' ':' | ' A'".
std::string token_line(const Planned& planned, const EncodedRequest& request) {
  const std::span<const core::Token> tokens = request.tokens;
  const auto context = tokens.first(request.first_scored);
  std::string line = std::string(planned.unit()) + ":";
  if (context.size() > kHead + kTail) {
    line += pieces(planned, context.first(kHead)) +
            fmt::format(" ... {} more ...", context.size() - kHead - kTail) +
            pieces(planned, context.last(kTail));
  } else {
    line += pieces(planned, context);
  }
  if (request.generates()) return line + " |\n";
  const auto scored = tokens.subspan(request.first_scored);
  line += " |" + pieces(planned, scored.first(std::min(scored.size(), kTail)));
  if (scored.size() > kTail) line += fmt::format(" ... {} more", scored.size() - kTail);
  return line + (request.merged ? "  (a token spans the end of the context)\n" : "\n");
}

std::string head_line(const Planned& planned, const EncodedRequest& request) {
  const core::BuiltTask& task = planned.tasks[request.task];
  const core::Request& question = task.requests[request.request];
  std::string line = fmt::format("---- {}, document {}, request {}: {} {}", in_one_line(task.name),
                                 task.doc_ids[question.document], question.index,
                                 request.tokens.size(), planned.unit());
  if (request.generates() && task.generation.parameters == core::GenerationParameters::backend)
    return line + ", and an answer of the backend's default length\n";
  if (request.generates())
    return line + fmt::format(", and up to {} tokens of the answer\n", task.generation.max_tokens);
  if (request.windows > 1)
    line += fmt::format(" in part {} of {}", request.window + 1, request.windows);
  return line + fmt::format(", {} are scored\n", request.tokens.size() - request.first_scored);
}

std::string path_text(const llama::ItemPath& path, const EncodedRequest& request) {
  std::string text;
  for (const llama::PathStep& step : path.steps)
    text +=
        fmt::format("  tokens {} to {}: {}; decode {} of {}, {} rows\n", step.begin + 1, step.end,
                    step.items == 1 ? "of this request alone"
                                    : fmt::format("shared by {} requests", step.items),
                    step.decode, path.decodes, step.rows);
  if (request.first_scored == request.inputs())
    text += "  its continuation is read from the last row of its context\n";
  return text;
}

/// Of what is scored, in order; by the shapes that the options allow.
std::vector<llama::ItemPath> paths_of(const Planned& planned, std::span<const std::size_t> chosen,
                                      const RunOptions& options) {
  const auto settings = llama_options(options);
  if (options.model.scheme != "gguf" || !settings)
    return std::vector<llama::ItemPath>(chosen.size());
  std::vector<backend::ScoreItem> items;
  std::vector<std::size_t> places;
  for (const std::size_t i : planned.plan.order)
    items.push_back({i, planned.plan.requests[i].tokens, planned.plan.requests[i].first_scored});
  for (const std::size_t i : chosen)
    places.push_back(static_cast<std::size_t>(std::ranges::find(planned.plan.order, i) -
                                              planned.plan.order.begin()));
  return llama::item_paths(
      items, places,
      {.tile = settings->shape.tile, .rows = settings->rows, .streams = settings->streams});
}

}  // namespace

std::string explain_text(const Planned& planned, const RunOptions& options) {
  std::vector<std::size_t> chosen;
  for (std::size_t t = 0; t < planned.tasks.size(); ++t)
    for (const std::size_t i : first_requests(planned, t)) chosen.push_back(i);
  const std::vector<llama::ItemPath> paths = paths_of(planned, chosen, options);
  std::string text;
  for (std::size_t c = 0; c < chosen.size(); ++c) {
    const EncodedRequest& request = planned.plan.requests[chosen[c]];
    text += head_line(planned, request) + token_line(planned, request);
    text += request.generates()
                ? "  computed as a context is, then one row a step beside other answers\n"
                : path_text(paths[c], request);
  }
  return text + savings_text(planned);
}

}  // namespace tare::cli
