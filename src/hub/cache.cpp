#include "hub/cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/files.h"

namespace tare::hub {
namespace fs = std::filesystem;
namespace {

using base::Status;

std::string folder_name(const RepositoryId& id) {
  std::string name = id.kind == Kind::dataset ? "datasets--" : "models--";
  for (const char c : id.name) name += c == '/' ? "--" : std::string(1, c);
  return name;
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

}  // namespace

Status make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return base::work_failed(
        fmt::format("{}: cannot be made: {}; set HF_HUB_CACHE to a folder "
                    "that can be written",
                    folder.string(), error.message()));
  return {};
}

CacheFolder::CacheFolder(const fs::path& cache, const RepositoryId& id)
    : folder_(cache / folder_name(id)), locks_(cache / ".locks" / folder_name(id)) {}

std::optional<std::string> CacheFolder::commit_of(const std::string& revision) const {
  if (is_commit(revision)) {
    const bool known = is_there(snapshot(revision)) || listing(revision);
    return known ? std::optional(revision) : std::nullopt;
  }
  auto commit = base::read_file(folder_ / "refs" / revision);
  if (!commit || !is_commit(*commit)) return std::nullopt;
  return *commit;
}

std::optional<std::string> CacheFolder::newest() const {
  std::optional<std::string> found;
  fs::file_time_type best;
  std::error_code error;
  for (fs::directory_iterator at(folder_ / "snapshots", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const fs::file_time_type made = at->last_write_time(error);
    if (!is_commit(name) || (found && made <= best)) continue;
    found = name;
    best = made;
  }
  return found;
}

Status CacheFolder::remember(const std::string& revision, const std::string& commit) const {
  if (revision == commit || commit_of(revision) == commit) return {};
  const fs::path ref = folder_ / "refs" / revision;
  TARE_CHECK(make_folder(ref.parent_path()));
  return base::write_file(ref, commit);
}

std::optional<Listing> CacheFolder::listing(const std::string& commit) const {
  const auto text = base::read_file(folder_ / "trees" / (commit + ".json"));
  if (!text) return std::nullopt;
  auto read = read_listing(*text);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

Status CacheFolder::keep(const std::string& commit, const Listing& listing) const {
  TARE_CHECK(make_folder(folder_ / "trees"));
  return base::write_file(folder_ / "trees" / (commit + ".json"), write_listing(listing));
}

fs::path CacheFolder::snapshot(const std::string& commit) const {
  return folder_ / "snapshots" / commit;
}

fs::path CacheFolder::blob(const std::string& etag) const {
  return folder_ / "blobs" / etag;
}

fs::path CacheFolder::lock(const std::string& etag) const {
  return locks_ / (etag + ".lock");
}

std::vector<std::string> CacheFolder::present(const std::string& commit) const {
  std::vector<std::string> files;
  const fs::path base = snapshot(commit);
  std::error_code error;
  for (fs::recursive_directory_iterator at(base, error), end; !error && at != end;
       at.increment(error))
    if (at->is_regular_file(error))
      files.push_back(at->path().lexically_relative(base).generic_string());
  std::ranges::sort(files);
  return files;
}

Status CacheFolder::link(const std::string& commit, const std::string& file,
                         const std::string& etag) const {
  const fs::path pointer = snapshot(commit) / file;
  if (is_there(pointer)) return {};
  TARE_CHECK(make_folder(pointer.parent_path()));
  std::error_code error;
  fs::remove(pointer, error);  // a link to a blob that is gone
  fs::create_symlink(blob(etag).lexically_relative(pointer.parent_path()), pointer, error);
  // Another process may have been faster; a disk without links gets a copy.
  if (error && !is_there(pointer)) fs::copy_file(blob(etag), pointer, error);
  if (error && !is_there(pointer))
    return base::work_failed(
        fmt::format("{}: cannot be written: {}", pointer.string(), error.message()));
  return {};
}

}  // namespace tare::hub
