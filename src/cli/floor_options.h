#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/pin.h"

namespace tare::cli {

/// The words of `tare floor`.
struct FloorOptions {
  std::vector<std::filesystem::path> files;  ///< at least one
  std::filesystem::path grid;                ///< YAML; empty: the default grid
  std::filesystem::path text;                ///< empty: the passages that come with tare
  std::filesystem::path output;
  std::filesystem::path rows;  ///< a folder that all rows of logits are kept in; empty: none
  std::size_t positions = 512;
  std::size_t threads = 0;      ///< 0: as many as the machine has
  std::size_t row_space = 512;  ///< MiB of the disk for the reference's rows; one window at least
  std::vector<std::string> pinned;
  std::optional<PinFile> pin;           ///< its settings are the reference, and pinned
  std::filesystem::path write_pin;      ///< a new file for the reference as a pin; empty: none
  std::string tasks = "default";        ///< whose items are asked beside; see floor_item_words.h
  std::vector<std::string> task_words;  ///< more words of `tare run` about them, in pairs
  std::size_t server_items = 20;        ///< of each task through llama-server; 0: none
  /// Under which settings they are asked; empty: those of the default grid that change most.
  std::vector<std::string> item_settings;
  bool quiet = false, json = false, dry_run = false;
};

}  // namespace tare::cli
