#include "hub/cache.h"

#include <doctest/doctest.h>

#include <fstream>

#include "base/files.h"
#include "base/hash.h"
#include "hub/file_lock.h"
#include "hub/file_receiver.h"
#include "support/support.h"

using namespace tare;
using namespace tare::hub;
namespace fs = std::filesystem;

namespace {

const std::string kCommit(40, 'a');
const std::string kOther(40, 'b');

}  // namespace

TEST_CASE("a ref leads to its commit and follows it") {
  const test::TempDir folder;
  const CacheFolder cache(folder.path(), {Kind::dataset, "org/name"});
  CHECK_FALSE(cache.commit_of("main"));
  REQUIRE(cache.remember("main", kCommit));
  CHECK(base::read_file(folder.path() / "datasets--org--name/refs/main") == kCommit);
  CHECK(cache.commit_of("main") == kCommit);
  REQUIRE(cache.remember("main", kOther));
  CHECK(cache.commit_of("main") == kOther);
  CHECK_FALSE(cache.commit_of(kCommit));
  folder.write("datasets--org--name/refs/broken", "../../../etc");
  CHECK_FALSE(cache.commit_of("broken"));
}

TEST_CASE("models and data sets have folders of their own") {
  const test::TempDir folder;
  const CacheFolder cache(folder.path(), {Kind::model, "org/name"});
  CHECK(cache.blob("e") == folder.path() / "models--org--name/blobs/e");
  CHECK(cache.lock("e") == folder.path() / ".locks/models--org--name/e.lock");
}

TEST_CASE("a snapshot's file is a relative link to its blob") {
  const test::TempDir folder;
  const CacheFolder cache(folder.path(), {Kind::dataset, "squad"});
  folder.write("datasets--squad/blobs/etag", "text");
  REQUIRE(cache.link(kCommit, "a/b.json", "etag"));
  const fs::path link = cache.snapshot(kCommit) / "a/b.json";
  CHECK(fs::read_symlink(link) == "../../../blobs/etag");
  CHECK(base::read_file(link) == "text");
  CHECK(cache.link(kCommit, "a/b.json", "etag"));
  CHECK(cache.present(kCommit) == std::vector<std::string>{"a/b.json"});
  CHECK(cache.newest() == kCommit);
  fs::remove(cache.blob("etag"));
  folder.write("datasets--squad/blobs/new", "new");
  REQUIRE(cache.link(kCommit, "a/b.json", "new"));
  CHECK(base::read_file(link) == "new");
}

TEST_CASE("a broken listing is none") {
  const test::TempDir folder;
  const CacheFolder cache(folder.path(), {Kind::dataset, "squad"});
  folder.write("datasets--squad/trees/" + kCommit + ".json", "{");
  CHECK_FALSE(cache.listing(kCommit));
}

TEST_CASE("a lock is held until its object ends") {
  const test::TempDir folder;
  const fs::path file = folder.path() / "x.lock";
  int waits = 0;
  const auto count = [&](std::string_view) { ++waits; };
  {
    const auto first = FileLock::take(file, count);
    REQUIRE(first);
  }
  const auto second = FileLock::take(file, count);
  CHECK(second);
  CHECK(waits == 0);
  CHECK_FALSE(FileLock::take(folder.path() / "none" / "x.lock", count));
}

TEST_CASE("a file receiver goes on where the file ends and takes no byte too many") {
  const test::TempDir folder;
  const fs::path file = folder.write("x.incomplete", "abc");
  FileReceiver receiver(file, 6);
  REQUIRE(receiver.open());
  CHECK(receiver.size() == 3);
  REQUIRE(receiver.take("def"));
  CHECK_FALSE(receiver.take("g"));
  REQUIRE(receiver.close());
  CHECK(base::read_file(file) == "abcdef");
}

TEST_CASE("git's name of a file") {
  const test::TempDir folder;
  // `printf 'hello\n' | git hash-object --stdin`
  CHECK(base::git_blob_sha1(folder.write("x", "hello\n")) ==
        "ce013625030ba8dba906f756967f9e9ca394464a");
  CHECK(base::git_blob_sha1(folder.write("y", "")) == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  CHECK_FALSE(base::git_blob_sha1(folder.path() / "none"));
}
