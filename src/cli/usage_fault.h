#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

/// What is wrong with the words of a command: what was found, what is wanted, who tells more.
namespace tare::cli {

/// A command, or a command of a command, with the name by which it is called.
struct Asked {
  const CLI::App* app;
  std::string name;  ///< "tare fetch model"
};

/// The last of the commands that the words named.
Asked asked_of(const CLI::App& app);

/// The error of words that could not be parsed.
base::Failure usage_fault(const CLI::App& app, const std::vector<std::string>& args,
                          const CLI::ParseError& fault);

/// Error: a word that should name a file, a folder or a model is empty.
base::Status check_names(const CLI::App& app);

}  // namespace tare::cli
