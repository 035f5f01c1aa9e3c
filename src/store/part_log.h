#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "base/result.h"
#include "base/value.h"
#include "store/sqlite.h"

namespace tare::store {

/// A file of finished parts of a longer work, each durable before it counts, so that the work goes
/// on after any end. One process has it for itself while it is open. All errors name the file and
/// what to do.
class PartLog {
 public:
  /// Opens the file, or starts one. `settings` is a dict of all that the parts depend on: a file
  /// with others is refused, naming what differs.
  static base::Result<PartLog> open(const std::filesystem::path& file, const base::Value& settings);

  /// All parts by name.
  base::Result<std::map<std::string, std::string>> parts();
  /// Adds a part, or puts it in place of the one of that name. When it returns the part outlives a
  /// power cut; if it fails nothing has changed.
  base::Status put(const std::string& name, const std::string& body);

 private:
  explicit PartLog(sqlite::Database database) : database_(std::move(database)) {}
  sqlite::Database database_;
};

}  // namespace tare::store
