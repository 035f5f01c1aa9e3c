#include "cli/ignored_flags.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/files.h"
#include "base/json.h"
#include "cli/arguments.h"
#include "support/support.h"

namespace tare::cli {

TEST_CASE("the page on lm-eval's command lines lists every flag without an effect") {
  const auto page = base::read_file(test::source_dir() / "docs/guide/from-lm-eval.md");
  REQUIRE(page);
  REQUIRE(!ignored_flags().empty());
  for (const IgnoredFlag& flag : ignored_flags()) {
    std::string name(flag.names.substr(0, flag.names.find(',')));
    std::replace(name.begin() + 2, name.end(), '-', '_');
    CAPTURE(name);
    CHECK(page->find("`" + name + "`") != std::string::npos);
    CHECK(!flag.why.empty());
  }
}

TEST_CASE("later words of an option that holds several things win") {
  const auto merged =
      merge_arguments("--gen-kwargs", {"temperature=0,until=['a','b']", R"({"temperature": 1})"});
  REQUIRE(merged);
  CHECK(base::json::dump(*merged) == R"({"temperature": 1, "until": ["a", "b"]})");
  CHECK(merge_arguments("--metadata", {})->is_none());
}

}  // namespace tare::cli
