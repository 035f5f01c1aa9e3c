// What a person reads when data cannot be had: subject, found, wanted, remedy.
#include <doctest/doctest.h>

#include <string>

#include "base/json.h"
#include "data/dataset.h"
#include "support/support.h"

namespace tare::data {
namespace {

using base::Value;

/// The error of opening `path` with these arguments in a folder.
std::string error_of(const test::TempDir& folder, const std::string& path,
                     const std::string& arguments = "{}", const std::string& name = "",
                     const std::vector<std::string>& wanted = {}) {
  DatasetSpec spec{path, name.empty() ? std::nullopt : std::optional(name),
                   *base::json::parse(arguments)};
  const auto dataset = open_dataset(spec, Sources{{folder.path()}, {folder.path()}}, wanted);
  if (dataset) return "no error";
  CHECK(dataset.error().kind == base::ErrorKind::input);
  CHECK(dataset.error().text.find('\n') == std::string::npos);
  std::string text = dataset.error().text;
  const std::string prefix = folder.path().string() + "/";
  for (std::size_t at; (at = text.find(prefix)) != std::string::npos;)
    text.erase(at, prefix.size());
  return text;
}

std::string error_of_file(const std::string& name, std::string_view bytes) {
  const test::TempDir folder;
  const auto split = read_table(folder.write(name, bytes));
  if (split) return "no error";
  return split.error().text.substr(folder.path().string().size() + 1);
}

TEST_CASE("what is not on this machine") {
  const test::TempDir folder;
  CHECK(error_of(folder, "https://host/x.json") ==
        "dataset_path: found https://host/x.json, wanted org/name, or json with the URL as "
        "data_files");
  CHECK(error_of(folder, "json", R"({"data_files": {"test": "hf://datasets/x/y.json"}})") ==
        "json: hf://datasets/x/y.json is not on this machine; download it and name the file");
  CHECK(error_of(folder, "org/name").find("org/name: found no such folder") == 0);
  CHECK(error_of(folder, "org/name").find("--datasets") != std::string::npos);
  CHECK(error_of(folder, "imagefolder") ==
        "dataset_path: found the builder imagefolder, wanted json, csv, parquet or text");
}

TEST_CASE("configurations and splits are listed") {
  const test::TempDir folder;
  folder.write("org/name/README.md",
               "---\nconfigs:\n- config_name: easy\n  data_files: a.csv\n- config_name: hard\n"
               "  data_files: b.csv\n---\n");
  folder.write("org/name/a.csv", "a\n1\n");
  CHECK(error_of(folder, "org/name") ==
        "org/name: found no dataset_name, wanted a configuration: easy or hard");
  CHECK(error_of(folder, "org/name", "{}", "easi") ==
        "org/name: found no configuration 'easi', did you mean easy?");
  CHECK(error_of(folder, "org/name", "{}", "easy", {"test"}) ==
        "org/name (easy): found no split test, wanted train");
  CHECK(error_of(folder, "org/name", "{}", "hard").find("org/name (hard): ") == 0);
}

TEST_CASE("a README that is broken") {
  const test::TempDir folder;
  folder.write("d/README.md", "---\nconfigs:\n- config_name: [\n---\n");
  CHECK(error_of(folder, "d").find("d/README.md:") == 0);
  folder.write("d/README.md", "---\nconfigs: 5\n---\n");
  CHECK(error_of(folder, "d") == "d/README.md: configs: found 5, wanted a list");
  folder.write("d/README.md", "---\nconfigs:\n- data_files: x\n---\n");
  CHECK(error_of(folder, "d") == "d/README.md: configs: found an entry without config_name");
}

TEST_CASE("arguments") {
  const test::TempDir folder;
  folder.write("x.csv", "a\n1\n");
  const auto error = [&](const std::string& extra) {
    return error_of(folder, "csv", R"({"data_files": "x.csv", )" + extra + "}");
  };
  CHECK(error(R"("trust_remote_code": true)") == "no error");
  CHECK(error(R"("sep": "||")") == "csv: sep: found '||', wanted one ASCII character");
  CHECK(error(R"("header": -1)") == "csv: header: found -1, wanted a number from 0");
  CHECK(error(R"("quoting": 2)") ==
        "csv: quoting: found 2, wanted 0 (quotes protect) or 3 (quotes are ordinary)");
  CHECK(error(R"("encoding": "latin-1")") ==
        "csv: encoding: found 'latin-1', wanted utf-8; convert the file");
  CHECK(error(R"("usecols": [0])").find("csv: found the argument usecols, wanted data_files, ") ==
        0);
  CHECK(error_of(folder, "csv") ==
        "csv: found no data_files and no data_dir in dataset_kwargs, wanted one of them");
  CHECK(
      error_of(folder, "csv", R"({"data_files": 5})") ==
      "csv: data_files: found 5, wanted a path, a list of paths, or a mapping from split to these");
  CHECK(error_of(folder, "csv", R"({"data_files": ["x.csv", "y.csv"]})") ==
        "csv: split train: no file is called y.csv");
}

TEST_CASE("files that cannot be read are named with the place") {
  CHECK(error_of_file("x.jsonl", "{\"a\": 1}\n{\"a\": }\n") ==
        "x.jsonl: line 2, column 7: found '}', wanted a JSON value");
  CHECK(error_of_file("x.jsonl", "{\"a\": 1}\n\n{\n\"a\": \"\xff\"}\n") ==
        "x.jsonl: line 4, column 7: found the byte 0xFF, which is no UTF-8, wanted UTF-8 text");
  CHECK(error_of_file("x.jsonl", "{\"a\": 1}\n[1]\n") ==
        "x.jsonl: row 2: found [1], wanted an object");
  CHECK(error_of_file("x.json", " [{\"a\": 1}, {\"a\": \"x\"}]") ==
        "x.json: column a: found values of mixed types, wanted one type");
  CHECK(error_of_file("x.csv", "a,b\n1,2\n\n1,2,3\n") ==
        "x.csv: line 4: found 3 fields, wanted at most 2 (the columns)");
  CHECK(error_of_file("x.csv", "a,b\n1,\"2\n3\n") ==
        "x.csv: line 2: found the end of the file inside a quoted field, wanted a closing \"");
  CHECK(error_of_file("x.csv", "a\n\xc3\xa9\xff\n") ==
        "x.csv: line 2, column 2: found the byte 0xFF, which is no UTF-8, wanted UTF-8 text");
  CHECK(error_of_file("x.csv", "") == "x.csv: found no record, wanted a line with column names");
  CHECK(error_of_file("x.dat", "x") ==
        "x.dat: found an unknown extension, wanted .parquet, .jsonl, .json, .csv, .tsv or .txt");
}

TEST_CASE("a type that does not fit names file, row, column and value") {
  const test::TempDir folder;
  folder.write("x.jsonl", "{\"a\": {\"b\": 1}}\n");
  folder.write("y.jsonl", "{\"a\": {\"b\": 2}}\n{\"a\": {\"b\": \"two\"}}\n");
  CHECK(error_of(folder, "json", R"({"data_files": "*.jsonl"})")
            .find("y.jsonl: row 2: a: b: found 'two', wanted int64") == 0);
  folder.write("y.jsonl", "{\"a\": {\"b\": 2}}\n{\"a\": {\"b\": 2.5}}\n");
  CHECK(error_of(folder, "json", R"({"data_files": "*.jsonl"})") ==
        "y.jsonl: row 2: a: b: found 2.5, wanted int64, the type that earlier rows or the README "
        "gave this column; give the column one type");
}

TEST_CASE("a split that nobody wants may be missing") {
  const test::TempDir folder;
  folder.write("test.csv", "a\n1\n");
  const std::string files = R"({"data_files": {"train": "train.csv", "test": "test.csv"}})";
  CHECK(error_of(folder, "csv", files, "", {"test"}) == "no error");
  CHECK(error_of(folder, "csv", files) == "csv: split train: no file is called train.csv");
}

TEST_CASE("what was read is listed with its hash, once") {
  const test::TempDir folder;
  folder.write("train.csv", "a\n1\n");
  folder.write("test.csv", "a\n2\n");
  const DatasetSpec spec{"csv", std::nullopt,
                         *base::json::parse(R"({"data_files": {"a": "*.csv", "b": "test.csv"}})")};
  const auto dataset = open_dataset(spec, Sources{{}, {folder.path()}}, {});
  REQUIRE(dataset);
  REQUIRE(dataset->files.size() == 2);
  CHECK(dataset->files[0].path == (folder.path() / "test.csv").string());
  CHECK(dataset->files[0].sha256.size() == 64);
  CHECK(dataset->splits.size() == 2);
}

TEST_CASE("a data set in a hub cache is found by its name") {
  const test::TempDir folder;
  folder.write("datasets--org--name/refs/main", "abc123");
  folder.write("datasets--org--name/snapshots/abc123/test.csv", "a\n1\n");
  const auto dataset =
      open_dataset({"org/name", std::nullopt, {}}, Sources{{folder.path()}, {}}, {});
  REQUIRE_MESSAGE(dataset, (dataset ? "" : dataset.error().text));
  CHECK(dataset->splits.count("test") == 1);
}

}  // namespace
}  // namespace tare::data
