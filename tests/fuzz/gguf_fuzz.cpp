#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "backend/llama/chat_source.h"
#include "backend/llama/gguf_check.h"

/// A model file of any bytes is accepted or refused in one line, and so are its chat templates.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("tare-fuzz-" + std::to_string(getpid()) + ".gguf");
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  const auto status = tare::backend::llama::check_gguf(file);
  const auto source = tare::backend::llama::read_chat_source(file);
  std::filesystem::remove(file);
  if (!source && source.error().text.find('\n') != std::string::npos) std::abort();
  if (!status && status.error().text.find('\n') != std::string::npos) std::abort();
  return 0;
}
