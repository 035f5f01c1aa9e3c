#include "hub/listing.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "base/json.h"

using namespace tare;
using namespace tare::hub;

namespace {

const std::string kSha1(40, 'a');
const std::string kSha256(64, 'b');

std::string file_entry(const std::string& path, const std::string& more = "") {
  return fmt::format(R"({{"type": "file", "path": {}, "size": 7, "oid": "{}"{}}})",
                     base::json::dump(base::Value(path)), kSha1, more);
}

bool reads(const std::string& page) {
  Listing listing;
  return read_tree_page(page, listing).has_value();
}

}  // namespace

TEST_CASE("a page of the tree: git and LFS files, folders passed over") {
  // The shape is that of the hub's /api/datasets/ID/tree/REV?recursive=true.
  const std::string lfs = fmt::format(
      R"(, "lfs": {{"oid": "{}", "size": 9000, "pointerSize": 130}}, "xetHash": "cc")", kSha256);
  const std::string page =
      fmt::format(R"([{{"type": "directory", "path": "data", "size": 0}}, {}, {}])",
                  file_entry("README.md"), file_entry("data/a.parquet", lfs));
  Listing listing;
  REQUIRE(read_tree_page(page, listing));
  REQUIRE(listing.size() == 2);
  CHECK(listing["README.md"].etag() == kSha1);
  CHECK(listing["README.md"].size == 7);
  CHECK(listing["data/a.parquet"].etag() == kSha256);
  CHECK(listing["data/a.parquet"].size == 9000);
  CHECK(listing["data/a.parquet"].git_sha1 == kSha1);
}

TEST_CASE("a page that could lead out of the cache is refused") {
  CHECK(reads("[" + file_entry("a/b.json") + "]"));
  for (const char* path : {"", "/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/", "a\\b"})
    CHECK_MESSAGE(!reads("[" + file_entry(path) + "]"), path);
  CHECK_FALSE(reads(R"([{"type": "file", "path": "a", "size": 1, "oid": "../../evil"}])"));
  CHECK_FALSE(reads(R"([{"type": "file", "path": "a", "size": -1, "oid": ")" + kSha1 + "\"}]"));
  CHECK_FALSE(reads("[" + file_entry("a", R"(, "lfs": {"oid": "..", "size": 1})") + "]"));
  CHECK_FALSE(reads("[" + file_entry("a", R"(, "lfs": {"size": 1})") + "]"));
}

TEST_CASE("an answer of another kind is refused") {
  for (const char* text : {"", "{}", "<html>", "[{]"}) CHECK_MESSAGE(!reads(text), text);
  CHECK(read_commit(R"({"sha": ")" + kSha1 + "\"}") == kSha1);
  CHECK_FALSE(read_commit(R"({"sha": "main"})"));
  CHECK_FALSE(read_commit(R"([])"));
}

TEST_CASE("a kept listing reads back as it was") {
  const Listing listing{{"README.md", {7, kSha1, "", ""}}, {"d/x.gz", {9, kSha1, kSha256, "cc"}}};
  const auto read = read_listing(write_listing(listing));
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK(read->at("d/x.gz").sha256 == kSha256);
  CHECK(read->at("d/x.gz").xet_hash == "cc");
  CHECK(read->at("d/x.gz").size == 9);
  CHECK(read->at("README.md").etag() == kSha1);
  CHECK_FALSE(read_listing(R"({"format_version": 2, "files": {}})"));
  CHECK_FALSE(read_listing(R"({"format_version": 1, "files": {"../x": {}}})"));
}

TEST_CASE("names of repositories, revisions and commits") {
  for (const char* name : {"cais/mmlu", "squad", "a-b/c_d.e"})
    CHECK_MESSAGE(is_repository_name(name), name);
  for (const char* name : {"", "/", "a/", "a/b/c", "a b", "../x", "a/..", "-a/b", "a--b", "a@b"})
    CHECK_MESSAGE(!is_repository_name(name), name);
  for (const char* name : {"main", "v1.0", "refs/pr/1", "refs/convert/parquet"})
    CHECK_MESSAGE(is_revision(name), name);
  for (const char* name : {"", "..", "a/../b", "/main", "a b", "a\nb"})
    CHECK_MESSAGE(!is_revision(name), name);
  CHECK(is_commit(kSha1));
  CHECK_FALSE(is_commit("abc"));
}
