#include <algorithm>

#include "text/regex/translator.h"

namespace tare::text::regex {
namespace {

constexpr std::uint64_t kUnbounded = std::uint64_t{1} << 32;
/// PCRE2 counts no further.
constexpr std::uint64_t kMostRepeats = 65535;

struct Repeat {
  std::uint64_t least = 0, most = kUnbounded;
};

std::uint64_t number(const std::u32string& digits) {
  std::uint64_t value = 0;
  for (const char32_t digit : digits) value = std::min(value * 10 + (digit - '0'), kUnbounded);
  return value;
}

/// {m}, {m,n}, {,n}, {m,} after the brace; nothing if it is no repeat, and then nothing is
/// consumed.
std::optional<Repeat> braces(Reader& in) {
  const std::size_t start = in.position();
  Repeat repeat;
  const std::u32string least = in.digits();
  std::u32string most = least;
  const bool comma = in.take(',');
  if (comma) most = in.digits();
  if ((least.empty() && !comma) || !in.take('}')) {
    in.back_to(start);
    return std::nullopt;
  }
  if (!least.empty()) repeat.least = number(least);
  if (!most.empty()) repeat.most = number(most);
  return repeat;
}

std::optional<Repeat> read_repeat(char32_t first, Reader& in) {
  if (first == '*') return Repeat{};
  if (first == '+') return Repeat{1, kUnbounded};
  if (first == '?') return Repeat{0, 1};
  return braces(in);
}

std::string repeat_text(const Repeat& repeat) {
  if (repeat.most < kUnbounded) return fmt::format("{{{},{}}}", repeat.least, repeat.most);
  if (repeat.least == 0) return "*";
  return repeat.least == 1 ? "+" : fmt::format("{{{},}}", repeat.least);
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  if (a == 0 || b == 0) return 0;
  return a >= kUnbounded / b ? kUnbounded : a * b;
}

}  // namespace

base::Status Translator::quantifier(char32_t first, RegexFlags flags, Pieces& pieces) {
  const std::size_t start = in_.position() - 1;
  const auto repeat = read_repeat(first, in_);
  if (!repeat) {
    pieces.push_back({literal_text(first, flags.ignore_case), {1, 1}});
    return {};
  }
  if (repeat->least > repeat->most)
    return in_.error_at(start, "min repeat greater than max repeat");
  if (repeat->least > kMostRepeats || (repeat->most > kMostRepeats && repeat->most < kUnbounded))
    return in_.error_at(start, fmt::format("more than {} repeats", kMostRepeats));
  if (pieces.empty() || pieces.back().kind == Piece::Kind::anchor)
    return in_.error_at(start, "nothing to repeat");
  Piece& piece = pieces.back();
  if (piece.kind == Piece::Kind::repeat) return in_.error_at(start, "multiple repeat");
  piece.kind = Piece::Kind::repeat;
  piece.width = {times(piece.width.least, repeat->least), times(piece.width.most, repeat->most)};
  piece.text += repeat_text(*repeat);
  if (in_.take('?'))
    piece.text += '?';
  else if (in_.take('+'))
    piece.text += '+';
  return {};
}

}  // namespace tare::text::regex
