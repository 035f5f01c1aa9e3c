#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace tare::backend::python {

/// A pinned set of Python packages in tare's cache. Its folder is named after the pins: other pins
/// are another environment.
struct Environment {
  std::string name;  ///< "hf" or "vllm"
  std::filesystem::path folder;
  bool complete = false;  ///< made, to the end
  [[nodiscard]] std::filesystem::path interpreter() const { return folder / "bin" / "python"; }
};

/// The environment that an engine of Options needs.
std::string environment_of(const std::string& engine);

/// "hf" and "vllm".
std::vector<std::string> environment_names();

Environment find_environment(const std::string& name, const std::filesystem::path& cache);

/// What it is made of as "name==version"; of the packages that pip adds to these nothing is known
/// before it is there.
std::vector<std::string> pinned_packages(const std::string& name);

/// Its packages as "name==version", from the environment itself; none if it is not complete.
std::vector<std::string> installed_packages(const Environment& environment);

/// Makes it with `from` (a python3 with venv): a virtual environment, then the pinned packages
/// through pip. Takes minutes. Errors: what went wrong, with the last that was printed; `stop`.
base::Status install(const Environment& environment, const std::filesystem::path& from,
                     std::stop_token stop);

}  // namespace tare::backend::python
