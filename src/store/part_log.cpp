#include "store/part_log.h"

#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "store/fields.h"
#include "store/journal_header.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Value;
using sqlite::Database;
using sqlite::Statement;

/// Its number spells "tarp".
constexpr sqlite::Format kFormat{0x74617270, fields::kPartLogVersion, "log of parts"};

/// All at once, so that a process that is killed leaves a whole log or nothing.
base::Status start(Database& database, const std::string& settings) {
  TARE_TRY(auto transaction, sqlite::Transaction::begin(database));
  TARE_CHECK(database.run(fmt::format("CREATE TABLE work (settings TEXT NOT NULL);"
                                      "CREATE TABLE parts (name TEXT PRIMARY KEY, body TEXT NOT "
                                      "NULL) WITHOUT ROWID;"
                                      "PRAGMA application_id = {}; PRAGMA user_version = {}",
                                      kFormat.application_id, kFormat.version)
                              .c_str()));
  {
    TARE_TRY(Statement insert, database.prepare("INSERT INTO work VALUES (?)"));
    insert.bind(1, settings);
    TARE_CHECK(insert.run());
  }
  return transaction.commit();
}

base::Status check_settings(Database& database, const Value& wanted) {
  TARE_TRY(const std::string text, database.text("SELECT settings FROM work"));
  const auto found = base::json::parse(text);
  if (!found) return sqlite::unfit(database.subject(), "is damaged: its settings cannot be read");
  JournalHeader there, here;
  there.settings = *found;
  here.settings = wanted;
  const auto different = differences(there, here);
  if (different.empty()) return {};
  return base::input_error(
      fmt::format("{}: is of work with other settings: {}; give the same settings to go on, or "
                  "name another --output",
                  database.subject().path.string(), text_of(different)));
}

base::Status check_health(Database& database) {
  TARE_TRY(const std::string check, database.text("PRAGMA quick_check(1)"));
  if (check != "ok") return sqlite::unfit(database.subject(), "is damaged");
  return {};
}

}  // namespace

Result<PartLog> PartLog::open(const fs::path& file, const Value& settings) {
  const std::string text = base::json::dump(settings);
  TARE_TRY(const Value stored, base::json::parse(text));
  TARE_TRY(Database database,
           Database::open({file, "move it away, or name another --output"}, true));
  TARE_TRY(const bool empty, sqlite::is_empty(database, kFormat));
  if (empty) {
    TARE_CHECK(start(database, text));
  } else {
    TARE_CHECK(check_health(database));
    TARE_CHECK(check_settings(database, stored));
  }
  TARE_CHECK(database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL"));
  return PartLog(std::move(database));
}

Result<std::map<std::string, std::string>> PartLog::parts() {
  std::map<std::string, std::string> all;
  TARE_TRY(Statement query, database_.prepare("SELECT name, body FROM parts"));
  while (true) {
    TARE_TRY(const bool there, query.step());
    if (!there) return all;
    all.emplace(query.text(0), query.text(1));
  }
}

base::Status PartLog::put(const std::string& name, const std::string& body) {
  TARE_TRY(Statement insert, database_.prepare("INSERT OR REPLACE INTO parts VALUES (?, ?)"));
  insert.bind(1, name);
  insert.bind(2, body);
  return insert.run();
}

}  // namespace tare::store
