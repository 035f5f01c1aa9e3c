#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/document.h"
#include "core/remote.h"

/// Files on disk to documents, with the typing rules of the `datasets` library.
namespace tare::data {

/// What a task's YAML says about its data.
struct DatasetSpec {
  std::string path;  ///< dataset_path: a builder ("json", "csv", "parquet") or "org/name"
  std::optional<std::string> name;  ///< dataset_name: the configuration
  base::Value arguments;            ///< dataset_kwargs: a dict or none; data_files is read here
};

struct Sources {
  std::vector<std::filesystem::path> roots;  ///< --datasets: folders that hold org/name
  /// What a relative path is relative to: the first of these under which all of it is found.
  std::vector<std::filesystem::path> bases = {"."};
  /// Asked for what is in none of these folders, and for URLs; null: nothing lies elsewhere.
  core::Remote* remote = nullptr;
};

/// Reads what the spec names. Only the splits in `wanted` are read from disk; an empty list means
/// all. Errors name the file, the configuration or the split that is missing and what there is.
base::Result<core::Dataset> open_dataset(const DatasetSpec& spec, const Sources& sources,
                                         const std::vector<std::string>& wanted);

/// Whether a folder of this machine is the data set that the spec names; true for a builder, whose
/// files are named.
bool is_here(const DatasetSpec& spec, const Sources& sources);

/// The files of the wanted splits (of all, if none is named): each is fetched if it lies elsewhere,
/// and hashed, but no rows are read.
base::Result<std::vector<core::SourceFile>> fetch_files(const DatasetSpec& spec,
                                                        const Sources& sources,
                                                        const std::vector<std::string>& wanted);

/// One file to rows; the format follows from the extension (json, jsonl, csv, tsv, parquet), also
/// with .gz or .zst behind it where the build can read it.
base::Result<core::Split> read_table(const std::filesystem::path& file);

/// Whether this build can read Parquet.
bool parquet_available();

/// Of Arrow, which reads it ("26.0.1"); empty without.
std::string parquet_version();

}  // namespace tare::data
