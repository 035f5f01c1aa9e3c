#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::task {

/// The top-level keys of a YAML file that decide its place in the index. An outer optional is
/// empty where the file has no such key.
struct Head {
  std::optional<std::optional<std::string>> task;  ///< inner empty: a value that is no text
  std::optional<std::optional<std::string>> group;
  std::optional<std::vector<std::string>> tags;
  std::optional<std::vector<std::string>> includes;
  bool python = false;  ///< has the key `class`
};

/// Finds the keys by looking at lines, without parsing YAML: some 14,000 files are looked at before
/// one task is run. Empty where the text uses a form that only a parser can judge.
std::optional<Head> scan_head(std::string_view text);

/// The same by a full parse.
base::Result<Head> parse_head(std::string_view text, std::string_view name);

/// Heads of files with their includes merged; an included file is read once.
class HeadReader {
 public:
  /// `file` is a path with "/" between its parts, as all paths of one reader.
  base::Result<Head> read(const std::string& file);

 private:
  base::Result<const Head*> included(const std::string& file);
  base::Status merge_includes(const std::string& file, const Head& own,
                              std::vector<std::string>& visited, Head& merged);

  std::map<std::string, Head, std::less<>> included_;
};

}  // namespace tare::task
