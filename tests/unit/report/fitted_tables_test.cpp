#include "report/fitted_tables.h"

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace {

using tare::report::aligned_rows;
using tare::report::display_width;
using tare::report::fit_tables;
using tare::report::fit_text;
using tare::report::shortened;
using tare::report::shortened_inside;

constexpr std::string_view kTable =
    "scored by tare, a line of prose that is longer than any table\n"
    "|        Tasks         |Filter|Value |\n"
    "|----------------------|------|-----:|\n"
    "|a_group_of_many_tasks |none  |0.7500|\n"
    "| - a_task_of_the_group|none  |0.2500|\n"
    "\n"
    "the end";

}  // namespace

TEST_CASE("places that a text takes") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("ä…") == 2);
  CHECK(display_width("日本") == 4);
  CHECK(display_width("e\u0301") == 1);
}

TEST_CASE("a text that is too wide loses its end") {
  CHECK(shortened("abcdef", 6) == "abcdef");
  CHECK(shortened("abcdef", 4) == "abc…");
  CHECK(shortened("日本語", 4) == "日…");
  CHECK(shortened("abc", 1) == "…");
}

TEST_CASE("a name that is too wide loses its middle") {
  CHECK(shortened_inside("abcdef", 6) == "abcdef");
  CHECK(shortened_inside("abcdefgh", 6) == "ab…fgh");
  CHECK(shortened_inside("日本語日本語", 6) == "日…語");
  CHECK(shortened_inside("abc", 1) == "…");
}

TEST_CASE("a table that fits stays as it is") {
  CHECK(fit_tables(kTable, 100) == kTable);
  CHECK(fit_tables("", 10).empty());
}

TEST_CASE("the widest texts give way, numbers and prose do not") {
  CHECK(fit_tables(kTable, 30) ==
        "scored by tare, a line of prose that is longer than any table\n"
        "|Tasks         |Filter| Value|\n"
        "|--------------|------|-----:|\n"
        "|a_group_of_ma…|none  |0.7500|\n"
        "| - a_task_of_…|none  |0.2500|\n"
        "\n"
        "the end");
}

TEST_CASE("a table narrower than its numbers keeps them") {
  CHECK(fit_tables("|name of it|  Value|\n|----------|------:|\n|abcdefghij|12.3456|\n", 5) ==
        "|name …|  Value|\n|------|------:|\n|abcde…|12.3456|\n");
}

TEST_CASE("spare columns are left out where nothing else helps, and named") {
  constexpr std::string_view kWide =
      "|Task|Version|Filter|Value |\n|----|------:|------|-----:|\n|abcd|      1|none  |0.7500|\n";
  constexpr std::array<std::string_view, 3> kSpare{"Version", "no such column", "Filter"};
  CHECK(fit_tables(kWide, 28, kSpare) == kWide);
  CHECK(fit_tables(kWide, 27, kSpare) ==
        "|Task|Versi…|Filter| Value|\n|----|-----:|------|-----:|\n|abcd|     1|none  |0.7500|\n");
  CHECK(fit_tables(kWide, 26, kSpare) ==
        "|Task|Filter| Value|\n|----|------|-----:|\n|abcd|none  |0.7500|\n"
        "(left out for the width of\n 26: Version)\n");
  CHECK(fit_tables(kWide, 13, kSpare).starts_with("|Task| Value|\n"));
}

TEST_CASE("prose is folded at blanks, further in than it began") {
  CHECK(fit_text(kTable, 30)
            .starts_with(
                "scored by tare, a line of\n  prose that is longer than\n  any table\n|Tasks"));
  CHECK(fit_text("  a list of words\n\nshort\n", 12) == "  a list of\n    words\n\nshort\n");
  CHECK(fit_text("nowhere/to/break", 5) == "nowhere/to/break");
  CHECK(fit_text("", 5).empty());
}

TEST_CASE("an escaped bar is part of its cell") {
  CHECK(fit_tables("| a \\| b, and more |\n|---|\n", 12) == "|a \\| b, a…|\n|----------|\n");
}

TEST_CASE("rows stand in columns") {
  CHECK(aligned_rows({{"a", "b"}, {"long", "", "x"}}, 80) == "a     b\nlong     x\n");
  CHECK(aligned_rows({{"name", "a text that goes on"}}, 16) == "name  a text th…\n");
}
