#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <fstream>
#include <memory>
#include <regex>
#include <system_error>
#include <utility>

namespace tare::base {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kChunk = 1 << 18;

std::string reason(int error) {
  return std::generic_category().message(error);
}

Failure cannot_write(const fs::path& path, int error) {
  return work_failed(fmt::format("{}: cannot be written: {}", path.string(), reason(error)));
}

/// A new file that is removed again unless it is moved to its final name.
class Draft {
 public:
  explicit Draft(const fs::path& target)
      : target_(target),
        name_(draft_name(target).string()),
        descriptor_(::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {}
  ~Draft() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  Status publish(std::string_view bytes) {
    const bool opened = descriptor_ >= 0;
    const bool published = opened && write_all(bytes) && ::fsync(descriptor_) == 0 &&
                           ::close(std::exchange(descriptor_, -1)) == 0 &&
                           ::rename(name_.c_str(), target_.c_str()) == 0;
    const int error = errno;
    if (published || !opened) name_.clear();
    if (published) return {};
    return cannot_write(target_, error);
  }

 private:
  bool write_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }

  fs::path target_;
  std::string name_;
  int descriptor_;
};

}  // namespace

Status read_chunks(const fs::path& path, const std::function<void(std::string_view)>& use) {
  std::ifstream in(path, std::ios::binary);
  const auto buffer = std::make_unique_for_overwrite<char[]>(kChunk);
  while (in) {
    in.read(buffer.get(), static_cast<std::streamsize>(kChunk));
    use(std::string_view(buffer.get(), static_cast<std::size_t>(in.gcount())));
  }
  if (in.eof()) return {};
  const std::string cause = reason(errno);
  std::error_code ignored;
  if (fs::is_directory(path, ignored))
    return input_error(fmt::format("{}: is a folder, wanted a file", path.string()));
  return input_error(fmt::format("{}: cannot be read: {}", path.string(), cause));
}

Result<std::string> read_file(const fs::path& path) {
  std::string bytes;
  if (std::error_code error; fs::is_character_file(path, error))
    return input_error(path.string() + ": is a device, wanted a file");
  TARE_CHECK(read_chunks(path, [&](std::string_view chunk) { bytes += chunk; }));
  return bytes;
}

fs::path draft_name(const fs::path& target) {
  static std::atomic<unsigned> drafts{0};
  return fmt::format("{}.{}-{}.part", target.string(), ::getpid(), ++drafts);
}

bool is_draft(std::string_view name) {
  static const std::regex pattern(R"(.+\.\d+-\d+\.part)");
  return std::regex_match(name.begin(), name.end(), pattern);
}

Status publish_draft(const fs::path& draft, const fs::path& target) {
  const int descriptor = ::open(draft.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) return cannot_write(target, error);
  if (::rename(draft.c_str(), target.c_str()) != 0) return cannot_write(target, errno);
  return {};
}

std::string append_fault(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return reason(errno);
  const std::string bytes(kChunk, '\0');
  const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
  // A short write is the last that there was room for; the next one tells why.
  const bool full = written >= 0 && static_cast<std::size_t>(written) < bytes.size() &&
                    ::write(descriptor, bytes.data(), bytes.size()) < 0;
  const bool failed = written < 0 || full;
  const int error = errno;
  ::close(descriptor);
  return failed ? reason(error) : "";
}

Status write_file(const fs::path& path, std::string_view bytes) {
  return Draft(path).publish(bytes);
}

std::optional<FolderLock> FolderLock::take(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return FolderLock(descriptor);
  // Some network file systems have no locks: there a folder is free for all.
  if (descriptor >= 0 && errno != EWOULDBLOCK) return FolderLock(descriptor);
  if (descriptor >= 0) ::close(descriptor);
  return std::nullopt;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status ensure_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    return work_failed(fmt::format("{}: cannot be made a folder: {}; choose another folder",
                                   folder.string(), error.message()));
  const fs::path probe = folder / ".tare-probe";
  if (auto written = write_file(probe, ""); !written)
    return work_failed(fmt::format("{}: is not writable ({}); choose another folder",
                                   folder.string(), written.error().text));
  fs::remove(probe, error);
  return {};
}

}  // namespace tare::base
