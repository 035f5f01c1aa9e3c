#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/command.h"

namespace CLI {
class App;
}

namespace tare::cli {

/// lm-eval spells flags with underscores: "--num_fewshot=5" becomes "--num-fewshot=5".
void dash_flags(std::vector<std::string>& args);

/// Options whose value may be left out: the word behind one of them is its value unless it is a
/// flag, and words behind that are not. "--flag value" becomes "--flag=value".
void join_optional_values(std::vector<std::string>& args);

/// While it lives, an app that is about to parse words is shown to `read` instead, and its command
/// ends as after --help. One at a time.
class AppReader {
 public:
  using Read = std::function<void(const CLI::App&)>;
  explicit AppReader(Read read);
  ~AppReader();
  AppReader(const AppReader&) = delete;
  AppReader& operator=(const AppReader&) = delete;
};

enum class Parsed { whole, help };

/// Parses the words of a sub-command; help is printed where they ask for it, as wide as the
/// terminal. Error: the usage is wrong.
base::Result<Parsed> try_parse(CLI::App& app, std::vector<std::string> args);

/// The same, with an error reported. An exit code means that the command is over: help was
/// printed, or a usage error reported.
std::optional<ExitCode> parse(CLI::App& app, std::vector<std::string> args);

}  // namespace tare::cli
