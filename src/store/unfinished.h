#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/request.h"

/// The record of a run that has not ended (docs/formats/unfinished.md).
namespace tare::store {

/// What the run was asked to do; its hash tells whether another run asks for the same.
struct UnfinishedHeader {
  std::string model;     ///< as the user named it
  base::Value settings;  ///< backend and run settings that can change a number, a dict
  std::vector<std::string> tasks;
};

/// One response as it is logged.
struct FinishedResponse {
  std::string task;
  std::size_t doc_id = 0;
  std::size_t index = 0;       ///< which request of the document
  std::size_t repetition = 0;  ///< which answer to it
  core::Response response;
};

/// `unfinished.jsonl` in the output folder: a header line, then a line a response. It exists while
/// the run is not finished and stays behind when the run is stopped.
class UnfinishedLog {
 public:
  /// Starts the file and writes its header. One that an earlier, stopped run left is kept as
  /// unfinished-1.jsonl (or the next number that is free).
  static base::Result<UnfinishedLog> create(const std::filesystem::path& folder,
                                            const UnfinishedHeader& header);

  /// Writes the responses and hands them to the system, so that they outlive this process.
  base::Status append(std::span<const FinishedResponse> responses);

  /// Removes the file. To be called once results.json is written.
  base::Status finish();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  UnfinishedLog(std::filesystem::path path, std::ofstream out)
      : path_(std::move(path)), out_(std::move(out)) {}
  base::Status write(const std::string& lines);

  std::filesystem::path path_;
  std::ofstream out_;
};

/// True if the folder holds the results of a run that ended.
base::Result<bool> holds_finished_run(const std::filesystem::path& folder);

}  // namespace tare::store
