#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// Regular expressions as Python's `re` module (3.11) reads them, on code points of UTF-8 text.
namespace tare::text {

/// The flags that Python takes beside the pattern; a pattern may set its own: (?i), (?s:...).
struct RegexFlags {
  bool ignore_case = false;
  bool multi_line = false;
  bool dot_all = false;
  bool verbose = false;
  bool ascii = false;
};

/// One match. Offsets are bytes.
struct RegexMatch {
  std::size_t begin = 0, end = 0;
  /// The whole match, then the groups; nothing for a group that took no part.
  std::vector<std::optional<std::string>> groups;
};

/// A compiled pattern, cheap to copy. Bytes of a text that are no UTF-8 count as U+FFFD each.
/// Matching has a bound on steps and on memory: an expression that exceeds it is an error, never a
/// program that hangs. docs/design/regex.md lists where the outcome differs from CPython's.
class Regex {
 public:
  /// Errors say what Python would refuse, and at which code point.
  static base::Result<Regex> compile(std::string_view pattern, RegexFlags flags = {});

  /// How many groups the pattern has, without the whole match.
  [[nodiscard]] std::size_t group_count() const;

  /// The first match anywhere: re.search.
  [[nodiscard]] base::Result<std::optional<RegexMatch>> search(std::string_view text) const;
  /// A match of the beginning: re.match.
  [[nodiscard]] base::Result<std::optional<RegexMatch>> match(std::string_view text) const;
  /// A match of the whole text: re.fullmatch.
  [[nodiscard]] base::Result<std::optional<RegexMatch>> full_match(std::string_view text) const;
  /// All matches that do not overlap, from the left: re.finditer.
  [[nodiscard]] base::Result<std::vector<RegexMatch>> find_all(std::string_view text) const;
  /// re.sub with a template (\1, \g<name>); at most `most` matches, 0: all.
  [[nodiscard]] base::Result<std::string> sub(std::string_view text, std::string_view replacement,
                                              std::size_t most = 0) const;
  /// re.split: the pieces, with the groups of each separator between them.
  [[nodiscard]] base::Result<std::vector<std::optional<std::string>>> split(
      std::string_view text, std::size_t most = 0) const;

 private:
  struct Program;
  explicit Regex(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

/// re.escape: the text as a pattern that matches just it.
std::string regex_escape(std::string_view text);

}  // namespace tare::text
