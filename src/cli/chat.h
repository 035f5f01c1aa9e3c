#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "cli/model_spec.h"
#include "core/score.h"
#include "core/task.h"
#include "task/task.h"

namespace CLI {
class App;
}

/// --apply-chat-template and what belongs to it.
namespace tare::cli {

/// As the command line gives it.
struct RawChatOptions {
  std::vector<std::string> name, multiturn;
};

/// What was asked for and, once open_chat() has run, what came of it.
struct ChatOptions {
  bool apply = false;
  std::string name;  ///< of a template in the model file, or a file; "" for the model's default
  base::Value multiturn;  ///< true, false, or none where neither chat nor the flag is given

  base::Value source;   ///< the template's text
  base::Value used;     ///< a dict for the record: where it is from and what it sees
  bool thinks = false;  ///< enable_thinking=true
  std::vector<core::Warning> warnings;
};

void declare_chat_options(CLI::App& app, RawChatOptions& raw);

/// Errors: --fewshot-as-multiturn without a chat template.
base::Status check_chat_options(const RawChatOptions& raw, ChatOptions& chat);

/// True for a model argument that is read here: enable_thinking, chat_template_args.
bool is_chat_argument(std::string_view name);

/// Finds and compiles the template, and has `build` use it. Of a GGUF file the metadata alone is
/// read. `model` has no scheme where no model is named: the template is then a file. Errors: no
/// template, one of another name, a file that cannot be read, a fault in the template, a model
/// argument of another kind.
base::Status open_chat(const ModelSpec& model, ChatOptions& chat, task::BuildOptions& build);

/// Refuses log-likelihood tasks of a model that is told to think, as lm-eval does.
base::Status check_thinking(const ChatOptions& chat, const core::BuiltTask& task);

}  // namespace tare::cli
