#include "backend/llama/llama_backend.h"

namespace tare::backend::llama {

std::string engine_hash() {
  return TARE_ENGINE_HASH;
}

}  // namespace tare::backend::llama
