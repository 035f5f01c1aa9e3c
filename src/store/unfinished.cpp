#include "store/unfinished.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/outcome.h"

namespace tare::store {
namespace {

namespace fs = std::filesystem;
namespace field = fields::unfinished;
using base::Dict;
using base::List;
using base::Value;

std::string line(Dict dict) {
  return base::json::dump(Value(std::move(dict))) + "\n";
}

std::string header_line(const UnfinishedHeader& header) {
  List tasks(header.tasks.begin(), header.tasks.end());
  Dict asked;
  asked.set(field::kModel, header.model);
  asked.set(field::kSettings, header.settings);
  asked.set(field::kTasks, std::move(tasks));
  const std::string hash = base::sha256_hex(base::json::dump(Value(asked)));

  Dict dict;
  dict.set(fields::kSchemaVersion, fields::kUnfinishedVersion);
  dict.set(field::kSettingsHash, hash);
  for (const auto& [key, value] : asked) dict.set(key, value);
  return line(std::move(dict));
}

std::string response_line(const FinishedResponse& finished) {
  const core::Response& response = finished.response;
  Dict dict;
  dict.set(field::kTask, finished.task);
  dict.set(field::kDocId, finished.doc_id);
  dict.set(field::kIndex, finished.index);
  dict.set(field::kRepetition, finished.repetition);
  set_outcome(dict, response);
  return line(std::move(dict));
}

base::Failure cannot(const char* what, const fs::path& path, const std::string& reason) {
  return base::work_failed(fmt::format("{}: cannot {}: {}; free space or choose another --output",
                                       path.string(), what, reason));
}

/// unfinished-1.jsonl, or the first number that is free.
fs::path kept_name(const fs::path& path) {
  fs::path kept;
  for (int n = 1; kept.empty() || fs::exists(kept); ++n)
    kept = path.parent_path() /
           fmt::format("{}-{}{}", path.stem().string(), n, path.extension().string());
  return kept;
}

/// What an earlier, stopped run finished stays, under another name.
base::Status keep_earlier(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return {};
  fs::rename(path, kept_name(path), error);
  if (error) return cannot("set it aside", path, error.message());
  return {};
}

}  // namespace

base::Result<UnfinishedLog> UnfinishedLog::create(const fs::path& folder,
                                                  const UnfinishedHeader& header) {
  TARE_CHECK(base::ensure_writable_folder(folder));
  fs::path path = folder / fields::kUnfinishedFile;
  TARE_CHECK(keep_earlier(path));
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) return cannot("create it", path, std::strerror(errno));
  UnfinishedLog log(std::move(path), std::move(out));
  TARE_CHECK(log.write(header_line(header)));
  return log;
}

base::Status UnfinishedLog::write(const std::string& lines) {
  errno = 0;
  out_ << lines << std::flush;
  if (!out_) return cannot("write to it", path_, std::strerror(errno));
  return {};
}

base::Status UnfinishedLog::append(std::span<const FinishedResponse> responses) {
  std::string lines;
  for (const FinishedResponse& response : responses) lines += response_line(response);
  return write(lines);
}

base::Status UnfinishedLog::finish() {
  out_.close();
  std::error_code error;
  fs::remove(path_, error);
  if (error) return cannot("remove it", path_, error.message());
  return {};
}

base::Result<bool> holds_finished_run(const fs::path& folder) {
  std::error_code error;
  const bool there = fs::exists(folder / fields::kResultsFile, error);
  if (error)
    return base::input_error(
        fmt::format("{}: cannot look into the folder: {}", folder.string(), error.message()));
  return there;
}

}  // namespace tare::store
