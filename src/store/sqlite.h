#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

/// SQLite behind objects that close themselves and calls that return their errors.
namespace tare::store::sqlite {

/// What a message about a database file says: which file, and what its user can do.
struct Subject {
  std::filesystem::path path;
  std::string remedy;  ///< of a file that is not what it should be: "move it away or ..."
  /// Of one that another process has: what that means, and what to do.
  std::string locked = "is locked by another process; wait until that has ended";
};

/// A prepared statement. Places of parameters count from 1, columns from 0, as in SQLite.
class Statement {
 public:
  void bind(int place, std::int64_t value);
  void bind(int place, std::string_view text);
  /// True if there is a row to look at, false at the end.
  base::Result<bool> step();
  /// Runs a statement that has no rows, and makes it ready for the next parameters.
  base::Status run();

  [[nodiscard]] bool is_none(int column) const;
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, const Subject& subject)
      : statement_(statement), subject_(&subject) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const Subject* subject_;
};

/// One open database file. Errors name the file, the reason and the remedy in one line.
class Database {
 public:
  /// Opens the file, or makes an empty one. With `exclusive` no other process gets at it while it
  /// is open, and its write-ahead log needs no shared memory, which network file systems lack.
  static base::Result<Database> open(Subject subject, bool exclusive);

  /// Lets other processes write too, each for milliseconds at a time, while this one has the file
  /// open. From now on a power cut may lose the last answers, but not the file.
  base::Status share();

  /// Runs statements that need no parameters.
  base::Status run(const char* statements);
  base::Result<Statement> prepare(std::string_view statement);
  /// The first column of the first row.
  base::Result<std::int64_t> number(std::string_view query);
  base::Result<std::string> text(std::string_view query);

  [[nodiscard]] const Subject& subject() const { return *subject_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  explicit Database(Subject subject) : subject_(std::make_unique<Subject>(std::move(subject))) {}

  std::unique_ptr<Subject> subject_;  ///< statements point to it
  std::unique_ptr<sqlite3, Close> database_;
};

/// Takes back what was written since begin(), unless commit() was called.
class Transaction {
 public:
  static base::Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  base::Status commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

/// What tells one kind of tare's database files from all others.
struct Format {
  std::int64_t application_id = 0;  ///< SQLite keeps it in the file for those who ask what it is
  std::int64_t version = 0;
  const char* name = "";  ///< in messages: "journal"
};

/// True of a file with nothing in it, false of one of this format and version. An error that says
/// what it is of any other. The file is not changed.
base::Result<bool> is_empty(Database& database, const Format& format);

/// The error of a file that is no database of the wanted kind, or damaged.
base::Failure unfit(const Subject& subject, std::string_view what);

}  // namespace tare::store::sqlite
