#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

/// Jinja2 3.1 as lm-eval sets it up: StrictUndefined, keep_trailing_newline, no trimming, no
/// autoescape, Python's str() and repr() for output (docs/design/jinja.md).
namespace tare::text::jinja {

/// How the environment is set up; the defaults are lm-eval's, chat_options() are transformers'.
struct Options {
  bool trim_blocks = false;
  bool lstrip_blocks = false;
  bool keep_trailing_newline = true;
  bool strict_undefined = true;  ///< false: an undefined name prints nothing and is falsy
  /// What transformers adds for chat templates: the tags break, continue and generation, the
  /// globals raise_exception and strftime_now, its own tojson; changing a list or dict is refused.
  bool chat = false;
  /// The clock of strftime_now (UTC); unset: strftime_now is an error.
  std::function<std::chrono::system_clock::time_point()> now;

  std::size_t max_output_bytes = 64u << 20;  ///< rendering more is an error, not a full memory
  std::size_t max_memory_bytes = 1u << 30;   ///< everything one rendering creates, taken together
  std::uint64_t max_steps = 20'000'000;      ///< loop rounds, calls and items that built-ins touch
};

/// The options under which transformers renders a chat template; add `now` where a clock is wanted.
Options chat_options();

struct Program;

/// A compiled template; immutable, may be rendered from several threads at once.
class Template {
 public:
  /// The error text gives the line and what was found.
  static base::Result<Template> parse(std::string_view source, Options options = {});

  /// Renders with the keys of `variables` (a dict) as names. Errors: an undefined variable (named),
  /// a wrong type, a bad index; each with the line in the template.
  [[nodiscard]] base::Result<std::string> render(const base::Value& variables) const;

  [[nodiscard]] const std::string& source() const;

 private:
  std::shared_ptr<const Program> program_;
};

}  // namespace tare::text::jinja
