#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/value.h"

namespace tare::core {

/// A row of a data set: a dict from column name to value, in schema order.
using Document = base::Value;

/// One split: its rows and where they came from.
struct Split {
  std::vector<std::string> columns;  ///< in schema order
  std::vector<Document> rows;
  /// "name: type" of columns that no Value can hold (bytes, images, ...); rows lack them.
  std::vector<std::string> left_out;
};

/// A file that was read for a data set, so that a result can name what it was computed from.
struct SourceFile {
  std::string path;
  std::string sha256;
  /// Where it was downloaded from: "https://..." or "hf://datasets/ORG/NAME@COMMIT/FILE"; else "".
  std::string url = {};
  std::string revision = {};  ///< that was asked for: a branch, a tag or the commit itself
};

/// What `datasets.load_dataset` would return: split name to rows.
struct Dataset {
  std::map<std::string, Split, std::less<>> splits;
  std::vector<SourceFile> files;
};

}  // namespace tare::core
