#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "shims/library.h"
#include "text/jinja/operators.h"
#include "textscore/words.h"

/// The modules word2number.w2n and unicodedata.
namespace tare::shims {
namespace {

using text::jinja::fail;
using text::jinja::unsupported;
using text::jinja::value_error;

using Words = std::span<const std::string_view>;

constexpr std::string_view kThousand = "thousand", kMillion = "million", kBillion = "billion",
                           kPoint = "point";

struct NumberWord {
  std::string_view word;
  std::int64_t value;
};
constexpr std::array<NumberWord, 32> kNumberWords = {{
    {"zero", 0},      {"one", 1},        {"two", 2},          {"three", 3},
    {"four", 4},      {"five", 5},       {"six", 6},          {"seven", 7},
    {"eight", 8},     {"nine", 9},       {"ten", 10},         {"eleven", 11},
    {"twelve", 12},   {"thirteen", 13},  {"fourteen", 14},    {"fifteen", 15},
    {"sixteen", 16},  {"seventeen", 17}, {"eighteen", 18},    {"nineteen", 19},
    {"twenty", 20},   {"thirty", 30},    {"forty", 40},       {"fifty", 50},
    {"sixty", 60},    {"seventy", 70},   {"eighty", 80},      {"ninety", 90},
    {"hundred", 100}, {kThousand, 1000}, {kMillion, 1000000}, {kBillion, 1000000000},
}};

std::optional<std::int64_t> value_of(std::string_view word) {
  const auto it = std::ranges::find(kNumberWords, word, &NumberWord::word);
  return it != kNumberWords.end() ? std::optional(it->value) : std::nullopt;
}

/// The value of words below a thousand: [hundreds, "hundred", tens, ones], or fewer.
std::int64_t small_number(Words words) {
  std::vector<std::int64_t> n;
  for (const std::string_view word : words) n.push_back(*value_of(word));
  if (n.empty()) fail(FailureKind::index, "list index out of range");
  if (n.size() == 4) return n[0] * n[1] + n[2] + n[3];
  if (n.size() == 3) return n[0] * n[1] + n[2];
  if (n.size() != 2) return n[0];
  return n[0] == 100 || n[1] == 100 ? n[0] * n[1] : n[0] + n[1];
}

struct Places {
  std::optional<std::size_t> thousand, million, billion;
};

std::optional<std::size_t> place_of(Words words, std::string_view word) {
  const auto it = std::ranges::find(words, word);
  if (it == words.end()) return std::nullopt;
  return static_cast<std::size_t>(it - words.begin());
}

void require_order(Words words, const Places& at) {
  for (const std::string_view word : {kThousand, kMillion, kBillion, kPoint})
    if (std::ranges::count(words, word) > 1) value_error("Redundant number word!");
  const bool wrong = (at.thousand && (at.thousand < at.million || at.thousand < at.billion)) ||
                     (at.million && at.million < at.billion);
  if (wrong) value_error("Malformed number!");
}

std::int64_t whole_number(Words words, const Places& at) {
  if (words.empty()) return 0;
  if (words.size() == 1) return *value_of(words[0]);
  std::int64_t total = 0;
  std::size_t begin = 0;
  const auto add = [&](const std::optional<std::size_t>& place, std::int64_t factor) {
    if (!place) return;
    total += small_number(words.subspan(begin, *place - begin)) * factor;
    begin = *place + 1;
  };
  add(at.billion, 1'000'000'000);
  add(at.million, 1'000'000);
  add(at.thousand, 1000);
  return begin < words.size() ? total + small_number(words.subspan(begin)) : total;
}

/// The digits behind "point"; nothing when a word is no digit.
std::optional<double> fraction(Words words) {
  std::string digits = "0.";
  for (const std::string_view word : words) {
    const auto value = value_of(word);
    if (!value || *value > 9) return std::nullopt;
    digits += std::to_string(*value);
  }
  return std::strtod(digits.c_str(), nullptr);
}

/// w2n.word_to_num (word2number 1.1).
Value word_to_num(Interpreter&, Arguments& a) {
  std::string text = base::unicode::lower(text_argument(a, 0));
  std::ranges::replace(text, '-', ' ');
  if (std::ranges::any_of(text, [](char c) { return c >= '0' && c <= '9'; }))
    unsupported("word_to_num() of digits is not built in");
  std::vector<std::string_view> found;
  for (const std::string_view word : textscore::split_words(text))
    if (word == kPoint || value_of(word)) found.push_back(word);
  if (found.empty()) value_error("No valid number words found!");
  const auto point = place_of(found, kPoint);
  const Words words = Words(found).first(point.value_or(found.size()));
  const Places at{place_of(words, kThousand), place_of(words, kMillion), place_of(words, kBillion)};
  require_order(found, at);
  const std::int64_t total = whole_number(words, at);
  if (!point || *point + 1 == found.size()) return total;
  const auto decimals = fraction(Words(found).subspan(*point + 1));
  return decimals ? Value(static_cast<double>(total) + *decimals) : Value(total);
}

/// A general category of which the first letter alone is known.
struct Category final : PyObject {
  explicit Category(char k) : kind(k) {}
  [[nodiscard]] std::string_view python_type() const override { return "str"; }
  Value attribute(Interpreter& python, std::string_view name) override {
    if (name != "startswith") return {};
    return python.native("startswith", [this](Interpreter&, Arguments& a) -> Value {
      const std::string prefix = text_argument(a, 0);
      if (prefix != "P" && prefix != "N" && prefix != "S")
        unsupported("unicodedata: this category is not built in");
      return prefix[0] == kind;
    });
  }
  char kind;
};

Value category(Interpreter& python, Arguments& a) {
  const auto code = base::unicode::to_utf32(text_argument(a, 0));
  if (code.size() != 1) text::jinja::type_error("category() argument must be a character");
  const char kind = base::unicode::is_punctuation(code[0]) ? 'P'
                    : base::unicode::is_number(code[0])    ? 'N'
                    : base::unicode::is_symbol(code[0])    ? 'S'
                                                           : '?';
  return python.heap().make<Category>(kind);
}

}  // namespace

Module* make_word2number(Interpreter& python) {
  auto* module = python.heap().make<Module>("word2number");
  auto* words = python.heap().make<Module>("word2number.w2n");
  define(python, *words, "word_to_num", word_to_num);
  module->members["w2n"] = words;
  return module;
}

Module* make_unicodedata(Interpreter& python) {
  auto* module = python.heap().make<Module>("unicodedata");
  define(python, *module, "category", category);
  return module;
}

Module* make_sys(Interpreter& python) {
  auto* module = python.heap().make<Module>("sys");
  module->members["maxunicode"] = std::int64_t{0x10FFFF};
  return module;
}

}  // namespace tare::shims
