#include "cli/parity_sides.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "backend/messages.h"
#include "base/unicode.h"
#include "cli/known_backends.h"
#include "store/read_run.h"
#include "store/read_samples.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Value;
using study::Prompt;
using study::Side;

/// How prompts became text.
struct Rendering {
  bool messages = false;        ///< by the backend, which plain text reaches as one message too
  std::string template_sha256;  ///< "" for plain text
};

/// `chat` is what the record of a run says of the template.
Rendering rendering_of(const Value& chat, bool chat_messages) {
  const Value* sha256 = chat.find("sha256");
  return {chat_messages, sha256 != nullptr && sha256->is_string() ? sha256->as_string() : ""};
}

/// Of the record of a run; false for lm-eval's.
bool takes_messages(const core::RunRecord& run) {
  const Value* can = run.backend.find("capabilities");
  const Value* messages = can != nullptr ? can->find("chat_messages") : nullptr;
  return messages != nullptr && messages->truthy();
}

void set_rendering(Side& side, const Rendering& rendering, const std::string& system) {
  side.system = base::unicode::strip(system);
  if (!rendering.messages) side.template_sha256 = rendering.template_sha256;
}

void set_text(Prompt& prompt, const Rendering& rendering, const std::string& context,
              const std::string& continuation) {
  prompt.text = context + continuation;
  if (!rendering.messages) return;
  for (backend::Message& message : backend::read_messages(context))
    prompt.messages.push_back({std::move(message.role), std::move(message.content)});
}

template <class Id>
std::string key_of(const std::string& task, Id document, std::size_t request) {
  return fmt::format("{}, document {}, request {}", task, document, request);
}

Prompt planned_prompt(const Planned& planned, const plan::EncodedRequest& encoded,
                      const Rendering& rendering) {
  const core::BuiltTask& task = planned.tasks[encoded.task];
  const core::Request& request = task.requests[encoded.request];
  Prompt prompt;
  prompt.key = key_of(task.name, task.doc_ids[request.document], request.index);
  if (encoded.windows > 1) prompt.key += fmt::format(", part {}", encoded.window + 1);
  set_text(prompt, rendering, request.context, request.continuation);
  // Those of messages are not what the model reads.
  if (planned.token_ids && !rendering.messages) prompt.tokens = encoded.tokens;
  prompt.truncated = encoded.truncated;
  return prompt;
}

}  // namespace

Side planned_side(const Planned& planned, const RunOptions& options) {
  const Rendering rendering = rendering_of(options.chat.used, planned.chat_messages);
  Side side;
  side.name = options.model.text;
  set_rendering(side, rendering, options.build.system_instruction);
  if (planned.token_ids) {
    side.bos = planned.tokenizer->prefix_token();
    side.bos_text = planned.tokenizer->prefix_text();
    side.decode = [&tokenizer = *planned.tokenizer](std::span<const core::Token> tokens) {
      return tokenizer.decode(tokens, true);
    };
  }
  for (const plan::EncodedRequest& request : planned.plan.requests)
    if (request.repetition == 0)
      side.prompts.push_back(planned_prompt(planned, request, rendering));
  return side;
}

Result<Side> finished_side(const store::RunFiles& files, std::string name) {
  TARE_TRY(const store::FinishedRun finished, store::read_run(files));
  const core::RunRecord& run = finished.record;
  const Value* chat = run.settings.find("chat");
  const Value* system = run.settings.find("system_instruction");
  const Rendering rendering = rendering_of(chat != nullptr ? *chat : Value(), takes_messages(run));
  Side side;
  side.name = std::move(name);
  set_rendering(side, rendering,
                system != nullptr && system->is_string() ? system->as_string() : "");
  if (chat == nullptr) side.template_sha256.reset();  // lm-eval's results
  for (const core::TaskRecord& task : run.tasks) {
    TARE_TRY(const auto requests, store::read_samples(files, task.task.name));
    for (const store::SampledRequest& request : requests) {
      Prompt prompt;
      prompt.key = key_of(request.task, request.doc_id, request.index);
      set_text(prompt, rendering, request.context, request.continuation);
      if (!rendering.messages) prompt.tokens = request.tokens;
      prompt.truncated = request.truncated;
      side.prompts.push_back(std::move(prompt));
    }
  }
  return side;
}

}  // namespace tare::cli
