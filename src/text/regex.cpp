#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/regex.h"

#include <fmt/format.h>
#include <pcre2.h>

#include <array>

#include "base/python.h"
#include "base/unicode.h"
#include "text/regex/replacement.h"
#include "text/regex/translate.h"

namespace tare::text {
namespace {

// A match of one text gives up after these: a second, and a quarter of a gigabyte.
constexpr std::uint32_t kMaxSteps = 10'000'000;
constexpr std::uint32_t kMaxMemoryKiB = 256 * 1024;

template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    Free(pointer);
  }
};
using Code = std::unique_ptr<pcre2_code, Freed<pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>>;

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(code, buffer.data(), buffer.size());
  return reinterpret_cast<const char*>(buffer.data());
}

PCRE2_SPTR bytes_of(std::string_view text) {
  return reinterpret_cast<PCRE2_SPTR>(text.empty() ? "" : text.data());
}

base::Failure bad_pattern(std::string_view pattern, const std::string& what) {
  return base::input_error(
      fmt::format("regular expression {}: {}", base::python::repr(pattern), what));
}

/// A text of which every byte is UTF-8.
class Subject {
 public:
  explicit Subject(std::string_view text) : text_(text) {
    if (base::unicode::valid(text)) return;
    repaired_ = base::unicode::to_utf8(base::unicode::to_utf32(text));
    text_ = repaired_;
  }
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  [[nodiscard]] std::string_view text() const { return text_; }

 private:
  std::string repaired_;
  std::string_view text_;
};

RegexMatch read_match(pcre2_match_data* data, std::size_t groups, std::string_view text) {
  const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data);
  RegexMatch match{offsets[0], offsets[1], {}};
  for (std::size_t i = 0; i <= groups; ++i) {
    const PCRE2_SIZE begin = offsets[2 * i], end = offsets[2 * i + 1];
    if (begin == PCRE2_UNSET)
      match.groups.emplace_back();
    else
      match.groups.emplace_back(text.substr(begin, end - begin));
  }
  return match;
}

std::string filled(const regex::Replacement& replacement, const RegexMatch& match) {
  std::string out;
  for (const auto& part : replacement) {
    if (const auto* literal = std::get_if<std::string>(&part))
      out += *literal;
    else
      out += match.groups[std::get<std::size_t>(part)].value_or("");
  }
  return out;
}

}  // namespace

struct Regex::Program {
  std::string source;
  regex::Translated translated;
  Code code;
  MatchContext context;

  /// The first match from `start` on.
  [[nodiscard]] base::Result<std::optional<RegexMatch>> run(std::string_view text,
                                                            std::size_t start,
                                                            std::uint32_t options) const;
  /// Calls use(match) for each match until it returns false. After an empty match the next one must
  /// not be empty at the same place, as in CPython since 3.7.
  template <class Use>
  base::Status each(std::string_view text, Use use) const;
};

base::Result<std::optional<RegexMatch>> Regex::Program::run(std::string_view text,
                                                            std::size_t start,
                                                            std::uint32_t options) const {
  const MatchData data(pcre2_match_data_create_from_pattern(code.get(), nullptr));
  const int found = pcre2_match(code.get(), bytes_of(text), text.size(), start,
                                options | PCRE2_NO_UTF_CHECK, data.get(), context.get());
  if (found == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_HEAPLIMIT ||
      found == PCRE2_ERROR_DEPTHLIMIT)
    return base::work_failed(fmt::format(
        "regular expression {} on a text of {} bytes: gave up after {} million steps or {} MiB; "
        "write it without nested repeats",
        base::python::repr(source), text.size(), kMaxSteps / 1'000'000, kMaxMemoryKiB / 1024));
  if (found < 0)
    return base::work_failed(
        fmt::format("regular expression {}: {}", base::python::repr(source), message_of(found)));
  return read_match(data.get(), translated.groups, text);
}

template <class Use>
base::Status Regex::Program::each(std::string_view text, Use use) const {
  std::uint32_t options = 0;
  for (std::size_t start = 0; start <= text.size();) {
    TARE_TRY(const auto match, run(text, start, options));
    if (!match || !use(*match)) return {};
    start = match->end;
    options = match->begin == match->end ? PCRE2_NOTEMPTY_ATSTART : 0;
  }
  return {};
}

base::Result<Regex> Regex::compile(std::string_view pattern, RegexFlags flags) {
  auto translated = regex::translate(pattern, flags);
  if (!translated) return bad_pattern(pattern, translated.error().text);
  const CompileContext options(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(options.get(), PCRE2_NEWLINE_LF);
  int error = 0;
  PCRE2_SIZE offset = 0;
  Code code(pcre2_compile(bytes_of(translated->pattern), translated->pattern.size(),
                          PCRE2_UTF | PCRE2_NO_UTF_CHECK, &error, &offset, options.get()));
  if (!code) return bad_pattern(pattern, message_of(error));
  MatchContext context(pcre2_match_context_create(nullptr));
  pcre2_set_match_limit(context.get(), kMaxSteps);
  pcre2_set_heap_limit(context.get(), kMaxMemoryKiB);
  return Regex(std::make_shared<const Program>(
      Program{std::string(pattern), std::move(*translated), std::move(code), std::move(context)}));
}

std::size_t Regex::group_count() const {
  return program_->translated.groups;
}

base::Result<std::optional<RegexMatch>> Regex::search(std::string_view text) const {
  return program_->run(Subject(text).text(), 0, 0);
}

base::Result<std::optional<RegexMatch>> Regex::match(std::string_view text) const {
  return program_->run(Subject(text).text(), 0, PCRE2_ANCHORED);
}

base::Result<std::optional<RegexMatch>> Regex::full_match(std::string_view text) const {
  return program_->run(Subject(text).text(), 0, PCRE2_ANCHORED | PCRE2_ENDANCHORED);
}

base::Result<std::vector<RegexMatch>> Regex::find_all(std::string_view text) const {
  const Subject subject(text);
  std::vector<RegexMatch> matches;
  TARE_CHECK(program_->each(subject.text(), [&](const RegexMatch& match) {
    matches.push_back(match);
    return true;
  }));
  return matches;
}

base::Result<std::string> Regex::sub(std::string_view text, std::string_view replacement,
                                     std::size_t most) const {
  const auto parts = regex::parse_replacement(replacement, program_->translated);
  if (!parts)
    return base::input_error(
        fmt::format("replacement {}: {}", base::python::repr(replacement), parts.error().text));
  const Subject subject(text);
  std::string out;
  std::size_t done = 0, count = 0;
  TARE_CHECK(program_->each(subject.text(), [&](const RegexMatch& match) {
    out += subject.text().substr(done, match.begin - done);
    out += filled(*parts, match);
    done = match.end;
    return ++count != most;
  }));
  return out += subject.text().substr(done);
}

base::Result<std::vector<std::optional<std::string>>> Regex::split(std::string_view text,
                                                                   std::size_t most) const {
  const Subject subject(text);
  std::vector<std::optional<std::string>> pieces;
  std::size_t done = 0, count = 0;
  TARE_CHECK(program_->each(subject.text(), [&](const RegexMatch& match) {
    pieces.emplace_back(subject.text().substr(done, match.begin - done));
    pieces.insert(pieces.end(), match.groups.begin() + 1, match.groups.end());
    done = match.end;
    return ++count != most;
  }));
  pieces.emplace_back(subject.text().substr(done));
  return pieces;
}

std::string regex_escape(std::string_view text) {
  static constexpr std::string_view kSpecial = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f";
  std::string out;
  for (const char c : text) {
    if (kSpecial.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace tare::text
