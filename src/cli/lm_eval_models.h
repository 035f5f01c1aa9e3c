#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace tare::cli {

/// True for a name that lm-eval 0.4.13 registers for --model, "gguf" and "dummy" among them.
bool is_lm_eval_model(std::string_view name);

/// What a user of one of lm-eval's other backends does instead, in one line. `weights` is what the
/// model arguments name as pretrained, model or path; "" if nothing.
base::Error lm_eval_model_error(const std::string& name, const std::string& weights);

/// All those names.
std::vector<std::string> lm_eval_models();

}  // namespace tare::cli
