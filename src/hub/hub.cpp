#include "hub/hub.h"

#include <fmt/format.h>

#include <algorithm>

#include "hub/cache.h"
#include "hub/download.h"
#include "hub/file_lock.h"
#include "hub/plain_url.h"
#include "hub/url.h"

namespace tare::hub {
namespace fs = std::filesystem;
namespace {

using base::Result;

constexpr std::size_t kLongestAnswer = 256 << 20;
constexpr int kMostPages = 10'000;
constexpr std::string_view kDatasetScheme = "hf://datasets/";

std::string api_url(const Settings& settings, const RepositoryId& id, std::string_view what) {
  return fmt::format("{}/api/{}/{}/{}", settings.endpoint,
                     id.kind == Kind::dataset ? "datasets" : "models", id.name, what);
}

std::string file_url(const Settings& settings, const Snapshot& snapshot, const std::string& file) {
  return fmt::format("{}/{}{}/resolve/{}/{}", settings.endpoint,
                     snapshot.id.kind == Kind::dataset ? "datasets/" : "", snapshot.id.name,
                     snapshot.commit, quote(file, "/"));
}

base::Failure offline(const std::string& subject, const fs::path& cache) {
  return base::input_error(
      fmt::format("{}: is not in {}, and tare is offline (--offline or HF_HUB_OFFLINE); run `tare "
                  "fetch` while online, or name a folder that has it with --datasets",
                  subject, cache.string()));
}

base::Status check_names(const RepositoryId& id, const std::string& revision) {
  if (!is_repository_name(id.name))
    return base::input_error(
        fmt::format("{}: is no name of a repository, wanted org/name", id.name));
  if (!is_revision(revision))
    return base::input_error(fmt::format(
        "{}: found the revision '{}', wanted a branch, tag or commit", id.name, revision));
  return {};
}

std::string subject_of(const Snapshot& snapshot, const std::string& file) {
  return snapshot.id.name + ": " + file;
}

core::Repository repository_of(const Snapshot& snapshot) {
  core::Repository repository{snapshot.id.name, snapshot.revision, snapshot.commit,
                              snapshot.present};
  for (const auto& entry : snapshot.listing) repository.files.push_back(entry.first);
  return repository;
}

}  // namespace

Hub::Hub(Settings settings) : client_(std::move(settings)) {}

Result<Snapshot> Hub::open(const RepositoryId& id, const std::string& revision) {
  TARE_CHECK(check_names(id, revision));
  const Settings& settings = client_.settings();
  const CacheFolder cache(settings.cache, id);
  auto known = cache.commit_of(revision);
  if (!known && settings.offline && revision == "main") known = cache.newest();
  if (known && (settings.offline || !settings.refresh || *known == revision))
    return open_commit(id, revision, *known);
  if (settings.offline) return offline(id.name, settings.cache);
  TARE_TRY(const std::string commit, ask_commit(id, revision));
  TARE_TRY(Snapshot snapshot, open_commit(id, revision, commit));
  TARE_CHECK(cache.remember(revision, commit));
  return snapshot;
}

Result<Snapshot> Hub::open_commit(const RepositoryId& id, const std::string& revision,
                                  const std::string& commit) {
  const CacheFolder cache(client_.settings().cache, id);
  Snapshot snapshot{id, revision, commit, {}, {}};
  if (auto kept = cache.listing(commit)) {
    snapshot.listing = std::move(*kept);
    return snapshot;
  }
  // Files that huggingface_hub put there come without a listing, and may be a part of all.
  std::vector<std::string> present = cache.present(commit);
  if (!client_.settings().offline) {
    auto listing = ask_listing(id, commit);
    if (listing) {
      TARE_CHECK(cache.keep(commit, *listing));
      snapshot.listing = std::move(*listing);
      return snapshot;
    }
    if (present.empty()) return base::Failure(listing.error());
    client_.settings().notify(listing.error().text + "; using what the cache has");
  }
  snapshot.present = std::move(present);
  return snapshot;
}

Result<fs::path> Hub::fetch(const Snapshot& snapshot, const std::string& file) {
  const Settings& settings = client_.settings();
  const CacheFolder cache(settings.cache, snapshot.id);
  const fs::path pointer = cache.snapshot(snapshot.commit) / file;
  std::error_code ignored;
  if (is_inside(file) && fs::exists(pointer, ignored)) return pointer;
  const auto listed = snapshot.listing.find(file);
  if (listed == snapshot.listing.end())
    return base::input_error(
        fmt::format("{}: has no such file at {}", subject_of(snapshot, file), snapshot.commit));
  if (settings.offline) return offline(subject_of(snapshot, file), settings.cache);
  const std::string& etag = listed->second.etag();
  TARE_CHECK(make_folder(cache.blob(etag).parent_path()));
  TARE_CHECK(make_folder(cache.lock(etag).parent_path()));
  TARE_TRY(const FileLock lock, FileLock::take(cache.lock(etag), settings.notify));
  if (!fs::exists(cache.blob(etag), ignored)) {
    settings.notify(
        fmt::format("downloading {} ({} bytes)", subject_of(snapshot, file), listed->second.size));
    TARE_CHECK(download(client_, file_url(settings, snapshot, file), cache.blob(etag),
                        listed->second, subject_of(snapshot, file)));
  }
  TARE_CHECK(cache.link(snapshot.commit, file, etag));
  return pointer;
}

Result<core::Repository> Hub::find(const std::string& name, const std::string& revision) {
  TARE_TRY(Snapshot snapshot, open({Kind::dataset, name}, revision));
  core::Repository repository = repository_of(snapshot);
  opened_.insert_or_assign(repository.url(), std::move(snapshot));
  return repository;
}

Result<fs::path> Hub::fetch(const std::string& url) {
  if (!url.starts_with(kDatasetScheme)) return fetch_plain(client_, url);
  // "hf://datasets/org/name@commit/file": no name of a repository has an '@'.
  const std::size_t at = url.find('@', kDatasetScheme.size());
  const std::size_t slash = url.find('/', at);
  const auto found = opened_.find(url.substr(0, slash));
  if (slash == std::string::npos || found == opened_.end())
    return base::input_error(url + ": is no file of a repository that was opened");
  return fetch(found->second, url.substr(slash + 1));
}

Result<std::string> Hub::ask(const std::string& url, const std::string& subject,
                             std::string* next) {
  TextReceiver answer(kLongestAnswer);
  auto head = client_.get(url, answer);
  if (!head) return base::in_context(subject, head.error());
  if (head->status != 200) return explain(*head, subject, client_.settings());
  const auto link = next_link(head->header("link"));
  if (next != nullptr && link) *next = resolve_url(head->url, *link).value_or("");
  return answer.text();
}

Result<std::string> Hub::ask_commit(const RepositoryId& id, const std::string& revision) {
  TARE_TRY(const std::string text,
           ask(api_url(client_.settings(), id, "revision/" + quote(revision)), id.name, nullptr));
  auto commit = read_commit(text);
  if (!commit) return base::in_context(id.name, commit.error());
  return commit;
}

Result<Listing> Hub::ask_listing(const RepositoryId& id, const std::string& commit) {
  Listing listing;
  std::string url =
      api_url(client_.settings(), id, fmt::format("tree/{}?recursive=true&expand=false", commit));
  for (int page = 0; !url.empty() && page < kMostPages; ++page) {
    std::string next;
    TARE_TRY(const std::string text, ask(url, id.name, &next));
    if (auto read = read_tree_page(text, listing); !read)
      return base::in_context(id.name, read.error());
    url = std::move(next);
  }
  return listing;
}

}  // namespace tare::hub
