#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <utility>

#include "base/unicode.h"
#include "text/jinja/failure.h"
#include "text/jinja/lexer.h"
#include "text/jinja/strings.h"

namespace tare::text::jinja {
namespace {

/// Decodes as Jinja2 does: non-ASCII characters are first turned into \x, \u and \U escapes, then
/// Python's unicode-escape codec reads the whole.
class Decoder {
 public:
  Decoder(std::string_view raw, int line) : raw_(raw), line_(line) {}

  std::string run() {
    while (pos_ < raw_.size()) {
      const std::size_t escape = raw_.find('\\', pos_);
      out_ += raw_.substr(pos_, escape - pos_);
      if (escape == std::string_view::npos) break;
      pos_ = escape + 1;
      one_escape();
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail_here(std::string text) const {
    fail_at(line_, FailureKind::syntax, std::move(text));
  }

  void one_escape() {
    if (pos_ >= raw_.size()) fail_here("\\ at end of string");
    const char c = raw_[pos_];
    if (c == 'x') return code_point(2, "\\xXX");
    if (c == 'u') return code_point(4, "\\uXXXX");
    if (c == 'U') return code_point(8, "\\UXXXXXXXX");
    if (c == 'N') fail_here("\\N{...} in a string is not built in; write the character itself");
    if (c >= '0' && c <= '7') return octal();
    if (static_cast<signed char>(c) < 0) return escaped_character();
    ++pos_;
    out_ += simple(c);
  }

  /// The replacement of an escape of one letter; an unknown escape stays as it is.
  static std::string simple(char c) {
    static constexpr std::string_view kLetters = "\\'\"abfnrtv";
    static constexpr std::string_view kValues = "\\'\"\a\b\f\n\r\t\v";
    if (c == '\n') return "";
    const std::size_t i = kLetters.find(c);
    return i == std::string_view::npos ? std::string{'\\', c} : std::string(1, kValues[i]);
  }

  void code_point(std::size_t digits, std::string_view form) {
    ++pos_;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < digits; ++i, ++pos_) {
      const int digit = pos_ < raw_.size() ? digit_value(raw_[pos_]) : kNoDigit;
      if (digit >= 16) fail_here(fmt::format("truncated {} escape", form));
      value = value * 16 + static_cast<std::uint32_t>(digit);
    }
    append(value);
  }

  void octal() {
    std::uint32_t value = 0;
    for (int i = 0; i < 3 && pos_ < raw_.size() && raw_[pos_] >= '0' && raw_[pos_] <= '7'; ++i)
      value = value * 8 + static_cast<std::uint32_t>(raw_[pos_++] - '0');
    append(value);
  }

  void append(std::uint32_t value) {
    if (value > 0x10FFFF) fail_here("illegal Unicode character");
    if (value >= 0xD800 && value <= 0xDFFF)
      fail_here(
          fmt::format("the surrogate \\u{:04x} in a string cannot be written as UTF-8", value));
    base::unicode::append(out_, value);
  }

  /// A backslash before a non-ASCII character: the character's own escape loses its backslash.
  void escaped_character() {
    const auto c = static_cast<std::uint32_t>(base::unicode::decode(raw_, pos_));
    const char* form = c <= 0xFF ? "\\x{:02x}" : c <= 0xFFFF ? "\\u{:04x}" : "\\U{:08x}";
    out_ += fmt::format(fmt::runtime(form), c);
  }

  std::string_view raw_;
  int line_;
  std::size_t pos_ = 0;
  std::string out_;
};

}  // namespace

std::string decode_literal(std::string_view raw, int line) {
  return Decoder(raw, line).run();
}

}  // namespace tare::text::jinja
