#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "core/pin.h"

namespace tare::cli {

/// A pin and the file that it was read from.
struct PinFile {
  std::filesystem::path path;
  core::Pin pin;
  std::string sha256;  ///< of the file
};

/// Reads the text of a pin. Errors begin with `place` and name the key, what was found and what is
/// wanted; a pin that leaves anything open is none.
base::Result<core::Pin> read_pin(std::string_view text, const std::string& place);

/// The same as text.
std::string pin_text(const core::Pin& pin);

/// Error: no such file, no pin, or another release of llama.cpp than this program's.
base::Result<PinFile> open_pin(const std::filesystem::path& path);

/// Error: `path`, told by --write-pin, cannot become a file. To be called before the work.
base::Status check_pin_target(const std::filesystem::path& path);
/// Writes a pin. Error: the file is there with another pin in it.
base::Status write_pin_file(const std::filesystem::path& path, const core::Pin& pin);

}  // namespace tare::cli
