#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

/// Jinja2 3.1 as lm-eval sets it up: StrictUndefined, keep_trailing_newline, no trimming, no
/// autoescape, Python's str() and repr() for output (docs/design/jinja.md).
namespace tare::text::jinja {

/// How the environment is set up; the defaults are lm-eval's, chat templates trim.
struct Options {
  bool trim_blocks = false;
  bool lstrip_blocks = false;
  bool keep_trailing_newline = true;
  std::size_t max_output_bytes = 64u << 20;  ///< rendering more is an error, not a full memory
};

/// A compiled template; immutable, may be rendered from several threads at once.
class Template {
 public:
  /// The error text gives the line and what was found.
  static base::Result<Template> parse(std::string_view source, Options options = {});

  /// Renders with the keys of `variables` (a dict) as names. Errors: an undefined variable (named),
  /// a wrong type, a bad index; each with the line in the template.
  [[nodiscard]] base::Result<std::string> render(const base::Value& variables) const;

  [[nodiscard]] const std::string& source() const;

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  std::string source_;
  Options options_;
};

}  // namespace tare::text::jinja
