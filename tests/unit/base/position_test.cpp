#include "base/position.h"

#include <doctest/doctest.h>

namespace tare::base {
namespace {

TEST_CASE("lines and columns count from 1, columns in code points") {
  const std::string_view text = "a\n\u00e9\u4e00x\n";
  CHECK(line_and_column(text, 0) == "line 1, column 1");
  CHECK(line_and_column(text, 1) == "line 1, column 2");
  CHECK(line_and_column(text, 2) == "line 2, column 1");
  CHECK(line_and_column(text, 7) == "line 2, column 3");
  CHECK(line_and_column(text, text.size()) == "line 3, column 1");
}

TEST_CASE("what stands at a place is named") {
  CHECK(found_at("a\u00e9", 1) == "'\u00e9'");
  CHECK(found_at("a'", 1) == "\"'\"");
  CHECK(found_at("a\r\n", 1) == "a line end");
  CHECK(found_at("a", 1) == "the end of the text");
  CHECK(found_at("\xff", 0) == "the byte 0xFF, which is no UTF-8");
}

}  // namespace
}  // namespace tare::base
