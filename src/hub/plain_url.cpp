#include "hub/plain_url.h"

#include <fmt/format.h>

#include <system_error>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "hub/cache.h"
#include "hub/download.h"
#include "hub/file_lock.h"
#include "hub/file_receiver.h"
#include "hub/url.h"

namespace tare::hub {
namespace fs = std::filesystem;
namespace {

using base::Result;
using base::Status;

constexpr std::size_t kFolderDigits = 32;

/// The copy and what is known of it.
struct Copy {
  fs::path file;
  fs::path note;  ///< JSON: url, etag, last_modified
  std::map<std::string, std::string> conditions;

  [[nodiscard]] bool exists() const {
    std::error_code ignored;
    return fs::exists(file, ignored);
  }
};

Copy copy_of(const fs::path& downloads, const std::string& url) {
  const fs::path folder = downloads / base::sha256_hex(url).substr(0, kFolderDigits);
  Copy copy{folder / file_name_of(url), folder / "url.json", {}};
  const auto text = base::read_file(copy.note);
  const auto note = text ? base::json::parse(*text) : base::Result<base::Value>();
  if (!copy.exists() || !note) return copy;
  const auto condition = [&](std::string_view key, const char* header) {
    const base::Value* value = note->find(key);
    if (value != nullptr && value->is_string() && !value->as_string().empty())
      copy.conditions[header] = value->as_string();
  };
  condition("etag", "If-None-Match");
  condition("last_modified", "If-Modified-Since");
  return copy;
}

Status write_note(const Copy& copy, const std::string& url, const Head& head) {
  base::Dict note;
  note.set("url", url);
  note.set("etag", head.header("etag"));
  note.set("last_modified", head.header("last-modified"));
  return base::write_file(copy.note, base::json::dump(note, {.indent = 1}));
}

Status publish(const fs::path& draft, const fs::path& target) {
  std::error_code error;
  fs::rename(draft, target, error);
  if (!error) return {};
  return base::work_failed(
      fmt::format("{}: cannot be written: {}", target.string(), error.message()));
}

Result<Head> download_once(Client& client, const std::string& url, const Copy& copy,
                           const fs::path& draft) {
  FileReceiver receiver(draft, client.settings().largest_file);
  TARE_CHECK(receiver.open());
  // Without a listing nothing says that an old piece belongs to today's file.
  TARE_CHECK(receiver.restart());
  TARE_TRY(Head head, client.get(url, receiver, copy.conditions));
  TARE_CHECK(receiver.close());
  return head;
}

}  // namespace

std::string file_name_of(const std::string& url) {
  const std::string path = url.substr(0, url.find_first_of("?#"));
  std::string name = path.substr(path.rfind('/') + 1);
  for (char& c : name)
    if (c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  return name.empty() || name == "." || name == ".." || name == "url.json" ? "data" : name;
}

Result<fs::path> fetch_plain(Client& client, const std::string& url) {
  const Settings& settings = client.settings();
  Copy copy = copy_of(settings.downloads, url);
  if (settings.offline && copy.exists()) return copy.file;
  if (settings.offline)
    return base::input_error(fmt::format(
        "{}: was never downloaded, and tare is offline (--offline or HF_HUB_OFFLINE)", url));
  TARE_CHECK(make_folder(copy.note.parent_path()));
  TARE_TRY(const FileLock lock, FileLock::take(copy.note.string() + ".lock", settings.notify));
  copy = copy_of(settings.downloads, url);  // another process may have been here
  const fs::path draft = copy.note.parent_path() / "url.incomplete";
  settings.notify("downloading " + url);
  const auto head = download_once(client, url, copy, draft);
  if (head && head->status == 304 && copy.exists()) return copy.file;
  if (!head || head->status != 200) {
    if (!copy.exists()) return head ? explain(*head, url, settings) : base::Failure(head.error());
    settings.notify(fmt::format("{}: cannot be asked for again; using the copy of before", url));
    return copy.file;
  }
  TARE_CHECK(publish(draft, copy.file));
  TARE_CHECK(write_note(copy, url, *head));
  return copy.file;
}

}  // namespace tare::hub
