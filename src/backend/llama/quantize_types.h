#pragma once

#include <llama.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::backend::llama {

/// A number format of a whole model file.
struct FileType {
  std::string_view name;
  llama_ftype type;
};

/// Writes the tensors as they are.
inline constexpr std::string_view kCopy = "COPY";

/// The formats of llama.cpp's quantizer, by its names.
std::vector<FileType> file_types();

/// In any case. Error: an unknown name, with the nearest and all that there are.
base::Result<FileType> find_file_type(const std::string& wanted);

}  // namespace tare::backend::llama
