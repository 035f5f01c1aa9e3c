#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "hub/listing.h"

namespace tare::hub {

/// One repository's folder in the hub cache, laid out as huggingface_hub lays it, so that both
/// share it:
///   datasets--org--name/refs/main            the commit that "main" was
///   datasets--org--name/trees/COMMIT.json    which files that commit has
///   datasets--org--name/blobs/ETAG           what they hold
///   datasets--org--name/snapshots/COMMIT/... links to these, by name
///   .locks/datasets--org--name/ETAG.lock     held (flock) while a blob is written
class CacheFolder {
 public:
  CacheFolder(const std::filesystem::path& cache, const RepositoryId& id);

  /// The commit that a revision had when it was last asked for; a commit is its own.
  [[nodiscard]] std::optional<std::string> commit_of(const std::string& revision) const;
  /// The snapshot that was made last: `datasets` asks for commits and leaves no refs.
  [[nodiscard]] std::optional<std::string> newest() const;
  [[nodiscard]] base::Status remember(const std::string& revision, const std::string& commit) const;

  [[nodiscard]] std::optional<Listing> listing(const std::string& commit) const;
  [[nodiscard]] base::Status keep(const std::string& commit, const Listing& listing) const;

  [[nodiscard]] std::filesystem::path snapshot(const std::string& commit) const;
  [[nodiscard]] std::filesystem::path blob(const std::string& etag) const;
  [[nodiscard]] std::filesystem::path lock(const std::string& etag) const;
  /// Files of a snapshot that are there, with '/', sorted.
  [[nodiscard]] std::vector<std::string> present(const std::string& commit) const;
  /// Makes snapshots/COMMIT/FILE a link to the blob.
  [[nodiscard]] base::Status link(const std::string& commit, const std::string& file,
                                  const std::string& etag) const;

 private:
  std::filesystem::path folder_;
  std::filesystem::path locks_;
};

/// Makes the folder and its parents.
base::Status make_folder(const std::filesystem::path& folder);

}  // namespace tare::hub
