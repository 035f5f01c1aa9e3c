#pragma once

#include <string_view>

#include "backend/http/llama_server.h"
#include "base/result.h"
#include "cli/model_spec.h"
#include "cli/prepare.h"

/// Models behind servers that have an interface of their own: llama-server:URL and ollama:NAME.
namespace tare::cli {

bool is_server_scheme(std::string_view scheme);

/// Cheap checks: URL and arguments, without asking a server.
base::Status check_server(const ModelSpec& model);

/// Asks the servers what they are and opens the model.
base::Result<OpenedBackend> open_server(const ModelSpec& model);

/// Path and name of the model as the server told them in a run that is recorded.
void name_from_record(const ModelSpec& model, backend::Identity& identity);

/// The chat template of a llama-server, to be applied here. Error: the server, or it has none.
base::Result<backend::http::ServerChat> served_template(const ModelSpec& model);

}  // namespace tare::cli
