#include "hub/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tare::hub {
namespace {

constexpr int kGroupWritable = 0664;  // users who share a cache wait for each other

bool lock(int descriptor, int how) {
  while (::flock(descriptor, how) != 0)
    if (errno != EINTR) return false;
  return true;
}

}  // namespace

base::Result<FileLock> FileLock::take(const std::filesystem::path& file,
                                      const std::function<void(std::string_view)>& notify) {
  FileLock taken(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kGroupWritable));
  bool locked = taken.descriptor_ >= 0 && lock(taken.descriptor_, LOCK_EX | LOCK_NB);
  if (!locked && taken.descriptor_ >= 0 && errno == EWOULDBLOCK) {
    notify(fmt::format("waiting for another process that holds {}", file.string()));
    locked = lock(taken.descriptor_, LOCK_EX);
  }
  if (locked) return taken;
  return base::work_failed(fmt::format("{}: cannot be locked: {}", file.string(),
                                       std::generic_category().message(errno)));
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace tare::hub
