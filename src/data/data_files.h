#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "data/glob.h"
#include "data/options.h"

namespace tare::data {

struct SplitPatterns {
  std::string name;
  std::vector<std::string> patterns;
};

struct SplitFiles {
  std::string name;
  std::vector<std::string> patterns;
  std::vector<std::filesystem::path> files;  ///< in the order in which rows come
  std::vector<std::string> missing;          ///< patterns without wildcards that name no file
};

/// data_files as a task or a README gives it: a pattern or a list of them (split "train"), a
/// mapping from split to these, or a list of {split, path}.
base::Result<std::vector<SplitPatterns>> read_data_files(const base::Value& data_files);

/// The splits that the names of files and folders say, by the rules of `datasets`: files
/// data/NAME-00000-of-00001.*, else folders, else files with words like "train", "dev" or "test" in
/// their name, else everything as "train".
std::vector<SplitPatterns> infer_splits(const FileSet& files);

/// Resolves patterns; a URL stands for itself. `data_only` keeps files with an extension that tare
/// reads.
std::vector<SplitFiles> resolve(const std::vector<SplitPatterns>& splits, const FileSet& among,
                                bool data_only);

/// The extension (".jsonl") that most of the files have among those that tare reads; empty if none.
std::string main_extension(const std::vector<std::filesystem::path>& files);

/// Those of the files whose name has an extension of this format.
std::vector<std::filesystem::path> only_format(const std::vector<std::filesystem::path>& files,
                                               Format format);

}  // namespace tare::data
