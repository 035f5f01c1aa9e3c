#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tare::core {

/// A data set repository of a hub at one commit.
struct Repository {
  std::string name;      ///< "org/name"
  std::string revision;  ///< what was asked for: a branch, a tag or a commit
  std::string commit;
  std::vector<std::string> files;  ///< all that it has, with '/', sorted

  /// "hf://datasets/org/name@commit"; a '/' and a file behind it make what Remote::fetch takes.
  [[nodiscard]] std::string url() const { return "hf://datasets/" + name + "@" + commit; }
};

/// Data that lies on other machines until it is asked for. Implemented by the room hub.
class Remote {
 public:
  virtual ~Remote() = default;
  /// The repository of a data set, as the cache or else the server knows it.
  virtual base::Result<Repository> find(const std::string& name, const std::string& revision) = 0;
  /// The local copy of "https://...", or of a file of a repository that `find` gave.
  virtual base::Result<std::filesystem::path> fetch(const std::string& url) = 0;
};

}  // namespace tare::core
