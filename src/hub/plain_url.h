#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "hub/client.h"

namespace tare::hub {

/// A copy of what a URL gives, in Settings::downloads, in a folder named by the URL's SHA-256. An
/// ETag (or Last-Modified) tells whether the server has something newer; offline, or where the
/// server cannot be reached, the copy counts. The file keeps the name that the URL ends with.
base::Result<std::filesystem::path> fetch_plain(Client& client, const std::string& url);

/// The last part of a URL's path, decoded enough to be a file name: "a b.json.gz".
std::string file_name_of(const std::string& url);

}  // namespace tare::hub
