#include "task/glob.h"

#include <optional>
#include <string>

#include "base/unicode.h"

namespace tare::task {
namespace {

using Text = std::u32string_view;

/// A [seq] at the front of `pattern`.
struct Set {
  bool holds = false;    ///< whether the code point is in it
  std::size_t size = 0;  ///< of the whole, brackets included
};

bool in_ranges(Text members, char32_t c) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool range = i + 2 < members.size() && members[i + 1] == U'-';
    if (range ? members[i] <= c && c <= members[i + 2] : members[i] == c) return true;
    if (range) i += 2;
  }
  return false;
}

std::optional<Set> read_set(Text pattern, char32_t c) {
  const bool negated = pattern.size() > 1 && pattern[1] == U'!';
  const std::size_t first = negated ? 2 : 1;
  const std::size_t close = pattern.find(U']', first + 1);  // a ] right after [ is a member
  if (close == Text::npos) return std::nullopt;
  return Set{in_ranges(pattern.substr(first, close - first), c) != negated, close + 1};
}

/// How much of `pattern` the code point uses up; 0: no match.
std::size_t match_one(Text pattern, char32_t c) {
  if (pattern.front() == U'?') return 1;
  if (pattern.front() == U'[')
    if (const auto set = read_set(pattern, c)) return set->holds ? set->size : 0;
  return pattern.front() == c ? 1 : 0;
}

/// Greedy with one point to come back to: linear in memory, never exponential.
bool match(Text pattern, Text name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == U'*') {
      star = {++p, n};
    } else if (const std::size_t used =
                   p < pattern.size() ? match_one(pattern.substr(p), name[n]) : 0) {
      p += used;
      ++n;
    } else if (star) {
      p = star->first;
      n = ++star->second;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of(U'*', p) == Text::npos;
}

}  // namespace

bool has_glob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

bool matches(std::string_view pattern, std::string_view name) {
  return match(base::unicode::to_utf32(pattern), base::unicode::to_utf32(name));
}

}  // namespace tare::task
