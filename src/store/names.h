#pragma once

#include <string>

namespace tare::store {

/// A model's name as lm-eval makes a folder name of it.
std::string sanitized_model_name(const std::string& model);

}  // namespace tare::store
