// Real benchmarks: every split has the rows that pyarrow counts. tests/parity/data.py compares
// them.
#include <doctest/doctest.h>

#include <string>

#include "data/dataset.h"
#include "support/support.h"

namespace tare::data {
namespace {

void check_counts(const std::filesystem::path& hub, const DatasetSpec& spec,
                  const base::Dict& expected) {
  CAPTURE(spec.path);
  CAPTURE(*spec.name);
  const auto dataset = open_dataset(spec, Sources{{hub}, {}}, {});
  REQUIRE_MESSAGE(dataset, (dataset ? "" : dataset.error().text));
  CHECK(dataset->splits.size() == expected.size());
  for (const auto& [split, rows] : expected)
    CHECK(dataset->splits.at(split.as_string()).rows.size() ==
          static_cast<std::size_t>(rows.as_int()));
}

TEST_CASE("row counts of real data sets") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared/hub");
  if (!parquet_available()) return test::skip("a build with Parquet");
  const base::Value counts = test::load_cases("data/hub.json");
  for (const auto& [path, configs] : counts.find("rows")->as_dict())
    for (const auto& [config, splits] : configs.as_dict())
      check_counts(*shared / "hub", {path.as_string(), config.as_string(), {}}, splits.as_dict());
}

TEST_CASE("only the wanted splits are read") {
  const auto shared = test::shared_dir();
  if (!shared) return test::skip("../shared/hub");
  if (!parquet_available()) return test::skip("a build with Parquet");
  const auto dataset =
      open_dataset({"cais/mmlu", "astronomy", {}}, Sources{{*shared / "hub"}, {}}, {"test", "dev"});
  REQUIRE(dataset);
  CHECK(dataset->splits.size() == 2);
  CHECK(dataset->files.size() == 2);
}

}  // namespace
}  // namespace tare::data
