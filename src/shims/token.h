#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tare::shims {

/// A token of Python source.
struct Token {
  enum class Kind { name, number, string, op, newline, indent, dedent, end };
  Kind kind = Kind::end;
  std::string text;  ///< as written; of a string with its prefix and quotes
  int line = 0;
};

/// The tokens of a module, with newline, indent and dedent as CPython's tokenizer gives them.
/// Raises text::jinja::Failure for what is no Python.
std::vector<Token> tokenize(std::string_view source);

/// A string token taken apart.
struct StringParts {
  bool raw = false, formatted = false, bytes = false;
  std::string_view quote;  ///< ' " ''' or three "
  std::string_view body;   ///< between the quotes, escapes as written
};
StringParts string_parts(std::string_view token);

}  // namespace tare::shims
