#include "score/letter_mentions.h"

#include <fmt/format.h>

#include <array>

#include "base/unicode.h"
#include "text/regex.h"

namespace tare::score {
namespace {

using base::Result;
using text::Regex;

/// White space and what writers put around a word: emphasis, quotation marks, code, headings, list
/// points. Repeated without backtracking, and links but so often, so that time grows with length.
constexpr std::string_view kMark = R"([\s*_`"'“”‘’#>~$•-])";
/// What may stand between "answer" and the letter.
constexpr std::string_view kLink =
    R"((?i:\b(?:is|was|would|should|must|be|the|correct|right|best|final|option|choice|letter|answer|therefore|thus|clearly|definitely)\b))";
/// What ends a mention: no letter of a word, of an abbreviation or of a name follows.
constexpr std::string_view kEnd =
    R"((?=[*_`"'“”‘’~$]*(?:\s*$|\s*\n|[)\]}]|[.,;:!?](?=[\s*_"'“”‘’)\]}$]|$)|\s+[-–—(=]|\s+(?i:because|since|as|for|which|where|with)\b)))";
/// No further letter follows, as in "A or B", "A, B and C", "A/B".
constexpr std::string_view kAlone =
    R"((?![\s*_"'“”‘’)\]]*(?:,|/|&|\+|(?i:\b(?:and|or)\b))[\s*_"'“”‘’(\[]*(?:(?i:and|or|option)\s+)?[\s*_"'“”‘’(\[]*[A-Z](?![\w'’])))";

std::string filled(std::string_view pattern) {
  return fmt::format(fmt::runtime(pattern), fmt::arg("mark", kMark), fmt::arg("link", kLink),
                     fmt::arg("end", kEnd), fmt::arg("alone", kAlone));
}

/// Of a fixed pattern: it compiles, as the tests see.
Regex compiled(std::string_view pattern) {
  return Regex::compile(filled(pattern)).value();
}

/// "A" as a word of its own in a sentence is rarely a letter, so each form says what stands around.
struct MentionForm {
  std::string_view pattern;
  /// How far back a "not" speaks of this mention: to the last of these characters.
  std::string_view reach;
};
constexpr std::string_view kClause = ".!?\n;,";
constexpr std::string_view kSentence = ".!?\n;";
constexpr std::array kForms = {
    // the answer is (B)
    MentionForm{R"((?i:\banswer\b)(?:{mark}|[:=(\[]|{link}){{0,40}}?([A-Z]){end}{alone})", kClause},
    // I choose B
    MentionForm{
        R"((?i:\b(?:choose|select|pick|go\s+with)\b)(?:{mark}|[:(\[]|{link}){{0,40}}?([A-Z]){end}{alone})",
        kSentence},
    // Option B, at the beginning of a line
    MentionForm{
        R"((?m:^){mark}*+(?i:\b(?:option|choice|letter)\b){mark}*+(?:[:(\[]{mark}*+)?([A-Z]){end}{alone})",
        kSentence},
    // B is the correct answer; (B) is right
    MentionForm{
        R"((?m:^|[.!?(\[*"“]|(?i:\b(?:option|choice|answer|letter)\b)){mark}*+[(\[]?([A-Z])[)\]]?{mark}*\s(?i:is\s+(?:the\s+)?(?:most\s+)?(?:correct|right|best|accurate|appropriate|answer))\b)",
        kClause},
    // \boxed{B}
    MentionForm{R"(\\boxed\{{\s*(?:\\text(?:bf)?\{{)?\s*[(\[]?([A-Z])[)\]]?\s*\}})", kClause},
};

/// The text before a mention, as far back as a "not" in it speaks of the mention.
std::string_view before(std::string_view text, std::size_t begin, std::string_view reach) {
  const std::string_view all = text.substr(0, begin);
  const std::size_t last = all.find_last_of(reach);
  return last == std::string_view::npos ? all : all.substr(last + 1);
}

Result<bool> denied(std::string_view clause) {
  static const Regex denial = compiled(
      R"((?i:\b(?:not|never|neither|nor|cannot|eliminate|exclude|except|unlike|than|instead|incorrect|wrong|false)\b|n['’]t\b))");
  TARE_TRY(const auto found, denial.search(clause));
  return found.has_value();
}

char capital(const std::string& letter) {
  return base::unicode::upper(letter).front();
}

}  // namespace

Result<char> bare_letter(std::string_view line) {
  static const Regex bare = compiled(
      R"({mark}*+(?:[(\[]{mark}*+)?([A-Za-z]){mark}*+(?:[)\]]{mark}*+)?(?:[.:,;!]{mark}*+)?)");
  TARE_TRY(const auto found, bare.full_match(line));
  return found ? capital(*found->groups[1]) : char(0);
}

Result<LabelledLine> labelled_line(std::string_view line) {
  static const Regex label = compiled(
      R"({mark}*+[(\[]?[*_`]*+([A-Za-z])[*_`]*([)\]]{mark}*\.?|[.:]{mark}*(?=\s|$)|\s+[-–—](?=\s))(.*))");
  static const Regex sentence =
      compiled(R"((?:is|was|are|can|cannot|would|should|could|seems|does)(?:n['’]t|['’]t)?\b)");
  static const Regex more = compiled(R"(\s*(?:,|/|&|\+|(?i:and|or)\b)\s*[(\[]?[A-Z](?![\w'’]))");
  LabelledLine labelled;
  TARE_TRY(const auto found, label.full_match(line));
  if (!found) return labelled;
  labelled.letter = capital(*found->groups[1]);
  labelled.rest = std::string(base::unicode::strip(*found->groups[3]));
  TARE_TRY(const auto predicate, sentence.match(labelled.rest));
  labelled.doubtful = predicate || found->groups[2]->starts_with(':');
  TARE_TRY(const auto list, more.match(labelled.rest));
  labelled.lists_more = list.has_value();
  return labelled;
}

Result<std::vector<char>> mentioned_letters(std::string_view text) {
  static const std::vector<Regex> forms = [] {
    std::vector<Regex> all;
    for (const MentionForm& form : kForms) all.push_back(compiled(form.pattern));
    return all;
  }();
  std::vector<char> letters;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    TARE_TRY(const auto matches, forms[i].find_all(text));
    for (const text::RegexMatch& match : matches) {
      TARE_TRY(const bool no, denied(before(text, match.begin, kForms[i].reach)));
      if (!no) letters.push_back(match.groups[1]->front());
    }
  }
  return letters;
}

Result<std::string> plain_option_text(std::string_view text) {
  static const Regex introduction = compiled(
      R"({mark}*+(?i:(?:the\s+)?(?:correct\s+|right\s+|best\s+|final\s+)?answer\b{mark}*(?:is\b)?){mark}*:?)");
  static constexpr std::string_view kEnds = " *_`\"“”#>~•";
  static const Regex spaces = compiled(R"(\s+)");
  TARE_TRY(const auto begun, introduction.match(text));
  if (begun) text.remove_prefix(begun->end);
  TARE_TRY(const std::string spaced, spaces.sub(text, " "));
  std::string_view plain = base::unicode::strip(spaced, kEnds);
  if (plain.ends_with('.')) plain = base::unicode::strip(plain.substr(0, plain.size() - 1), kEnds);
  return base::unicode::lower(plain);
}

}  // namespace tare::score
