#include "data/parquet_write.h"

#include <doctest/doctest.h>

#include <cmath>

#include "data/dataset.h"
#include "data/parquet.h"
#include "support/support.h"

namespace tare {

TEST_CASE("columns come back from Parquet as they were written, NaN as nothing") {
  const std::vector<data::Column> columns{
      {"name", std::vector<std::string>{"a", "", "ä"}},
      {"count", std::vector<std::int64_t>{1, -2, 3}},
      {"value", std::vector<double>{0.5, std::nan(""), 1e-300}}};
  const auto bytes = data::parquet_of(columns);
  if (!data::parquet_available()) {
    CHECK_FALSE(bytes);
    test::skip("Parquet is not built in");
    return;
  }
  REQUIRE_MESSAGE(bytes.has_value(), bytes.error().text);
  const auto table = data::read_parquet_table(*bytes, "t");
  REQUIRE_MESSAGE(table.has_value(), table.error().text);
  REQUIRE(table->rows.size() == 3);
  CHECK(table->rows[2].find("name")->as_string() == "ä");
  CHECK(table->rows[1].find("count")->as_int() == -2);
  CHECK(table->rows[0].find("value")->as_real() == 0.5);
  CHECK(table->rows[1].find("value")->is_none());
}

TEST_CASE("a table without rows is a table") {
  if (!data::parquet_available()) return;
  const auto bytes = data::parquet_of(std::vector<data::Column>{{"x", std::vector<double>{}}});
  REQUIRE(bytes);
  CHECK(data::read_parquet_table(*bytes, "t")->rows.empty());
}

}  // namespace tare
