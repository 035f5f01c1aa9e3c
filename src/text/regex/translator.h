#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/regex/char_class.h"
#include "text/regex/reader.h"
#include "text/regex/translate.h"

namespace tare::text::regex {

/// How many code points something matches, at least and at most.
struct Width {
  std::uint64_t least = 0, most = 0;
  friend bool operator==(const Width&, const Width&) = default;
};

/// A part of a pattern, translated.
struct Piece {
  enum class Kind { item, anchor, repeat };
  std::string text;  ///< one atom of PCRE2, or with its quantifier
  Width width;
  Kind kind = Kind::item;
};

/// A recursive descent over the pattern, production for production as Lib/re/_parser.py.
class Translator {
 public:
  Translator(std::string_view pattern, RegexFlags flags) : in_(pattern), flags_(flags) {}
  base::Result<Translated> run();

 private:
  using Pieces = std::vector<Piece>;
  /// A group that is still open has no width yet.
  using Group = std::optional<Width>;

  base::Status leading_flags();
  base::Result<Piece> alternatives(RegexFlags flags);
  base::Result<Piece> sequence(RegexFlags flags);
  base::Status item(RegexFlags flags, Pieces& pieces);
  bool skip_verbose();

  // translate_atom.cpp
  base::Result<Piece> escape(RegexFlags flags);
  base::Result<Piece> numeric_escape(RegexFlags flags, char32_t first);
  base::Result<Piece> char_class(RegexFlags flags);
  base::Status class_member(RegexFlags flags, CharClass& set);
  /// A code point, or nothing after a category, which is then in `set`.
  base::Result<std::optional<char32_t>> class_atom(CharClass& set);
  base::Result<char32_t> class_escape(char32_t letter);
  base::Result<char32_t> code_escape(char32_t letter);

  // translate_repeat.cpp
  base::Status quantifier(char32_t first, RegexFlags flags, Pieces& pieces);

  // translate_group.cpp
  base::Status group(RegexFlags flags, Pieces& pieces);
  base::Result<Piece> capture(RegexFlags flags, const std::u32string& name);
  base::Result<Piece> named(RegexFlags flags);
  base::Result<Piece> plain(std::string_view opening, RegexFlags flags);
  base::Result<Piece> look_ahead(std::string_view opening, RegexFlags flags);
  base::Result<Piece> look_behind(RegexFlags flags);
  base::Result<Piece> conditional(RegexFlags flags);
  base::Result<std::size_t> condition();
  base::Result<Piece> scoped_flags(RegexFlags flags);
  base::Result<Piece> reference(std::size_t group, std::size_t position);
  base::Status comment();
  base::Result<std::size_t> group_named(const std::u32string& name, std::size_t position);
  base::Status close_group();

  Reader in_;
  RegexFlags flags_;           ///< of the whole pattern
  std::vector<Group> groups_;  ///< group 1 first
  std::map<std::u32string, std::size_t> names_;
  std::size_t highest_condition_ = 0;
  std::size_t behind_groups_ = SIZE_MAX;  ///< groups at the start of the outermost look-behind
  int depth_ = 0;
};

/// Sets the flag of a letter of (?aimsux); false for another letter. u is the default.
bool set_flag(RegexFlags& flags, char32_t letter, bool on);

}  // namespace tare::text::regex
