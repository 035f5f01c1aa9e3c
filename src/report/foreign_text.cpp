#include "report/foreign_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "report/table.h"

namespace tare::report {
namespace {

namespace unicode = base::unicode;

/// A block with more is folded.
constexpr std::size_t kLongBlock = 400, kManyLines = 8;
constexpr std::size_t kSummary = 100;

/// Controls, marks and overrides of direction, and what no text may hold. Joiners stay: scripts and
/// emoji need them.
bool is_hidden(char32_t c) {
  const auto within = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  if (c == '\n' || c == '\t') return false;
  return within(0, 0x1F) || within(0x7F, 0x9F) || c == 0xAD || c == 0x61C || c == 0x200B ||
         within(0x200E, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) ||
         c == 0xFEFF || within(0xFFF9, 0xFFFB) || (c & 0xFFFE) == 0xFFFE ||
         within(0xE0000, 0xE007F);
}

std::string joined(std::u32string_view characters) {
  return unicode::to_utf8(characters);
}

/// Runs of white space are one space; none at the ends.
std::u32string in_one_line(std::string_view text) {
  std::u32string line;
  for (const char32_t c : unicode::to_utf32(visible(text))) {
    if (!unicode::is_space(c))
      line += c;
    else if (!line.empty() && line.back() != U' ')
      line += U' ';
  }
  if (!line.empty() && line.back() == U' ') line.pop_back();
  return line;
}

std::string block(std::string_view html) {
  return fmt::format("<pre dir=\"auto\">{}</pre>", html);
}

}  // namespace

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = unicode::decode(text, at);
    if (c == '\r' && at < text.size() && text[at] == '\n') continue;
    if (is_hidden(c))
      out += fmt::format("⟨U+{:04X}⟩", static_cast<unsigned>(c));
    else
      unicode::append(out, c);
  }
  return out;
}

std::string one_line(std::string_view text, std::size_t most) {
  const std::u32string line = in_one_line(text);
  if (line.size() <= most) return joined(line);
  return joined(line.substr(0, most)) + "…";
}

std::string one_line_end(std::string_view text, std::size_t most) {
  const std::u32string line = in_one_line(text);
  if (line.size() <= most) return joined(line);
  return "…" + joined(line.substr(line.size() - most));
}

std::string html_phrase(std::string_view text, std::size_t most) {
  return fmt::format("<bdi>{}</bdi>", html_escaped(one_line(text, most)));
}

std::string html_block(std::string_view text, std::size_t most) {
  const std::u32string all = unicode::to_utf32(visible(text));
  std::string html = html_escaped(joined(std::u32string_view(all).substr(0, most)));
  if (all.size() > most)
    html += fmt::format("</pre>\n<p class=\"note\">{} of {} characters are shown.</p>\n<pre>", most,
                        all.size());
  const auto lines = static_cast<std::size_t>(std::ranges::count(all, U'\n'));
  if (all.size() <= kLongBlock && lines < kManyLines) return block(html);
  return fmt::format("<details><summary>{} ({} characters)</summary>{}</details>",
                     html_phrase(text, kSummary), all.size(), block(html));
}

}  // namespace tare::report
