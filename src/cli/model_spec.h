#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace tare::cli {

/// --model and --model_args, taken apart.
struct ModelSpec {
  std::string text;    ///< "gguf:PATH,k=v,k=v", whichever way the user wrote it
  std::string scheme;  ///< one of backend_schemes()
  std::string name;    ///< path, or what the scheme's backend takes
  std::vector<std::pair<std::string, std::string>> arguments;
  std::string sha256{};  ///< of the weights, where they have been read already; else ""
};

/// Reads "gguf:PATH,k=v,k=v", a path that ends in .gguf, or lm-eval's spelling: a name such as
/// "gguf", "hf", "vllm" or "dummy", with the path among `arguments` (--model_args: a dict or none)
/// as pretrained, model or path. An argument given in both places counts as --model_args has it.
/// Errors: no scheme, a backend of lm-eval that is not built in (with what to use instead), an
/// argument that is no k=v.
base::Result<ModelSpec> parse_model_spec(const std::string& text,
                                         const base::Value& arguments = {});

/// ModelSpec::text of its other members.
std::string spelling_of(const ModelSpec& spec);

}  // namespace tare::cli
