#include "cli/earlier_run.h"

#include <utility>

#include "backend/llama/llama_backend.h"
#include "backend/llama/manner_backend.h"
#include "backend/python/weights_hash.h"
#include "backend/scripted/scripted_backend.h"
#include "cli/http_backends.h"
#include "cli/llama_options.h"
#include "cli/recorded_backend.h"
#include "cli/run_journal.h"
#include "cli/run_record.h"
#include "cli/worker_backends.h"
#include "store/execution.h"
#include "store/results.h"

namespace tare::cli {
namespace {

using base::Dict;
using base::Result;

/// What the backend will say of itself, as far as it is known before the model is loaded, in the
/// journal's form. Of a server nothing is: it can be asked as soon as it is found.
Result<Dict> known_backend(RunOptions& options) {
  Dict known;
  if (is_http_scheme(options.model.scheme)) return known;
  if (options.model.scheme == "scripted") {
    TARE_TRY(const auto scripted, backend::scripted::open(options.model.name));
    return backend_value(*scripted);
  }
  if (is_worker_scheme(options.model.scheme)) {
    TARE_TRY(options.model.sha256, backend::python::weights_hash(options.model.name));
    return weights_value(options.model.sha256);
  }
  TARE_TRY(const backend::llama::Options settings, llama_options(options));
  TARE_TRY(const backend::Identity identity,
           options.manner
               ? backend::llama::identity_in_manner(settings.path, settings.sha256, *options.manner)
               : backend::llama::identity_before_loading(settings));
  options.model.sha256 = identity.weights_sha256;
  return identity_value(identity);
}

}  // namespace

Result<std::optional<EarlierRun>> earlier_run(const std::filesystem::path& folder) {
  TARE_TRY(auto journal, store::Journal::open_started(folder));
  if (!journal) return std::optional<EarlierRun>();
  TARE_TRY(const bool finished, store::holds_finished_run(folder));
  TARE_TRY(const auto failures, journal->failures());
  const bool ended = finished || store::holds_execution(folder);
  return EarlierRun{std::move(*journal), ended && failures.empty()};
}

base::Status check_before_loading(Session& session, const EarlierRun& earlier) {
  TARE_TRY(const Dict known, known_backend(session.options));
  return earlier.journal.check(expected_header(
      earlier.journal.header(), {session.options, session.tasks, session.groups}, known));
}

base::Status check_before_probing(const Session& session, const EarlierRun& earlier) {
  Dict known = backend_value(*session.backend);
  if (const base::Value settings = session.backend->identity().settings; settings.is_dict()) {
    Dict unprobed = settings.as_dict();
    for (const char* narrowed : {"tile", "grain", "sequences"}) unprobed.erase(narrowed);
    known.set("settings", std::move(unprobed));
  }
  store::JournalHeader header = expected_header(
      earlier.journal.header(), {session.options, session.tasks, session.groups}, known);
  set_requests(header, session.tasks, session.plan);
  return earlier.journal.check(header);
}

OpenBackend how_to_open(const std::optional<EarlierRun>& earlier, const OpenBackend& open) {
  if (!earlier || !earlier->complete) return open;
  return [header = earlier->journal.header(),
          open](const RunOptions& options) -> Result<OpenedBackend> {
    if (is_http_scheme(options.model.scheme)) return open(options);
    TARE_TRY(auto backend, recorded_backend(header, options, options.model.name));
    return OpenedBackend{std::move(backend), {}};
  };
}

}  // namespace tare::cli
