#include <algorithm>

#include "text/regex/translator.h"

namespace tare::text::regex {
namespace {

std::string group_error(std::string_view what, const std::u32string& name) {
  return fmt::format("{} '{}'", what, base::unicode::to_utf8(name));
}

}  // namespace

bool set_flag(RegexFlags& flags, char32_t letter, bool on) {
  switch (letter) {
    case 'a':
      flags.ascii = on;
      return true;
    case 'u':
      flags.ascii = !on;
      return true;
    case 'i':
      flags.ignore_case = on;
      return true;
    case 'm':
      flags.multi_line = on;
      return true;
    case 's':
      flags.dot_all = on;
      return true;
    case 'x':
      flags.verbose = on;
      return true;
    default:
      return false;
  }
}

/// What stands after an opening parenthesis, up to and with the closing one.
base::Status Translator::group(RegexFlags flags, Pieces& pieces) {
  const auto add = [&](base::Result<Piece> piece) -> base::Status {
    TARE_TRY(Piece made, std::move(piece));
    pieces.push_back(std::move(made));
    return {};
  };
  if (!in_.take('?')) return add(capture(flags, {}));
  if (in_.take('#')) return comment();
  if (in_.take('P')) return add(named(flags));
  if (in_.take(':')) return add(plain("(?:", flags));
  if (in_.take('>')) return add(plain("(?>", flags));
  if (in_.take('=')) return add(look_ahead("(?=", flags));
  if (in_.take('!')) return add(look_ahead("(?!", flags));
  if (in_.take('<')) return add(look_behind(flags));
  if (in_.take('(')) return add(conditional(flags));
  return add(scoped_flags(flags));
}

base::Status Translator::close_group() {
  if (in_.take(')')) return {};
  return in_.error("missing ), unterminated subpattern");
}

base::Status Translator::comment() {
  while (!in_.at_end())
    if (in_.next() == ')') return {};
  return in_.error("missing ), unterminated comment");
}

base::Result<Piece> Translator::plain(std::string_view opening, RegexFlags flags) {
  TARE_TRY(Piece piece, alternatives(flags));
  TARE_CHECK(close_group());
  piece.text = fmt::format("{}{})", opening, piece.text);
  return piece;
}

base::Result<Piece> Translator::look_ahead(std::string_view opening, RegexFlags flags) {
  TARE_TRY(Piece piece, plain(opening, flags));
  piece.width = {};
  return piece;
}

base::Result<Piece> Translator::look_behind(RegexFlags flags) {
  const std::size_t start = in_.position();
  const bool negative = in_.take('!');
  if (!negative && !in_.take('=')) return in_.error("unknown extension ?<");
  const std::size_t outer = behind_groups_;
  behind_groups_ = std::min(outer, groups_.size());
  TARE_TRY(Piece piece, plain(negative ? "(?<!" : "(?<=", flags));
  behind_groups_ = outer;
  if (piece.width.least != piece.width.most)
    return in_.error_at(start, "look-behind requires fixed-width pattern");
  piece.width = {};
  return piece;
}

base::Result<Piece> Translator::capture(RegexFlags flags, const std::u32string& name) {
  groups_.emplace_back();
  const std::size_t number = groups_.size();
  if (!name.empty() && !names_.emplace(name, number).second)
    return in_.error(group_error("redefinition of group name", name));
  TARE_TRY(Piece piece, plain("(", flags));
  groups_[number - 1] = piece.width;
  return piece;
}

/// (?P<name>...) and (?P=name).
base::Result<Piece> Translator::named(RegexFlags flags) {
  const std::size_t start = in_.position();
  const bool reading = in_.take('=');
  if (!reading && !in_.take('<')) return in_.error("unknown extension ?P");
  TARE_TRY(const std::u32string name, in_.name_until(reading ? ')' : '>'));
  if (!is_identifier(name))
    return in_.error_at(start, group_error("bad character in group name", name));
  if (!reading) return capture(flags, name);
  TARE_TRY(const std::size_t number, group_named(name, start));
  return reference(number, start);
}

base::Result<std::size_t> Translator::group_named(const std::u32string& name,
                                                  std::size_t position) {
  const auto found = names_.find(name);
  if (found == names_.end()) return in_.error_at(position, group_error("unknown group name", name));
  return found->second;
}

base::Result<Piece> Translator::reference(std::size_t group, std::size_t position) {
  if (group > groups_.size())
    return in_.error_at(position, fmt::format("invalid group reference {}", group));
  const Group& width = groups_[group - 1];
  if (!width) return in_.error_at(position, "cannot refer to an open group");
  if (group > behind_groups_)
    return in_.error_at(position,
                        "cannot refer to group defined in the same lookbehind subpattern");
  return Piece{fmt::format("\\g{{{}}}", group), *width};
}

/// (?(1)yes|no) or (?(name)yes|no).
base::Result<Piece> Translator::conditional(RegexFlags flags) {
  TARE_TRY(const std::size_t number, condition());
  TARE_TRY(Piece yes, sequence(flags));
  Piece no;
  std::string text = fmt::format("(?({}){}", number, yes.text);
  if (in_.take('|')) {
    TARE_TRY(no, sequence(flags));
    text += '|' + no.text;
    if (in_.peek() == '|') return in_.error("conditional backref with more than two branches");
  }
  TARE_CHECK(close_group());
  return Piece{
      text + ')',
      {std::min(yes.width.least, no.width.least), std::max(yes.width.most, no.width.most)}};
}

base::Result<std::size_t> Translator::condition() {
  const std::size_t start = in_.position();
  TARE_TRY(const std::u32string name, in_.name_until(')'));
  std::size_t number = 0;
  if (is_identifier(name)) {
    TARE_TRY(number, group_named(name, start));
  } else {
    for (const char32_t c : name) {
      if (!is_digit(c) || number > 999)
        return in_.error_at(start, group_error("bad character in group name", name));
      number = number * 10 + (c - '0');
    }
    if (number == 0) return in_.error_at(start, "bad group number");
  }
  highest_condition_ = std::max(highest_condition_, number);
  if (number > behind_groups_)
    return in_.error_at(start, "cannot refer to group defined in the same lookbehind subpattern");
  return number;
}

/// (?is-m:...).
base::Result<Piece> Translator::scoped_flags(RegexFlags flags) {
  const std::size_t start = in_.position() - 1;
  RegexFlags inner = flags;
  while (set_flag(inner, in_.peek(), true)) in_.next();
  if (in_.peek() == ')' && in_.position() > start + 1)
    return in_.error_at(start, "global flags not at the start of the expression");
  if (in_.take('-')) {
    if (in_.peek() == ':') return in_.error("missing flag");
    while (in_.peek() != 'a' && in_.peek() != 'u' && set_flag(inner, in_.peek(), false)) in_.next();
  }
  if (!in_.take(':')) return in_.error("unknown extension or flag");
  return plain(inner.ignore_case ? "(?i:" : "(?-i:", inner);
}

}  // namespace tare::text::regex
