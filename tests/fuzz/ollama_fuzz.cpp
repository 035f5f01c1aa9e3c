#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/http/ollama_wire.h"
#include "base/json.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

/// Whatever a server says, as JSON or as the text that stands inside: a hash is one, parameters are
/// a dict, an answer has no more of the prompt in it than the context holds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tare::backend::http;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string hash = ollama::weights_hash(text);
  demand(hash.empty() || hash.size() == 64);
  demand(ollama::read_parameters(text).is_dict());
  (void)ollama::fault_in_template(text);
  const auto answer = tare::base::json::parse(text);
  if (!answer) return 0;
  if (const auto model = ollama::read_model(*answer)) demand(model->defaults.is_dict());
  (void)ollama::read_version(*answer);
  (void)ollama::digest_of(*answer, "a:b");
  const ollama::Asked asked{.bytes = 40, .num_ctx = 2048};
  const auto generated = ollama::read_generated(*answer, asked);
  if (!generated)
    demand(!generated.error().reason.empty());
  else if (const auto count = ollama::prompt_count(*answer))
    demand(*count < asked.num_ctx);
  return 0;
}
