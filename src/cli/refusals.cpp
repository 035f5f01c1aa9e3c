#include "cli/refusals.h"

#include "backend/llama/llama_backend.h"
#include "backend/python/python_backend.h"
#include "cli/chat.h"
#include "cli/pin_options.h"
#include "cli/prepare.h"
#include "cli/run_cache.h"
#include "cli/worker_backends.h"

namespace tare::cli {

base::Status check_before_tasks(RunOptions& options) {
  TARE_CHECK(RunCache::check(options.cache));
  TARE_CHECK(open_chat(options.model, options.chat, options.build));
  TARE_CHECK(check_pin_target(options));
  return check_model(options);
}

base::Result<Abilities> abilities_before_loading(const RunOptions& options) {
  const std::string& scheme = options.model.scheme;
  if (scheme == "gguf") return Abilities{backend::llama::usual_capabilities(), "llama.cpp"};
  if (is_worker_scheme(scheme))
    return Abilities{backend::python::usual_capabilities(scheme), scheme};
  TARE_TRY(const OpenedBackend opened, open_backend(options));
  return Abilities{opened.backend->capabilities(), opened.backend->identity().backend};
}

}  // namespace tare::cli
