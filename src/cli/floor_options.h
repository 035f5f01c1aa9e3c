#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace tare::cli {

/// The words of `tare floor`.
struct FloorOptions {
  std::vector<std::filesystem::path> files;  ///< one or two
  std::filesystem::path grid;                ///< YAML; empty: the default grid
  std::filesystem::path text;                ///< empty: the passages that come with tare
  std::filesystem::path output;
  std::filesystem::path rows;  ///< a folder that all rows of logits are kept in; empty: none
  std::size_t positions = 512;
  std::size_t threads = 0;  ///< 0: as many as the machine has
  std::vector<std::string> pinned;
  std::string tasks = "none";           ///< whose items are asked beside
  std::vector<std::string> task_words;  ///< more words of `tare run` about them
  /// Under which settings they are asked; empty: those of the default grid that change most.
  std::vector<std::string> item_settings;
  bool quiet = false, json = false, dry_run = false;
};

}  // namespace tare::cli
