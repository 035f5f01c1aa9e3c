#include "report/foreign_text.h"

#include <doctest/doctest.h>

namespace tare::report {

TEST_CASE("nothing in a text of others is hidden, and it stays UTF-8") {
  CHECK(visible("a\tb\r\nc\n") == "a\tb\nc\n");
  CHECK(visible("\x1b[31m") == "⟨U+001B⟩[31m");
  CHECK(visible("user\u202Etxt.exe\u202C") == "user⟨U+202E⟩txt.exe⟨U+202C⟩");
  CHECK(visible("\u2066x\u2069\u2069") == "⟨U+2066⟩x⟨U+2069⟩⟨U+2069⟩");
  CHECK(visible("a\xff z") == "a\uFFFD z");
  CHECK(visible(std::string_view("a\0b", 3)) == "a⟨U+0000⟩b");
  CHECK(visible("שלום 👩‍🔬") == "שלום 👩‍🔬");
}

TEST_CASE("a line has no more characters than it may, from its beginning or its end") {
  CHECK(one_line("  a\n\n b  ", 3) == "a b");
  CHECK(one_line("äöüß", 2) == "äö…");
  CHECK(one_line_end("Question?\nAnswer:", 7) == "…Answer:");
  CHECK(one_line("", 5).empty());
  CHECK(one_line(std::string(1000, ' ') + "x", 5) == "x");
}

TEST_CASE("a text is no HTML, and its direction stays inside") {
  CHECK(html_phrase("</bdi><script>x", 60) == "<bdi>&lt;/bdi&gt;&lt;script&gt;x</bdi>");
  CHECK(html_block("<b>\n\"", 100) == "<pre dir=\"auto\">&lt;b&gt;\n&quot;</pre>");
}

TEST_CASE("a long text is folded, and what is left out is counted") {
  const std::string folded = html_block(std::string(1 << 20, 'x'), 20'000);
  CHECK(folded.starts_with("<details><summary><bdi>"));
  CHECK(folded.find("20000 of 1048576 characters are shown.") != std::string::npos);
  CHECK(folded.size() < 22'000);
  CHECK(html_block(std::string(9, '\n'), 100).starts_with("<details>"));
}

}  // namespace tare::report
