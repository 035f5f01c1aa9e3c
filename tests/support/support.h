#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

namespace tare::test {

/// The root of the source tree (from the environment that CTest sets, else found upwards).
std::filesystem::path source_dir();

/// ../shared beside the project, if it is there and TARE_SHARED is not "none". A test that needs it
/// says so through skip().
std::optional<std::filesystem::path> shared_dir();

/// Prints "SKIPPED: what is missing" in the form that .ci/run counts, once per call.
void skip(std::string_view what);

/// A new empty folder, removed with its contents at the end of its life.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Writes a file (with its folders) and returns its path.
  std::filesystem::path write(const std::string& name, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

/// A JSON case file of tests/cases; a broken file fails the test.
base::Value load_cases(const std::string& name);

}  // namespace tare::test
