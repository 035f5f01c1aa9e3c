#include "hub/file_receiver.h"

#include <fmt/format.h>

#include <system_error>

namespace tare::hub {
namespace fs = std::filesystem;

FileReceiver::FileReceiver(fs::path file, std::uint64_t most)
    : file_(std::move(file)), most_(most) {}

base::Status FileReceiver::open() {
  std::error_code error;
  const std::uintmax_t found = fs::file_size(file_, error);
  const bool usable = !error && found <= most_;
  TARE_CHECK(open_with(usable ? std::ios::app : std::ios::trunc));
  size_ = usable ? found : 0;
  return {};
}

base::Status FileReceiver::restart() {
  out_.close();
  size_ = 0;
  return open_with(std::ios::trunc);
}

base::Status FileReceiver::take(std::string_view bytes) {
  if (bytes.size() > most_ - size_)
    return base::work_failed(
        fmt::format("{}: the server sends more than the {} bytes that were expected",
                    file_.filename().string(), most_));
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  size_ += bytes.size();
  if (out_) return {};
  return base::work_failed(fmt::format("{}: cannot be written; is the disk full?", file_.string()));
}

base::Status FileReceiver::close() {
  out_.close();
  if (out_) return {};
  return base::work_failed(fmt::format("{}: cannot be written; is the disk full?", file_.string()));
}

base::Status FileReceiver::open_with(std::ios::openmode mode) {
  out_.open(file_, std::ios::binary | std::ios::out | mode);
  if (out_) return {};
  return base::work_failed(fmt::format("{}: cannot be written", file_.string()));
}

}  // namespace tare::hub
