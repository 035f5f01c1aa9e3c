#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/http/llama_server_wire.h"
#include "base/json.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

/// Whatever a server says: what is read of it is a log-probability, an answer with known tokens, or
/// a reason.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tare::backend::http;
  const auto answer = tare::base::json::parse({reinterpret_cast<const char*>(data), size});
  if (!answer) return 0;
  const llama_server::Asked asked{5, 4096};
  if (const auto props = llama_server::read_props(*answer))
    demand(props->slots > 0 && props->context_length > 0 && props->defaults.is_dict());
  if (const auto score = llama_server::read_next_token(*answer, 7042, asked))
    demand(std::isfinite(score->sum) && score->sum <= 0);
  for (const auto& generated :
       {llama_server::read_generated(*answer, asked), llama_server::read_chat(*answer, asked)}) {
    if (generated)
      for (const auto token : generated->tokens) demand(token >= 0);
    else
      demand(!generated.error().reason.empty());
  }
  (void)llama_server::read_prompt(*answer);
  return 0;
}
