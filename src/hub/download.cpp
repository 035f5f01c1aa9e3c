#include "hub/download.h"

#include <fmt/format.h>

#include <system_error>

#include "base/hash.h"
#include "hub/file_receiver.h"
#include "hub/url.h"

namespace tare::hub {
namespace fs = std::filesystem;
namespace {

using base::Result;
using base::Status;

constexpr int kDownloads = 3;  // of a file whose hash is wrong

Status check_room(const fs::path& folder, std::uint64_t needed, const std::string& subject) {
  std::error_code error;
  const fs::space_info space = fs::space(folder, error);
  if (error || space.available >= needed) return {};
  return base::work_failed(
      fmt::format("{}: found {} bytes free at {}, wanted {}; free some, or set HF_HUB_CACHE to a "
                  "larger disk",
                  subject, space.available, folder.string(), needed));
}

/// GETs until the file has its size.
Status complete(Client& client, const std::string& url, FileReceiver& receiver,
                const ListedFile& expected, const std::string& subject) {
  unsigned short_answers = 0;
  while (receiver.size() < expected.size) {
    const std::uint64_t before = receiver.size();
    auto head = client.get(url, receiver);
    if (!head) return base::in_context(subject, head.error());
    if (head->status != 200 && head->status != 206)
      return explain(*head, subject, client.settings());
    // A server that closes early without having told the length looks like a success.
    short_answers = receiver.size() > before ? 0 : short_answers + 1;
    if (receiver.size() < expected.size && short_answers >= client.settings().attempts)
      return base::work_failed(
          fmt::format("{}: found {} bytes, wanted {}; the server sends no more", subject,
                      receiver.size(), expected.size));
  }
  return receiver.close();
}

struct Hashes {
  std::string found, wanted;
};

Result<Hashes> hashes_of(const fs::path& file, const ListedFile& expected) {
  Hashes hashes{"", expected.etag()};
  if (expected.sha256.empty()) {
    TARE_TRY(hashes.found, base::git_blob_sha1(file));
  } else {
    TARE_TRY(hashes.found, base::sha256_file(file));
  }
  return hashes;
}

}  // namespace

Status download(Client& client, const std::string& url, const fs::path& target,
                const ListedFile& expected, const std::string& subject) {
  if (expected.size > client.settings().largest_file)
    return base::input_error(fmt::format("{}: has {} bytes, more than the limit of {}", subject,
                                         expected.size, client.settings().largest_file));
  TARE_CHECK(check_room(target.parent_path(), expected.size, subject));
  const fs::path draft = target.string() + ".incomplete";
  Hashes hashes;
  for (int i = 0; i < kDownloads; ++i) {
    FileReceiver receiver(draft, expected.size);
    TARE_CHECK(receiver.open());
    TARE_CHECK(complete(client, url, receiver, expected, subject));
    TARE_TRY(hashes, hashes_of(draft, expected));
    std::error_code error;
    if (hashes.found == hashes.wanted) {
      fs::rename(draft, target, error);
      if (!error) return {};
      return base::work_failed(fmt::format("{}: cannot be renamed to {}: {}", draft.string(),
                                           target.filename().string(), error.message()));
    }
    fs::remove(draft, error);
    client.settings().notify(fmt::format("{}: has the wrong hash, downloading it anew", subject));
  }
  return base::work_failed(
      fmt::format("{}: found the hash {}, wanted {} as the hub lists it, in {} downloads; a proxy "
                  "or mirror may have changed the file",
                  subject, hashes.found, hashes.wanted, kDownloads));
}

base::Failure explain(const Head& head, const std::string& subject, const Settings& settings) {
  const std::string code = head.header("x-error-code");
  const std::string host = origin_of(head.url);
  const bool token = !settings.token.empty();
  if (head.status == 429 || head.status >= 500)
    return base::work_failed(fmt::format(
        "{}: {} answered {} in {} attempts; try again later, or name a folder that has the data "
        "with --datasets",
        subject, host, head.status, settings.attempts));
  if (code == "GatedRepo")
    return base::input_error(fmt::format(
        "{}: is gated ({} answered {}); ask for access on its page, then {}", subject, host,
        head.status, token ? "use a token of that account in HF_TOKEN" : "set HF_TOKEN"));
  if (code == "RevisionNotFound")
    return base::input_error(fmt::format("{}: {} has no such revision", subject, host));
  if (code == "EntryNotFound")
    return base::input_error(fmt::format("{}: {} has no such file", subject, host));
  if (head.status == 401 || head.status == 403)
    return base::input_error(
        fmt::format("{}: {} answered {}: missing, private or gated; {}", subject, host, head.status,
                    token ? "check the name, and whether the token in HF_TOKEN may read it"
                          : "check the name, or set HF_TOKEN"));
  if (head.status == 404)
    return base::input_error(fmt::format("{}: {} has nothing of that name; check the spelling{}",
                                         subject, host,
                                         token ? "" : ", or set HF_TOKEN if it is private"));
  return base::work_failed(fmt::format("{}: {} answered {}", subject, head.url, head.status));
}

}  // namespace tare::hub
