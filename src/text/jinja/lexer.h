#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/jinja/jinja.h"
#include "text/jinja/value.h"

namespace tare::text::jinja {

struct Token {
  enum class Kind {
    data,  ///< template text, whitespace control applied
    variable_begin,
    variable_end,
    block_begin,
    block_end,
    name,
    string,  ///< escapes decoded
    integer,
    real,
    symbol,  ///< an operator or a bracket
    end,
  };
  Kind kind = Kind::end;
  std::string text;
  Value number;  ///< integer and real
  int line = 1;

  [[nodiscard]] bool is(Kind k) const { return kind == k; }
  [[nodiscard]] bool is_symbol(std::string_view s) const {
    return kind == Kind::symbol && text == s;
  }
  [[nodiscard]] bool is_name(std::string_view s) const { return kind == Kind::name && text == s; }
};

/// Makes CRLF and CR to LF and applies keep_trailing_newline.
std::string normalize_source(std::string_view source, const Options& options);

/// Splits a normalized source; the last token is `end`. Raises TemplateSyntaxError.
std::vector<Token> tokenize(std::string_view source, const Options& options);

/// The value of a string literal, given what stands between its quotes.
std::string decode_literal(std::string_view raw, int line);

/// How an error message names a token.
std::string describe(const Token& token);

}  // namespace tare::text::jinja
