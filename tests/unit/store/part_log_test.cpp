#include "store/part_log.h"

#include <doctest/doctest.h>

#include "support/support.h"

namespace tare::store {
namespace {

base::Value settings(int threads) {
  base::Dict inner, dict;
  inner.set("threads", threads);
  dict.set("reference", std::move(inner));
  return dict;
}

PartLog open(const std::filesystem::path& file, int threads = 1) {
  auto log = PartLog::open(file, settings(threads));
  REQUIRE_MESSAGE(log.has_value(), log.error().text);
  return std::move(*log);
}

}  // namespace

TEST_CASE("parts are there when the log is opened again, and the last of a name counts") {
  const test::TempDir folder;
  const auto file = folder.path() / "parts.sqlite";
  {
    PartLog log = open(file);
    CHECK(log.parts()->empty());
    CHECK(log.put("a", "first"));
    CHECK(log.put("b", "1\n2"));
    CHECK(log.put("a", "second"));
  }
  PartLog log = open(file);
  const auto parts = log.parts();
  REQUIRE(parts);
  CHECK(*parts == std::map<std::string, std::string>{{"a", "second"}, {"b", "1\n2"}});
}

TEST_CASE("a log of other settings is refused by their name") {
  const test::TempDir folder;
  const auto file = folder.path() / "parts.sqlite";
  CHECK(open(file).put("a", "1"));
  const auto other = PartLog::open(file, settings(2));
  REQUIRE_FALSE(other);
  CHECK(other.error().kind == base::ErrorKind::input);
  CHECK(other.error().text ==
        file.string() +
            ": is of work with other settings: reference threads is 1 there and 2 here; give the "
            "same settings to go on, or name another --output");
}

TEST_CASE("files that are no log of parts are refused and left as they are") {
  const test::TempDir folder;
  CHECK_FALSE(PartLog::open(folder.write("text", std::string(4096, 'x')), settings(1)));
  CHECK_FALSE(PartLog::open(folder.path() / "absent" / "parts.sqlite", settings(1)));
}

}  // namespace tare::store
