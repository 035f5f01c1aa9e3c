#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tare::backend::python {

/// Name and text of each Python file of the model worker, in the order in which they are loaded.
const std::vector<std::pair<std::string, std::string>>& worker_sources();

/// The program that starts the worker and takes the sources.
const std::string& boot_source();

/// The program that makes an environment.
const std::string& install_source();

/// The text of a requirement file, by its name without ".txt".
const std::string& requirements(const std::string& name);

}  // namespace tare::backend::python
