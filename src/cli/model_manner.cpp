#include "cli/model_manner.h"

#include "cli/http_backends.h"
#include "cli/transport_arguments.h"
#include "cli/worker_backends.h"

namespace tare::cli {

bool is_manner(std::string_view scheme, std::string_view name) {
  if (is_http_scheme(scheme)) return is_transport_name(name);
  return is_worker_scheme(scheme) && name == "timeout";
}

ModelSpec without_manner(const ModelSpec& model) {
  ModelSpec rest = model;
  std::erase_if(rest.arguments,
                [&](const auto& argument) { return is_manner(model.scheme, argument.first); });
  rest.text = spelling_of(rest);
  return rest;
}

}  // namespace tare::cli
