#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "backend/backend.h"
#include "base/result.h"
#include "base/value.h"
#include "cli/model_spec.h"
#include "cli/prepare.h"
#include "cli/run_options.h"

/// Models behind servers, from spellings to backends.
namespace tare::cli {

/// True for a spelling whose model is asked over HTTP: "openai", "llama-server", "ollama".
bool is_http_scheme(std::string_view scheme);

/// Cheap checks: endpoints and arguments, without asking a server.
base::Status check_http(const ModelSpec& model);

/// Asks the servers what they are and can do.
base::Result<OpenedBackend> open_http(const ModelSpec& model);

/// The names that a backend of `model` has, as far as its recorded settings tell them.
void name_served(const ModelSpec& model, backend::Identity& identity);

/// lm-eval's names of models behind OpenAI's interface ("local-completions", ...), with the URL
/// among `arguments`: the same as an openai: spelling. None for other names. Error: no base_url
/// where the name has none of its own.
std::optional<base::Result<ModelSpec>> named_server(const std::string& text,
                                                    const base::Value& arguments);

}  // namespace tare::cli
