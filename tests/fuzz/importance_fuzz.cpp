#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "backend/llama/importance.h"

/// An importance matrix of any bytes is read or refused in one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                            ("tare-fuzz-" + std::to_string(getpid()) + ".imatrix");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto matrix = tare::backend::llama::read_importance(file);
  std::filesystem::remove(file);
  if (!matrix && matrix.error().text.find('\n') != std::string::npos) std::abort();
  return 0;
}
