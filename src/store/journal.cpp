#include "store/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "base/json.h"
#include "store/answer_row.h"
#include "store/fields.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;
using base::Result;
using sqlite::Database;
using sqlite::Statement;

/// Its number spells "tare".
constexpr sqlite::Format kFormat{0x74617265, fields::kJournalVersion, "journal"};

sqlite::Subject subject_of(const fs::path& folder) {
  return {folder / fields::kJournalFile, "move it away, or name another --output",
          "is being written by a run at work in another process; wait until that has ended, or "
          "follow it by its --progress-log"};
}

enum class Content { nothing, journal };

/// What the file holds, without changing it.
Result<Content> content_of(Database& database) {
  TARE_TRY(const bool empty, sqlite::is_empty(database, kFormat));
  if (empty) return Content::nothing;
  TARE_TRY(const std::string check, database.text("PRAGMA quick_check(1)"));
  if (check != "ok") return sqlite::unfit(database.subject(), "is damaged");
  return Content::journal;
}

base::Status create_tables(Database& database) {
  return database.run(
      fmt::format("CREATE TABLE run (settings TEXT NOT NULL, requests INTEGER NOT NULL, "
                  "requests_sha256 TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL, "
                  "asked INTEGER NOT NULL, command TEXT NOT NULL, folder TEXT NOT NULL);"
                  "CREATE TABLE answers (position INTEGER PRIMARY KEY, {});"
                  "CREATE TABLE failures (position INTEGER PRIMARY KEY, reason TEXT NOT NULL);"
                  "PRAGMA application_id = {}; PRAGMA user_version = {}",
                  kAnswerColumns, kFormat.application_id, kFormat.version)
          .c_str());
}

