#pragma once

#include <string>
#include <string_view>

#include "base/value.h"

namespace tare::cli {

std::string_view version();
/// "tare 0.1.0 (llama.cpp b11549, g++ 12.2.0, Parquet yes)"
std::string version_line();
/// The same as a dict, for the result file.
base::Value build_info();

}  // namespace tare::cli
