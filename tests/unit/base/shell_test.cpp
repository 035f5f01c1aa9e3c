#include "base/shell.h"

#include <doctest/doctest.h>

#include <vector>

namespace tare::base {

using Words = std::vector<std::string>;

TEST_CASE("a shell gets the same words back") {
  CHECK(shell_line(Words{"tare", "run", "--limit=3", "a/b.c,d:e"}) ==
        "tare run --limit=3 a/b.c,d:e");
  CHECK(shell_line(Words{"", "a b", "it's", "$HOME", "*", "\n"}) ==
        "'' 'a b' 'it'\\''s' '$HOME' '*' '\n'");
}

}  // namespace tare::base
