#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"
#include "core/remote.h"
#include "hub/client.h"
#include "hub/listing.h"
#include "hub/settings.h"

namespace tare::hub {

/// A repository at one commit.
struct Snapshot {
  RepositoryId id;
  std::string revision;  ///< what was asked for
  std::string commit;
  /// Nothing where a cache without a listing is all that can be reached: then what is in it.
  Listing listing;
  std::vector<std::string> present;
};

/// A hub and its cache. What the cache has is used as it is, without a question to the server, so a
/// run gives the same data tomorrow; Settings::refresh asks for the newest commit. Not for several
/// threads at once; several processes may share a cache.
class Hub : public core::Remote {
 public:
  explicit Hub(Settings settings);

  base::Result<Snapshot> open(const RepositoryId& id, const std::string& revision);
  /// The local path of one of its files, downloaded if need be.
  base::Result<std::filesystem::path> fetch(const Snapshot& snapshot, const std::string& file);

  base::Result<core::Repository> find(const std::string& name,
                                      const std::string& revision) override;
  base::Result<std::filesystem::path> fetch(const std::string& url) override;

 private:
  base::Result<std::string> ask_commit(const RepositoryId& id, const std::string& revision);
  base::Result<Listing> ask_listing(const RepositoryId& id, const std::string& commit);
  base::Result<std::string> ask(const std::string& url, const std::string& subject,
                                std::string* next);
  base::Result<Snapshot> open_commit(const RepositoryId& id, const std::string& revision,
                                     const std::string& commit);

  Client client_;
  std::map<std::string, Snapshot> opened_;  ///< of data sets, by core::Repository::url()
};

}  // namespace tare::hub
