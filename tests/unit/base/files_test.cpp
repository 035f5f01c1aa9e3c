#include "base/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "support/support.h"

namespace tare::base {
namespace fs = std::filesystem;
namespace {

std::size_t count_entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST_CASE("what is written is read back, byte for byte") {
  const test::TempDir dir;
  std::string bytes(1'000'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  const fs::path file = dir.path() / "a";
  REQUIRE(write_file(file, bytes).has_value());
  CHECK(read_file(file) == bytes);
  REQUIRE(write_file(file, "").has_value());
  CHECK(read_file(file) == std::string());
  CHECK(count_entries(dir.path()) == 1);
}

TEST_CASE("a folder is for one at a time") {
  const test::TempDir folder;
  std::optional<FolderLock> first = FolderLock::take(folder.path());
  REQUIRE(first.has_value());
  CHECK_FALSE(FolderLock::take(folder.path()).has_value());
  std::optional<FolderLock> moved = std::move(first);
  first.reset();
  CHECK_FALSE(FolderLock::take(folder.path()).has_value());
  moved.reset();
  CHECK(FolderLock::take(folder.path()).has_value());
}

TEST_CASE("chunks add up to the file") {
  const test::TempDir dir;
  const std::string bytes(600'000, 'x');
  std::string together;
  REQUIRE(read_chunks(dir.write("a", bytes), [&](std::string_view chunk) {
            together += chunk;
          }).has_value());
  CHECK(together == bytes);
}

TEST_CASE("a failed write leaves the old file and nothing beside it") {
  const test::TempDir dir;
  const fs::path file = dir.path() / "folder";
  fs::create_directories(file / "inside");
  const auto written = write_file(file, "x");
  REQUIRE_FALSE(written.has_value());
  CHECK(written.error().kind == ErrorKind::failed);
  CHECK(written.error().text == file.string() + ": cannot be written: Is a directory");
  CHECK(count_entries(dir.path()) == 1);
}

TEST_CASE("errors name the path and the reason") {
  const test::TempDir dir;
  const fs::path missing = dir.path() / "none" / "a";
  CHECK(read_file(missing).error().text ==
        missing.string() + ": cannot be read: No such file or directory");
  CHECK(read_file(missing).error().kind == ErrorKind::input);
  CHECK(write_file(missing, "").error().text ==
        missing.string() + ": cannot be written: No such file or directory");
  CHECK(read_file(dir.path()).error().text == dir.path().string() + ": is a folder, wanted a file");
}

TEST_CASE("a folder is made and proved writable") {
  const test::TempDir dir;
  const fs::path folder = dir.path() / "a" / "b";
  REQUIRE(ensure_writable_folder(folder).has_value());
  REQUIRE(ensure_writable_folder(folder).has_value());
  CHECK(fs::is_directory(folder));
  CHECK(count_entries(folder) == 0);
  const fs::path file = dir.write("file", "x");
  const auto refused = ensure_writable_folder(file / "below");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().text ==
        (file / "below").string() +
            ": cannot be made a folder: Not a directory; choose another folder");
}

TEST_CASE("a draft has a name of its own until it is published whole") {
  const test::TempDir folder;
  const fs::path target = folder.write("out.bin", "old");
  const fs::path draft = draft_name(target);
  CHECK(draft != draft_name(target));
  CHECK(is_draft(draft.filename().string()));
  CHECK(draft.parent_path() == folder.path());
  CHECK(publish_draft(draft, target).error().kind == ErrorKind::failed);
  CHECK(read_file(target) == "old");
  std::ofstream(draft) << "new";
  REQUIRE(publish_draft(draft, target).has_value());
  CHECK(read_file(target) == "new");
  CHECK_FALSE(fs::exists(draft));
}

TEST_CASE("why no more can be written to a file") {
  const test::TempDir folder;
  CHECK(append_fault(folder.path() / "new.bin").empty());
  CHECK(append_fault(folder.path() / "no" / "folder") == "No such file or directory");
  CHECK(append_fault("/dev/full") == "No space left on device");
}

}  // namespace
}  // namespace tare::base
