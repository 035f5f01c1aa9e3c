#include "support/support.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/files.h"
#include "base/json.h"

namespace tare::test {
namespace fs = std::filesystem;

fs::path source_dir() {
  if (const char* dir = std::getenv("TARE_SOURCE_DIR")) return dir;
  for (fs::path dir = fs::current_path(); dir != dir.root_path(); dir = dir.parent_path())
    if (fs::exists(dir / "CMakePresets.json")) return dir;
  return fs::current_path();
}

std::optional<fs::path> shared_dir() {
  if (const char* dir = std::getenv("TARE_SHARED"); dir != nullptr && std::string(dir) == "none")
    return std::nullopt;
  const fs::path dir = source_dir().parent_path() / "shared";
  if (fs::is_directory(dir / "hub")) return dir;
  return std::nullopt;
}

void skip(std::string_view what) {
  std::printf("SKIPPED: %.*s\n", static_cast<int>(what.size()), what.data());
}

TempDir::TempDir() {
  std::string name = (fs::temp_directory_path() / "tare-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) FAIL("cannot make a temporary folder");
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TempDir::write(const std::string& name, std::string_view bytes) const {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

base::Value load_cases(const std::string& name) {
  auto text = base::read_file(source_dir() / "tests/cases" / name);
  if (!text) FAIL(text.error().text);
  auto value = base::json::parse(*text);
  if (!value) FAIL(name << ": " << value.error().text);
  return *value;
}

}  // namespace tare::test
