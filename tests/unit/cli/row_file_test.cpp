#include "cli/row_file.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "support/support.h"

namespace tare::cli {

TEST_CASE("rows come back from their file as they were, and then there are no more") {
  const test::TempDir folder;
  const auto path = folder.path() / "rows";
  const std::array<float, 3> first{1.5F, -0.0F, INFINITY}, second{0.1F, 2, 3};
  {
    auto writer = RowWriter::create(path);
    REQUIRE(writer);
    CHECK(writer->write(first));
    CHECK(writer->write(second));
    CHECK(writer->close());
  }
  auto reader = RowReader::open(path);
  REQUIRE(reader);
  for (const auto& row : {first, second}) {
    const auto read = reader->read(3);
    REQUIRE(read);
    CHECK(std::equal(row.begin(), row.end(), read->begin()));
  }
  const auto end = reader->read(3);
  REQUIRE_FALSE(end);
  CHECK(end.error().text == path.string() + ": ends before the rows that it should hold");
}

TEST_CASE("a full disk is named") {
  auto writer = RowWriter::create("/dev/full");
  REQUIRE(writer);
  const std::array<float, 65536> row{};
  auto status = writer->write(row);
  if (status) status = writer->close();
  REQUIRE_FALSE(status);
  CHECK(status.error().text == "/dev/full: cannot be written: No space left on device");
}

TEST_CASE("files that cannot be made or read are named") {
  const test::TempDir folder;
  const auto absent = folder.path() / "absent" / "rows";
  CHECK(RowWriter::create(absent).error().text ==
        absent.string() + ": cannot be written: No such file or directory");
  CHECK_FALSE(RowReader::open(absent));
}

}  // namespace tare::cli
