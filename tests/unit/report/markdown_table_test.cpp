#include "report/markdown_table.h"

#include <doctest/doctest.h>

namespace tare {
namespace {

using report::markdown_table;

TEST_CASE("a column without rows has the least width and no direction") {
  CHECK(markdown_table({"", "Name"}, {}) ==
        "|   |Name|\n"
        "|---|----|\n");
}

TEST_CASE("numbers take the digits that their column needs") {
  CHECK(markdown_table({"x"}, {{"0.5000"}, {"-12.2500"}, {"3"}, {""}}) ==
        "|  x   |\n"
        "|-----:|\n"
        "|  0.50|\n"
        "|-12.25|\n"
        "|  3.00|\n"
        "|      |\n");
}

TEST_CASE("what only looks like a number is text") {
  for (const char* text : {"1.", ".5", "1.2.3", "-", "1e5", "0x10", "--1", "1-2"})
    CHECK(markdown_table({"x"}, {{text}}).find("-|\n") != std::string::npos);
}

TEST_CASE("a number below mostly words is left as it is written") {
  CHECK(markdown_table({"x"}, {{"word"}, {"0.5000"}, {0.5}}) ==
        "|  x   |\n"
        "|------|\n"
        "|word  |\n"
        "|0.5000|\n"
        "|   0.5|\n");
}

TEST_CASE("bytes that are no UTF-8 are kept and end the loop") {
  CHECK(markdown_table({"x"}, {{"\xff\xfe"}}) ==
        "| x |\n"
        "|---|\n"
        "|\xff\xfe |\n");
}

}  // namespace
}  // namespace tare
