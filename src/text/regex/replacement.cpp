#include "text/regex/replacement.h"

#include <algorithm>

#include "text/regex/reader.h"

namespace tare::text::regex {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const Translated& pattern) : in_(text), pattern_(pattern) {}

  base::Result<Replacement> run() {
    while (!in_.at_end()) {
      const char32_t c = in_.next();
      if (c != '\\')
        base::unicode::append(literal_, c);
      else
        TARE_CHECK(escape());
    }
    flush();
    return std::move(out_);
  }

 private:
  base::Status escape() {
    const std::size_t start = in_.position() - 1;
    if (in_.at_end()) return in_.error_at(start, "bad escape (end of pattern)");
    const char32_t c = in_.next();
    if (c == 'g') return group_in_brackets();
    if (is_digit(c)) return number(c);
    const char32_t control = control_escape(c);
    if (control == kEnd && is_letter(c)) return in_.error_at(start, "bad escape");
    if (control == kEnd) literal_ += '\\';
    base::unicode::append(literal_, control == kEnd ? c : control);
    return {};
  }

  /// \1 to \99 name a group; \0 and three octal digits a code point.
  base::Status number(char32_t first) {
    const bool octal =
        first == '0' || (is_octal(first) && is_octal(in_.peek()) && is_octal(in_.peek(1)));
    if (octal) {
      TARE_TRY(const char32_t code, in_.octal(first, 3));
      base::unicode::append(literal_, code);
      return {};
    }
    std::size_t group = first - '0';
    if (is_digit(in_.peek())) group = group * 10 + (in_.next() - '0');
    return add(group);
  }

  base::Status group_in_brackets() {
    const std::size_t start = in_.position();
    if (!in_.take('<')) return in_.error("missing <");
    TARE_TRY(const std::u32string name, in_.name_until('>'));
    if (is_identifier(name)) return add_named(base::unicode::to_utf8(name));
    std::size_t group = 0;
    for (const char32_t c : name) {
      if (!is_digit(c) || group > 999) return in_.error_at(start, "bad character in group name");
      group = group * 10 + (c - '0');
    }
    return add(group);
  }

  base::Status add_named(const std::string& name) {
    const auto found = std::find_if(pattern_.names.begin(), pattern_.names.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (found == pattern_.names.end())
      return base::input_error(fmt::format("unknown group name '{}'", name));
    return add(found->second);
  }

  base::Status add(std::size_t group) {
    if (group > pattern_.groups) return in_.error(fmt::format("invalid group reference {}", group));
    flush();
    out_.emplace_back(group);
    return {};
  }

  void flush() {
    if (!literal_.empty()) out_.emplace_back(std::move(literal_));
    literal_.clear();
  }

  Reader in_;
  const Translated& pattern_;
  std::string literal_;
  Replacement out_;
};

}  // namespace

base::Result<Replacement> parse_replacement(std::string_view text, const Translated& pattern) {
  return Parser(text, pattern).run();
}

}  // namespace tare::text::regex