base::Status write_header(Database& database, const JournalHeader& header) {
  TARE_TRY(Statement insert, database.prepare("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  const base::List command(header.command.begin(), header.command.end());
  insert.bind(1, base::json::dump(header.settings));
  insert.bind(2, static_cast<std::int64_t>(header.requests));
  insert.bind(3, header.requests_sha256);
  insert.bind(4, static_cast<std::int64_t>(header.shard));
  insert.bind(5, static_cast<std::int64_t>(header.shards));
  insert.bind(6, static_cast<std::int64_t>(header.asked));
  insert.bind(7, base::json::dump(command));
  insert.bind(8, header.folder);
  return insert.run();
}

/// All at once, so that a process that is killed leaves a journal or nothing.
base::Status start(Database& database, const JournalHeader& header) {
  TARE_TRY(auto transaction, sqlite::Transaction::begin(database));
  TARE_CHECK(create_tables(database));
  TARE_CHECK(write_header(database, header));
  return transaction.commit();
}

std::optional<std::vector<std::string>> read_command(const std::string& text) {
  const auto list = base::json::parse(text);
  if (!list || !list->is_list()) return std::nullopt;
  std::vector<std::string> command;
  for (const base::Value& word : list->items()) {
    if (!word.is_string()) return std::nullopt;
    command.push_back(word.as_string());
  }
  return command;
}

Result<JournalHeader> read_header(Database& database) {
  TARE_TRY(Statement query, database.prepare("SELECT settings, requests, requests_sha256, shard, "
                                             "shards, asked, command, folder FROM run"));
  TARE_TRY(const bool there, query.step());
  if (!there) return sqlite::unfit(database.subject(), "is damaged: it has no header");
  auto settings = base::json::parse(query.text(0));
  auto command = read_command(query.text(6));
  if (!settings || !command)
    return sqlite::unfit(database.subject(), "is damaged: its header cannot be read");
  return JournalHeader{std::move(*settings),
                       static_cast<std::size_t>(query.integer(1)),
                       query.text(2),
                       static_cast<std::size_t>(query.integer(3)),
                       static_cast<std::size_t>(query.integer(4)),
                       static_cast<std::size_t>(query.integer(5)),
                       std::move(*command),
                       query.text(7)};
}

/// The header as it would come back from a file.
Result<JournalHeader> as_stored(JournalHeader header) {
  TARE_TRY(header.settings, base::json::parse(base::json::dump(header.settings)));
  return header;
}

}  // namespace

Result<Journal> Journal::open(const fs::path& folder, const JournalHeader& header) {
  TARE_TRY(JournalHeader wanted, as_stored(header));
  TARE_TRY(Database database, Database::open(subject_of(folder), true));
  TARE_TRY(const Content content, content_of(database));
  if (content == Content::nothing) {
    TARE_CHECK(start(database, wanted));
    return Journal(std::move(database), std::move(wanted));
  }
  TARE_TRY(JournalHeader found, read_header(database));
  Journal journal(std::move(database), std::move(found));
  TARE_CHECK(journal.check(wanted));
  return journal;
}

base::Status Journal::check(const JournalHeader& header) const {
  TARE_TRY(const JournalHeader wanted, as_stored(header));
  const auto different = differences(header_, wanted);
  if (different.empty()) return {};
  return base::input_error(
      fmt::format("{}: is of a run with other settings: {}; give the same settings to go on, or "
                  "name another --output",
                  path().string(), text_of(different)));
}

Result<std::optional<Journal>> Journal::open_started(const fs::path& folder) {
  if (!holds_started_journal(folder)) return std::optional<Journal>();
  TARE_TRY(Database database, Database::open(subject_of(folder), true));
  TARE_TRY(const Content content, content_of(database));
  if (content == Content::nothing) return std::optional<Journal>();
  TARE_TRY(JournalHeader header, read_header(database));
  return Journal(std::move(database), std::move(header));
}

Result<Journal> Journal::open_existing(const fs::path& folder) {
  TARE_TRY(std::optional<Journal> journal, open_started(folder));
  if (journal) return std::move(*journal);
  if (holds_journal(folder))
    return sqlite::unfit(subject_of(folder), "is empty: the run was stopped before it began");
  return base::input_error(fmt::format("{}: holds no {}; wanted the output folder of a run",
                                       folder.string(), fields::kJournalFile));
}

Result<std::vector<core::Answered>> Journal::answers() {
  TARE_TRY(Statement query,
           database_.prepare(
               fmt::format("SELECT position, {} FROM answers ORDER BY position", kAnswerNames)));
  std::vector<core::Answered> all;
  for (;;) {
    TARE_TRY(const bool more, query.step());
    if (!more) return all;
    const auto position = static_cast<std::size_t>(query.integer(0));
    auto answer = read_answer(query, 1);
    if (!answer || position >= header_.requests)
      return sqlite::unfit(database_.subject(), fmt::format("is damaged: answer {}", position));
    all.push_back({position, std::move(*answer)});
  }
}

base::Status Journal::append(std::span<const core::Answered> answers) {
  TARE_CHECK(unseal());
  TARE_TRY(auto transaction, sqlite::Transaction::begin(database_));
  TARE_TRY(Statement insert,
           database_.prepare(fmt::format(
               "INSERT INTO answers (position, {}) VALUES (?, ?, ?, ?, ?, ?)", kAnswerNames)));
  for (const core::Answered& answered : answers) {
    insert.bind(1, static_cast<std::int64_t>(answered.position));
    bind_answer(insert, 2, answered.answer);
    TARE_CHECK(insert.run());
  }
  return transaction.commit();
}

Result<std::vector<core::Failed>> Journal::failures() {
  TARE_TRY(Statement query,
           database_.prepare("SELECT position, reason FROM failures WHERE position NOT IN (SELECT "
                             "position FROM answers) ORDER BY position"));
  std::vector<core::Failed> all;
  for (;;) {
    TARE_TRY(const bool more, query.step());
    if (!more) return all;
    const auto position = static_cast<std::size_t>(query.integer(0));
    if (position >= header_.requests)
      return sqlite::unfit(database_.subject(), fmt::format("is damaged: failure {}", position));
    all.push_back({position, {query.text(1)}});
  }
}

base::Status Journal::note(std::span<const core::Failed> failures) {
  TARE_CHECK(unseal());
  TARE_TRY(auto transaction, sqlite::Transaction::begin(database_));
  TARE_TRY(Statement insert, database_.prepare("INSERT OR REPLACE INTO failures VALUES (?, ?)"));
  for (const core::Failed& failed : failures) {
    insert.bind(1, static_cast<std::int64_t>(failed.position));
    insert.bind(2, failed.failure.reason);
    TARE_CHECK(insert.run());
  }
  return transaction.commit();
}

base::Status Journal::unseal() {
  if (!std::exchange(sealed_, false)) return {};
  return database_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
}

base::Status Journal::seal() {
  sealed_ = true;
  return database_.run("PRAGMA journal_mode = DELETE");
}

bool holds_journal(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / fields::kJournalFile, error);
}

bool holds_started_journal(const fs::path& folder) {
  std::error_code error;
  return holds_journal(folder) && !fs::is_empty(folder / fields::kJournalFile, error);
}

}  // namespace tare::store
