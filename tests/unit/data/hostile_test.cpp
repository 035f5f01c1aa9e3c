#include <doctest/doctest.h>

#include <string>

#include "data/dataset.h"
#include "support/support.h"

namespace tare::data {
namespace {

base::Result<core::Split> read(const std::string& name, std::string_view bytes) {
  const test::TempDir folder;
  return read_table(folder.write(name, bytes));
}

std::string nested(std::size_t levels) {
  return "{\"a\": " + std::string(levels, '[') + std::string(levels, ']') + "}\n";
}

TEST_CASE("deep nesting is refused, not followed") {
  CHECK(read("x.jsonl", nested(500)));
  CHECK(!read("x.jsonl", nested(10'000)));
  CHECK(!read("x.json", "[" + nested(10'000) + "]"));
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\": ";
  CHECK(!read("x.jsonl", objects));
  CHECK(!read("x.jsonl", std::string(100'000, '{')));
  CHECK(!read("x.jsonl", std::string(100'000, '"')));
}

TEST_CASE("files of zero bytes and of nothing but white space have no rows") {
  for (const char* name : {"x.json", "x.jsonl", "x.csv", "x.tsv", "x.txt", "x.parquet"}) {
    CAPTURE(name);
    CHECK(!read(name, ""));
  }
  CHECK(!read("x.jsonl", "\n \n"));
  CHECK(!read("x.csv", "\n \n"));
}

TEST_CASE("every prefix of a small file is an error or rows") {
  const std::string json =
      "\xEF\xBB\xBF{\"a\": [1, {\"b\": \"\\u00e9\\\\\"}], \"c\": 1e5}\n{\"a\": null}\n";
  const std::string csv = "\xEF\xBB\xBF\"a\",b\r\n\"x\"\"\n,y\",1.5\n\n,NA\r";
  for (std::size_t i = 0; i <= json.size(); ++i) (void)read("x.jsonl", json.substr(0, i));
  for (std::size_t i = 0; i <= csv.size(); ++i) (void)read("x.csv", csv.substr(0, i));
  CHECK(read("x.jsonl", json));
  CHECK(read("x.csv", csv));
}

TEST_CASE("NUL bytes") {
  const auto rows = read("x.csv", std::string_view("a,b\n1\0002,x\n", 11));
  REQUIRE(rows);
  CHECK(rows->rows[0].find("a")->as_string() == std::string("1\0002", 3));
  CHECK(!read("x.jsonl", std::string_view("{\"a\": \"\0\"}", 10)));
}

TEST_CASE("types are settled after 10 MB of lines and after 10,000 rows of CSV") {
  const std::string padding(1000, 'x');
  std::string json;
  while (json.size() <= 10U << 20) json += "{\"a\": 1, \"p\": \"" + padding + "\"}\n";
  const auto with = [&](const std::string& last) { return read("x.jsonl", json + last); };
  CHECK(with("{\"a\": 2.0}\n")->rows.back().find("a")->is_int());
  CHECK(!with("{\"a\": 2.5}\n"));
  CHECK(with("{\"b\": 1}\n")->rows.front().find("b")->is_none());
  std::string csv = "a,b\n";
  for (int i = 0; i < 10'000; ++i) csv += "1,x\n";
  const auto more = read("x.csv", csv + "2.0,y\n,True\n");
  REQUIRE(more);
  CHECK(more->rows.size() == 10'002);
  CHECK(more->rows[10'000].find("a")->is_int());
  CHECK(more->rows[10'001].find("a")->is_none());
  CHECK(more->rows[10'001].find("b")->as_string() == "True");
  CHECK(!read("x.csv", csv + "2.5,y\n"));
}

}  // namespace
}  // namespace tare::data
