#pragma once

#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace tare::cli {

/// How many words stand after a flag.
enum class Arity { none, one, optional, many };

/// A flag of lm-eval that is accepted so that command lines work as they are, but changes nothing.
struct IgnoredFlag {
  std::string_view names;  ///< as CLI11 wants them: "--verbosity,-v"
  Arity arity = Arity::none;
  std::string_view why;  ///< ends the sentence "--verbosity has no effect here: ..."
};

/// The list in docs/guide/from-lm-eval.md.
std::span<const IgnoredFlag> ignored_flags();

void declare_ignored_flags(CLI::App& app);

/// Says on stderr, once for each such flag that was given, why it changes nothing.
void note_ignored_flags(const CLI::App& app);

}  // namespace tare::cli
