#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tare::backend::llama {

/// How much each column of a model's matrices matters, as llama.cpp's `llama-imatrix` measures it:
/// the mean square of what the columns are multiplied with, over some text.
struct ImportanceMatrix {
  std::map<std::string, std::vector<float>> columns;  ///< by tensor; expert after expert
  std::string dataset;                                ///< name of the text; "" if not told
  int chunks = 0;                                     ///< pieces of text; 0: not told
};

/// A file of either format: GGUF, or the older one without a header. Errors name the file.
base::Result<ImportanceMatrix> read_importance(const std::filesystem::path& path);

/// The older format. Errors: what is wrong with the bytes, without a file's name.
base::Result<ImportanceMatrix> parse_old_importance(std::string_view bytes);

}  // namespace tare::backend::llama
