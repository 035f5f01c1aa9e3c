#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "base/value.h"
#include "core/request.h"
#include "store/sqlite.h"

namespace tare::store {

/// An answer under the key of its request (plan::request_key).
struct CachedAnswer {
  std::string request;
  core::Answer answer;
};

/// Answers that runs keep for each other, in one file (docs/formats/cache.md) that several
/// processes may have open. It holds nothing that cannot be computed again. A file that is damaged,
/// of another program or of another version is refused and left as it is.
class ResponseCache {
 public:
  /// Error: there is something at the path that open() would refuse. Nothing is made or changed.
  static base::Status check(const std::filesystem::path& path);
  /// Opens the file, or makes it with its folders. `answerer` is what answers, with all that can
  /// change an answer: answers are found under an equal one alone.
  static base::Result<ResponseCache> open(const std::filesystem::path& path,
                                          const base::Value& answerer);

  /// True if nothing of this answerer was there when the file was opened.
  [[nodiscard]] bool new_answerer() const { return new_answerer_; }
  base::Result<std::optional<core::Answer>> find(const std::string& request);
  /// All of them or none. What another process added meanwhile is replaced by the same.
  base::Status add(std::span<const CachedAnswer> answers);

 private:
  ResponseCache(sqlite::Database database, sqlite::Statement find, sqlite::Statement add,
                std::int64_t answerer, bool new_answerer)
      : database_(std::move(database)),
        find_(std::move(find)),
        add_(std::move(add)),
        answerer_(answerer),
        new_answerer_(new_answerer) {}

  sqlite::Database database_;
  sqlite::Statement find_, add_;
  std::int64_t answerer_;  ///< its number in the file
  bool new_answerer_;
};

}  // namespace tare::store
