#include "text/regex/translate.h"

#include <algorithm>

#include "text/regex/translator.h"

namespace tare::text::regex {
namespace {

/// More than this is taken for no limit.
constexpr std::uint64_t kUnbounded = std::uint64_t{1} << 32;
constexpr int kMaxDepth = 200;

bool is_pattern_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

Piece dot(RegexFlags flags) {
  return {flags.dot_all ? "(?s:.)" : R"([^\n])", {1, 1}};
}

Piece anchor(std::string text) {
  return {std::move(text), {}, Piece::Kind::anchor};
}

/// In several lines ^ also stands after a line end that ends the text, unlike in PCRE2.
Piece line_start(RegexFlags flags) {
  return anchor(flags.multi_line ? R"((?<![^\n]))" : R"(\A)");
}

Piece line_end(RegexFlags flags) {
  return anchor(flags.multi_line ? R"((?![^\n]))" : R"(\Z)");
}

}  // namespace

base::Result<Translated> translate(std::string_view pattern, RegexFlags flags) {
  if (!base::unicode::valid(pattern)) return base::input_error("the pattern is no UTF-8");
  return Translator(pattern, flags).run();
}

base::Result<Translated> Translator::run() {
  TARE_CHECK(leading_flags());
  TARE_TRY(Piece whole, alternatives(flags_));
  if (!in_.at_end()) return in_.error("unbalanced parenthesis");
  if (highest_condition_ > groups_.size())
    return base::input_error(fmt::format("invalid group reference {}", highest_condition_));
  Translated out{(flags_.ignore_case ? "(?i)" : "") + whole.text, groups_.size(), {}};
  for (const auto& [name, group] : names_)
    out.names.emplace_back(base::unicode::to_utf8(name), group);
  return out;
}

/// (?im) before anything else sets flags for the whole pattern.
base::Status Translator::leading_flags() {
  while (true) {
    while (flags_.verbose && skip_verbose()) continue;
    if (in_.peek() != '(' || in_.peek(1) != '?') return {};
    RegexFlags flags = flags_;
    std::size_t ahead = 2;
    while (set_flag(flags, in_.peek(ahead), true)) ++ahead;
    if (ahead == 2 || in_.peek(ahead) != ')') return {};
    flags_ = flags;
    in_.back_to(in_.position() + ahead + 1);
  }
}

base::Result<Piece> Translator::alternatives(RegexFlags flags) {
  if (++depth_ > kMaxDepth) return in_.error("too deeply nested");
  Piece out;
  out.width.least = kUnbounded;
  do {
    TARE_TRY(const Piece branch, sequence(flags));
    out.text += branch.text;
    out.width.least = std::min(out.width.least, branch.width.least);
    out.width.most = std::max(out.width.most, branch.width.most);
    if (in_.peek() == '|') out.text += '|';
  } while (in_.take('|'));
  --depth_;
  return out;
}

base::Result<Piece> Translator::sequence(RegexFlags flags) {
  Pieces pieces;
  while (!in_.at_end() && in_.peek() != '|' && in_.peek() != ')') {
    if (flags.verbose && skip_verbose()) continue;
    TARE_CHECK(item(flags, pieces));
  }
  Piece out;
  for (const Piece& piece : pieces) {
    out.text += piece.text;
    out.width.least = std::min(out.width.least + piece.width.least, kUnbounded);
    out.width.most = std::min(out.width.most + piece.width.most, kUnbounded);
  }
  return out;
}

/// White space and comments of a verbose pattern.
bool Translator::skip_verbose() {
  if (is_pattern_space(in_.peek())) {
    in_.next();
    return true;
  }
  if (in_.peek() != '#') return false;
  while (!in_.at_end() && in_.next() != '\n') continue;
  return true;
}

base::Status Translator::item(RegexFlags flags, Pieces& pieces) {
  const char32_t c = in_.next();
  switch (c) {
    case '*':
    case '+':
    case '?':
    case '{':
      return quantifier(c, flags, pieces);
    case '(':
      return group(flags, pieces);
    case '.':
      pieces.push_back(dot(flags));
      return {};
    case '^':
      pieces.push_back(line_start(flags));
      return {};
    case '$':
      pieces.push_back(line_end(flags));
      return {};
    case '[':
    case '\\': {
      TARE_TRY(Piece piece, c == '[' ? char_class(flags) : escape(flags));
      pieces.push_back(std::move(piece));
      return {};
    }
    default:
      pieces.push_back({literal_text(c, flags.ignore_case && !flags.ascii), {1, 1}});
      return {};
  }
}

}  // namespace tare::text::regex
