#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tare::cli {

/// --model, taken apart: "gguf:PATH,k=v,k=v". A path that ends in .gguf needs no scheme.
struct ModelSpec {
  std::string text;    ///< as the user wrote it
  std::string scheme;  ///< "gguf", "scripted"
  std::string name;    ///< path, or what the scheme's backend takes
  std::vector<std::pair<std::string, std::string>> arguments;
};

/// Errors: no scheme, a scheme that is unknown or not built in, an argument that is no k=v.
base::Result<ModelSpec> parse_model_spec(const std::string& text);

}  // namespace tare::cli
