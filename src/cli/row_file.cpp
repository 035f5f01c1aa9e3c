#include "cli/row_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace tare::cli {

namespace fs = std::filesystem;

RowWriter::RowWriter(fs::path path) : path_(std::move(path)) {
  errno = 0;
  file_.open(path_, std::ios::binary | std::ios::trunc);
}

base::Failure RowWriter::fault() const {
  const std::string why = errno == 0 ? "unknown" : std::generic_category().message(errno);
  return base::work_failed(fmt::format("{}: cannot be written: {}", path_.string(), why));
}

base::Result<RowWriter> RowWriter::create(const fs::path& path) {
  RowWriter writer(path);
  if (!writer.file_) return writer.fault();
  return writer;
}

base::Status RowWriter::write(std::span<const float> row) {
  errno = 0;
  const auto bytes = std::as_bytes(row);
  file_.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  if (!file_) return fault();
  return {};
}

base::Status RowWriter::close() {
  errno = 0;
  file_.close();
  if (!file_) return fault();
  return {};
}

RowReader::RowReader(fs::path path) : path_(std::move(path)), file_(path_, std::ios::binary) {}

base::Result<RowReader> RowReader::open(const fs::path& path) {
  RowReader reader(path);
  if (!reader.file_) return base::work_failed(fmt::format("{}: cannot be read", path.string()));
  return reader;
}

base::Result<std::span<const float>> RowReader::read(std::size_t width) {
  row_.resize(width);
  file_.read(reinterpret_cast<char*>(row_.data()),
             static_cast<std::streamsize>(width * sizeof(float)));
  if (!file_)
    return base::work_failed(
        fmt::format("{}: ends before the rows that it should hold", path_.string()));
  return std::span<const float>(row_);
}

}  // namespace tare::cli
