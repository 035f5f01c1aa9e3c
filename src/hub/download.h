#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "hub/client.h"
#include "hub/listing.h"

namespace tare::hub {

/// Downloads a file and puts it at `target` whole, or not at all: bytes gather in
/// TARGET.incomplete, from where an earlier attempt stopped, size and hash are compared with the
/// listing, then it is renamed. A wrong hash is downloaded anew twice. The caller holds the lock.
/// `subject` begins each error.
base::Status download(Client& client, const std::string& url, const std::filesystem::path& target,
                      const ListedFile& expected, const std::string& subject);

/// One line for an answer that is no success: what it means and what to do.
base::Failure explain(const Head& head, const std::string& subject, const Settings& settings);

}  // namespace tare::hub
