#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace tare::cli {

struct FloorText {
  std::string name;  ///< "built-in", or the file's name without folders
  std::string text;
};

/// The file's text, or where `file` is empty the passages of tasks/everyday. Error: no UTF-8.
base::Result<FloorText> floor_text(const std::filesystem::path& file);

}  // namespace tare::cli
