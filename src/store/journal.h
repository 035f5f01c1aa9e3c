#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "core/request.h"
#include "store/journal_header.h"
#include "store/sqlite.h"

namespace tare::store {

/// `journal.sqlite` in the output folder: each answer of the model, durable before it counts
/// (docs/formats/journal.md). One process has it for itself while it is open. All errors name the
/// file and what to do; a file that another process has, that is damaged, of another program or of
/// a newer tare is refused and left as it is.
class Journal {
 public:
  /// Opens the folder's journal, or starts one. A journal with another header is refused, naming
  /// what differs.
  static base::Result<Journal> open(const std::filesystem::path& folder,
                                    const JournalHeader& header);
  /// Opens a journal that is there, whatever it is of; none where nothing was begun.
  static base::Result<std::optional<Journal>> open_started(const std::filesystem::path& folder);
  /// The same; error: nothing was begun.
  static base::Result<Journal> open_existing(const std::filesystem::path& folder);

  /// Error: `header` is of another run, with what differs.
  [[nodiscard]] base::Status check(const JournalHeader& header) const;
  [[nodiscard]] const JournalHeader& header() const { return header_; }
  [[nodiscard]] const std::filesystem::path& path() const { return database_.subject().path; }

  /// All answers, by position.
  base::Result<std::vector<core::Answered>> answers();
  /// Adds answers to positions that have none yet. When it returns they outlive a power cut; if it
  /// fails none of them is there.
  base::Status append(std::span<const core::Answered> answers);
  /// Why requests have no answer, by position; those that have one by now are not among them.
  base::Result<std::vector<core::Failed>> failures();
  /// Writes down why requests have no answer, over what was written of them before. They are asked
  /// again all the same when the run goes on.
  base::Status note(std::span<const core::Failed> failures);
  /// Makes the journal one file without companions, until the next append(): to be copied, or read
  /// where nothing can be written.
  base::Status seal();

 private:
  Journal(sqlite::Database database, JournalHeader header)
      : database_(std::move(database)), header_(std::move(header)) {}

  /// Until the next seal() each commit is on the disk when it returns.
  base::Status unseal();

  sqlite::Database database_;
  JournalHeader header_;
  bool sealed_ = true;
};

/// True if the folder has a journal.
bool holds_journal(const std::filesystem::path& folder);
/// The same, and it is not an empty file.
bool holds_started_journal(const std::filesystem::path& folder);

}  // namespace tare::store
