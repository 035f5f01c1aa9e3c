#include "report/text_table.h"

#include <doctest/doctest.h>

namespace tare::report {
namespace {

const TextTable kTable{.headers = {"task", "n", "score", "p"},
                       .rows = {{"arc", "400", "0.5000", "0.03"}, {"größe", "8", "1.0000", "1"}},
                       .labels = 1,
                       .spare = {3, 1}};

TEST_CASE("labels stand on the left, numbers on the right") {
  CHECK(text_table(kTable) ==
        "task     n   score     p\n"
        "------------------------\n"
        "arc    400  0.5000  0.03\n"
        "größe    8  1.0000     1\n");
}

TEST_CASE("spare columns are left out, and named, until the lines fit") {
  CHECK(text_table(kTable, 24) == text_table(kTable));
  CHECK(text_table(kTable, 23) ==
        "task     n   score\n"
        "------------------\n"
        "arc    400  0.5000\n"
        "größe    8  1.0000\n"
        "(left out for the width\n"
        " of 23: p)\n");
  CHECK(text_table(kTable, 5).starts_with("task    score\n"));
}

TEST_CASE("long labels lose their middle where all columns that may go are gone") {
  const TextTable table{.headers = {"task", "score", "p"},
                        .rows = {{"a_long_name_of_a_task_one", "0.5000", "0.03"},
                                 {"a_long_name_of_a_task_two", "1.0000", "1"}},
                        .labels = 1,
                        .spare = {2}};
  // All columns stay as long as there is room for twenty letters of a name.
  CHECK(text_table(table, 36) ==
        "task                     score     p\n"
        "------------------------------------\n"
        "a_long_nam…_a_task_one  0.5000  0.03\n"
        "a_long_nam…_a_task_two  1.0000     1\n");
  CHECK(text_table(table, 18) ==
        "task         score\n"
        "------------------\n"
        "a_lo…k_one  0.5000\n"
        "a_lo…k_two  1.0000\n"
        "(left out for the\n"
        " width of 18: p)\n");
}

TEST_CASE("a word that is wider than a line is broken where that is asked for") {
  CHECK(filled("a incomprehensibilities b", 8, " ") == "a\n incompr\n ehensib\n ilities\n b");
  CHECK(filled("größtmöglich", 5) == "größt\nmögli\nch");
  CHECK(filled("漢字漢", 5) == "漢字\n漢");
  CHECK(filled("abc", 1, "  ") == "a\n  bc");
}

TEST_CASE("wide and combining letters take the room that they take") {
  const TextTable table{
      .headers = {"a", "b"}, .rows = {{"漢字", "1"}, {"e\u0301", "2"}}, .labels = 1, .spare = {}};
  CHECK(text_table(table) == "a     b\n-------\n漢字  1\ne\u0301     2\n");
}

TEST_CASE("text is broken at blanks, and a long word stands alone") {
  CHECK(wrapped("one two three", 7, "  ") == "one two\n  three");
  CHECK(wrapped("a incomprehensibilities b", 5) == "a\nincomprehensibilities\nb");
  CHECK(wrapped("one two", 0) == "one two");
  CHECK(wrapped("", 5).empty());
}

TEST_CASE("what would act on a terminal is replaced") {
  CHECK(on_screen("a\x1b[31mb\tc\nd\u202Ee\u0085f\x7f é") ==
        "a\uFFFD[31mb\uFFFDc\nd\uFFFDe\uFFFDf\uFFFD é");
  CHECK(on_screen_line("a\x1b\nb\n") == "a\uFFFD\\nb\\n");
}

}  // namespace
}  // namespace tare::report
