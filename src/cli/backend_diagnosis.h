#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"

/// What `tare doctor` says about backends that need more than this program.
namespace tare::cli {

/// A Python environment that tare makes in its cache.
struct EnvironmentFinding {
  std::string name;                   ///< "hf", "vllm"
  std::vector<std::string> backends;  ///< that run in it
  std::string folder;                 ///< where it is, or would be
  std::vector<std::string> packages;  ///< "name==version"; none if it is not there
};

std::vector<EnvironmentFinding> look_at_environments();

/// Of "name==version" those that numbers depend on: "torch 2.13.0, transformers 5.24.0".
std::string told_packages(const std::vector<std::string>& packages);

/// A line for each, ending with a newline.
std::string environments_text(const std::vector<EnvironmentFinding>& environments);

base::Value environments_value(const std::vector<EnvironmentFinding>& environments);

/// Makes the environment of that name and tells about it on stderr. `python` is the interpreter
/// that it is made with. Errors: an unknown name, what pip could not do.
base::Status install_environment(const std::string& name, const std::filesystem::path& python);

}  // namespace tare::cli
