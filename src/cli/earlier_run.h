#pragma once

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "cli/run_session.h"
#include "store/journal.h"

/// A run whose folder holds answers already.
namespace tare::cli {

struct EarlierRun {
  store::Journal journal;
  bool complete = false;  ///< it came to its end, and each of its requests has an answer
};

/// None: nothing was begun in the folder. Error: a journal that cannot be gone on with.
base::Result<std::optional<EarlierRun>> earlier_run(const std::filesystem::path& folder);

/// Holds what is asked now against what the journal answers, before the model is loaded. Tasks must
/// be there. Reads the model file, whose hash is then in the session's options. Error: what
/// differs.
base::Status check_before_loading(Session& session, const EarlierRun& earlier);

/// The same before the model is probed: all but what the probe finds out.
base::Status check_before_probing(const Session& session, const EarlierRun& earlier);

/// How the session's backend is opened: through `open`. Where all answers are there it is the
/// recorded one, without weights.
OpenBackend how_to_open(const std::optional<EarlierRun>& earlier, const OpenBackend& open);

}  // namespace tare::cli
