#include "text/jinja/token_stream.h"

#include <fmt/format.h>

#include "text/jinja/failure.h"

namespace tare::text::jinja {

void TokenStream::unexpected(std::string_view wanted) const {
  fail_at(line(), FailureKind::syntax,
          at_end() ? fmt::format("unexpected end of template, expected '{}'.", wanted)
                   : fmt::format("expected token '{}', got '{}'", wanted, describe(current())));
}

const Token& TokenStream::expect(Token::Kind kind, std::string_view what) {
  if (!current().is(kind)) unexpected(what);
  return next();
}

void TokenStream::expect_symbol(std::string_view symbol) {
  if (!skip_symbol(symbol)) unexpected(symbol);
}

void TokenStream::expect_name(std::string_view name) {
  if (!skip_name(name)) unexpected(name);
}

}  // namespace tare::text::jinja
