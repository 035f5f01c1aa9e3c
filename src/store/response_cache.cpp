#include "store/response_cache.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "store/answer_row.h"
#include "store/fields.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;
using base::Result;
using sqlite::Database;
using sqlite::Statement;

/// Its number spells "tarc".
constexpr sqlite::Format kFormat{0x74617263, fields::kCacheVersion, "cache"};

/// Looks again inside a transaction, because other processes may be about to do the same.
base::Status create_tables(Database& database) {
  TARE_TRY(bool empty, sqlite::is_empty(database, kFormat));
  if (!empty) return {};
  TARE_TRY(auto transaction, sqlite::Transaction::begin(database));
  TARE_TRY(empty, sqlite::is_empty(database, kFormat));
  if (!empty) return {};
  TARE_CHECK(database.run(
      fmt::format("CREATE TABLE answerers (id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, "
                  "settings TEXT NOT NULL);"
                  "CREATE TABLE answers (answerer INTEGER NOT NULL, request TEXT NOT NULL, {}, "
                  "PRIMARY KEY (answerer, request)) WITHOUT ROWID;"
                  "PRAGMA application_id = {}; PRAGMA user_version = {}",
                  kAnswerColumns, kFormat.application_id, kFormat.version)
          .c_str()));
  return transaction.commit();
}

Result<std::optional<std::int64_t>> number_of(Database& database, const std::string& sha256) {
  TARE_TRY(Statement query, database.prepare("SELECT id FROM answerers WHERE sha256 = ?"));
  query.bind(1, sha256);
  TARE_TRY(const bool there, query.step());
  if (!there) return std::optional<std::int64_t>();
  return std::optional(query.integer(0));
}

base::Status add_answerer(Database& database, const std::string& sha256,
                          const std::string& settings) {
  TARE_TRY(Statement insert,
           database.prepare("INSERT OR IGNORE INTO answerers (sha256, settings) VALUES (?, ?)"));
  insert.bind(1, sha256);
  insert.bind(2, settings);
  return insert.run();
}

base::Status make_folder(const fs::path& path) {
  std::error_code error;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
  if (error)
    return base::input_error(
        fmt::format("{}: cannot make its folder: {}", path.string(), error.message()));
  return {};
}

/// Error: the file cannot be written, or made where it is not there. Proved in the innermost folder
/// that is there, without making anything.
base::Status check_writable(const fs::path& path) {
  std::error_code unknown;
  fs::path folder = fs::absolute(path).lexically_normal().parent_path();
  while (!fs::exists(folder, unknown) && folder.has_relative_path()) folder = folder.parent_path();
  std::string fault;
  if (!fs::is_directory(folder, unknown)) {
    fault = folder.string() + " is no folder";
  } else if (!base::ensure_writable_folder(folder)) {
    fault = folder.string() + " is not writable";
  } else if (fs::is_regular_file(path, unknown) && !std::ofstream(path, std::ios::app)) {
    fault = "the file is read-only";
  }
  if (fault.empty()) return {};
  return base::input_error(
      fmt::format("{}: cannot be written: {}; name another file", path.string(), fault));
}

Result<Database> open_file(const fs::path& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown))
    return base::input_error(fmt::format("{}: is a folder; wanted a file", path.string()));
  return Database::open(
      {path,
       "name another file or use --cache off; without a cache file answers are computed again"},
      false);
}

}  // namespace

base::Status ResponseCache::check(const fs::path& path) {
  TARE_CHECK(check_writable(path));
  std::error_code unknown;
  if (!fs::exists(path, unknown)) return {};
  TARE_TRY(Database database, open_file(path));
  TARE_CHECK(sqlite::is_empty(database, kFormat));
  return {};
}

Result<ResponseCache> ResponseCache::open(const fs::path& path, const base::Value& answerer) {
  const std::string settings = base::json::dump(answerer);
  const std::string sha256 = base::sha256_hex(settings);
  TARE_CHECK(make_folder(path));
  TARE_TRY(Database database, open_file(path));
  TARE_CHECK(sqlite::is_empty(database, kFormat));
  TARE_CHECK(database.share());
  TARE_CHECK(create_tables(database));
  TARE_TRY(auto known, number_of(database, sha256));
  const bool is_new = !known.has_value();
  if (is_new) {
    TARE_CHECK(add_answerer(database, sha256, settings));
    TARE_TRY(known, number_of(database, sha256));
  }
  TARE_TRY(Statement find,
           database.prepare(fmt::format("SELECT {} FROM answers WHERE answerer = ? AND request = ?",
                                        kAnswerNames)));
  TARE_TRY(Statement add,
           database.prepare(fmt::format("INSERT OR REPLACE INTO answers (answerer, request, {}) "
                                        "VALUES (?, ?, ?, ?, ?, ?, ?)",
                                        kAnswerNames)));
  return ResponseCache(std::move(database), std::move(find), std::move(add), known.value_or(0),
                       is_new);
}

Result<std::optional<core::Answer>> ResponseCache::find(const std::string& request) {
  find_.bind(1, answerer_);
  find_.bind(2, request);
  TARE_TRY(const bool there, find_.step());
  std::optional<core::Answer> answer;
  if (there) answer = read_answer(find_, 0);
  TARE_CHECK(find_.run());
  return answer;
}

base::Status ResponseCache::add(std::span<const CachedAnswer> answers) {
  TARE_TRY(auto transaction, sqlite::Transaction::begin(database_));
  for (const CachedAnswer& cached : answers) {
    add_.bind(1, answerer_);
    add_.bind(2, cached.request);
    bind_answer(add_, 3, cached.answer);
    TARE_CHECK(add_.run());
  }
  return transaction.commit();
}

}  // namespace tare::store
