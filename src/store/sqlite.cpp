#include "store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <chrono>
#include <thread>
#include <utility>

namespace tare::store::sqlite {
namespace {

/// How long another process may have the file before that is an error.
constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::chrono::milliseconds kPatienceWithSharers{20000};

base::Failure fault(const Subject& subject, int code, const char* message) {
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      return unfit(subject, "is no SQLite database");
    case SQLITE_CORRUPT:
      return unfit(subject, "is damaged");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return base::input_error(fmt::format("{}: {}", subject.path.string(), subject.locked));
    case SQLITE_FULL:
      return base::work_failed(
          fmt::format("{}: cannot be written: the disk is full; free space and start again",
                      subject.path.string()));
    case SQLITE_CANTOPEN:
      return base::input_error(fmt::format("{}: cannot be opened ({}); {}", subject.path.string(),
                                           message, subject.remedy));
    default:
      return base::work_failed(
          fmt::format("{}: {} (SQLite {}); check the disk and who may write there, and start again",
                      subject.path.string(), message, code));
  }
}

base::Failure fault(const Subject& subject, sqlite3* database) {
  return fault(subject, sqlite3_extended_errcode(database), sqlite3_errmsg(database));
}

}  // namespace

base::Result<bool> is_empty(Database& database, const Format& format) {
  // One statement, because another process may just be making the tables.
  TARE_TRY(Statement query,
           database.prepare("SELECT count(*), (SELECT application_id FROM pragma_application_id), "
                            "(SELECT user_version FROM pragma_user_version) FROM sqlite_schema"));
  TARE_CHECK(query.step());
  const std::int64_t tables = query.integer(0);
  const std::int64_t application = query.integer(1);
  const std::int64_t version = query.integer(2);
  if (tables == 0 && application == 0) return true;
  if (application != format.application_id)
    return unfit(database.subject(), "is a database of another program");
  if (version != format.version)
    return unfit(database.subject(),
                 fmt::format("has version {} of the {}; this tare reads version {}", version,
                             format.name, format.version));
  return false;
}

base::Failure unfit(const Subject& subject, std::string_view what) {
  return base::input_error(fmt::format("{}: {}; {}", subject.path.string(), what, subject.remedy));
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::bind(int place, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
}

void Statement::bind(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

base::Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fault(*subject_, sqlite3_db_handle(statement_.get()));
}

base::Status Statement::run() {
  const auto stepped = step();
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  if (!stepped) return tl::unexpected(stepped.error());
  return {};
}

bool Statement::is_none(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const void* bytes = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

base::Result<Database> Database::open(Subject subject, bool exclusive) {
  Database opened(std::move(subject));
  sqlite3* database = nullptr;
  const int code = sqlite3_open_v2(opened.subject_->path.c_str(), &database,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  opened.database_.reset(database);
  if (code != SQLITE_OK) return fault(*opened.subject_, code, sqlite3_errstr(code));
  const auto patience = exclusive ? kPatience : kPatienceWithSharers;
  sqlite3_busy_timeout(database, static_cast<int>(patience.count()));
  if (exclusive) TARE_CHECK(opened.run("PRAGMA locking_mode = EXCLUSIVE"));
  return opened;
}

base::Status Database::share() {
  // A new file changes to a write-ahead log at a moment when nobody else reads it, and SQLite's
  // own patience does not hold for that.
  const auto deadline = std::chrono::steady_clock::now() + kPatienceWithSharers;
  base::Status shared = run("PRAGMA journal_mode = WAL");
  while (sqlite3_errcode(database_.get()) == SQLITE_BUSY &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    shared = run("PRAGMA journal_mode = WAL");
  }
  TARE_CHECK(shared);
  return run("PRAGMA synchronous = NORMAL");
}

base::Status Database::run(const char* statements) {
  if (sqlite3_exec(database_.get(), statements, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return fault(*subject_, database_.get());
}

base::Result<Statement> Database::prepare(std::string_view statement) {
  sqlite3_stmt* prepared = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), statement.data(),
                                      static_cast<int>(statement.size()), &prepared, nullptr);
  if (code != SQLITE_OK) return fault(*subject_, database_.get());
  return Statement(prepared, *subject_);
}

base::Result<std::int64_t> Database::number(std::string_view query) {
  TARE_TRY(Statement statement, prepare(query));
  TARE_TRY(const bool there, statement.step());
  return there ? statement.integer(0) : 0;
}

base::Result<std::string> Database::text(std::string_view query) {
  TARE_TRY(Statement statement, prepare(query));
  TARE_TRY(const bool there, statement.step());
  return there ? statement.text(0) : std::string();
}

base::Result<Transaction> Transaction::begin(Database& database) {
  TARE_CHECK(database.run("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ != nullptr) static_cast<void>(database_->run("ROLLBACK"));
}

base::Status Transaction::commit() {
  TARE_CHECK(database_->run("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace tare::store::sqlite
