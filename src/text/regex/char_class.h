#pragma once

#include <string>
#include <vector>

#include "text/regex/reader.h"

namespace tare::text::regex {

/// One code point as a literal of PCRE2.
void append_literal(std::string& out, char32_t c);

/// The categories \d \s \w (or \D \S \W) with Python's meaning.
bool is_category(char32_t letter);

/// A set of code points, written as PCRE2 reads it, where it matches one code point.
class CharClass {
 public:
  CharClass(bool ignore_case, bool ascii) : ignore_case_(ignore_case), ascii_(ascii) {}

  void add(char32_t first, char32_t last);
  void add_category(char32_t letter);
  [[nodiscard]] std::string text(bool negated) const;

 private:
  void add_case_twins(char32_t first, char32_t last);

  bool ignore_case_, ascii_;
  std::string members_;
  bool not_word_ = false;  ///< \W is among them, which no member of a PCRE2 class can express
};

/// A single code point; with ignore_case all that Python takes for the same.
std::string literal_text(char32_t c, bool ignore_case);
/// \d and the like outside a class.
std::string category_text(char32_t letter, bool ascii);
/// \b, or \B if `negated`.
std::string boundary_text(bool negated, bool ascii);

}  // namespace tare::text::regex
