#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/result.h"

namespace tare::cli {

/// Rows of float32 numbers, one behind the other, as the machine has them. For rows that live as
/// long as a piece of work, or to be looked at.
class RowWriter {
 public:
  static base::Result<RowWriter> create(const std::filesystem::path& path);
  base::Status write(std::span<const float> row);
  /// Error: not all rows have reached the file, e.g. the disk is full.
  base::Status close();

 private:
  explicit RowWriter(std::filesystem::path path);
  [[nodiscard]] base::Failure fault() const;
  std::filesystem::path path_;
  std::ofstream file_;
};

class RowReader {
 public:
  static base::Result<RowReader> open(const std::filesystem::path& path);
  /// The next row, of so many numbers. Valid until the next call. Error: there is none.
  base::Result<std::span<const float>> read(std::size_t width);

 private:
  explicit RowReader(std::filesystem::path path);
  std::filesystem::path path_;
  std::ifstream file_;
  std::vector<float> row_;
};

}  // namespace tare::cli
