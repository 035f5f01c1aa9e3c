#include "backend/llama/log_capture.h"

#include <llama.h>

#include <mutex>

namespace tare::backend::llama {
namespace {

struct Log {
  std::mutex mutex;
  std::string first_error;
};

Log& log() {
  static Log instance;
  return instance;
}

/// "llama_model_load: error loading model: x\n" → "error loading model: x".
std::string message_of(std::string_view line) {
  const std::size_t colon = line.find(": ");
  const bool has_function = colon != std::string_view::npos && line.find(' ') > colon;
  if (has_function) line.remove_prefix(colon + 2);
  return std::string(line.substr(0, line.find('\n')));
}

void keep(ggml_log_level level, const char* text, void*) {
  if (level != GGML_LOG_LEVEL_ERROR) return;
  const std::scoped_lock lock(log().mutex);
  if (log().first_error.empty()) log().first_error = message_of(text);
}

}  // namespace

LogCapture::LogCapture() {
  const std::scoped_lock lock(log().mutex);
  log().first_error.clear();
  llama_log_set(keep, nullptr);
}

std::string LogCapture::first_error() const {
  const std::scoped_lock lock(log().mutex);
  return log().first_error;
}

}  // namespace tare::backend::llama
