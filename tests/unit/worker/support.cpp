#include "support.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tare::worker {

std::unique_ptr<PythonFunctions> start_worker(const PythonOptions& options) {
  auto functions = PythonFunctions::start(options);
  if (!functions) FAIL(functions.error().text);
  return std::move(*functions);
}

bool have_namespaces() {
  static const bool kThere = start_worker()->warning().empty();
  if (!kThere) test::skip("network namespaces, which this system forbids");
  return kThere;
}

core::FunctionRef helper(const test::TempDir& dir, const std::string& name,
                         const std::string& code) {
  std::string path = name.substr(0, name.rfind('.'));
  std::ranges::replace(path, '.', '/');
  const auto file = dir.path() / (path + ".py");
  if (!std::filesystem::exists(file)) dir.write(path + ".py", code);
  const auto sha256 = base::sha256_file(file);
  REQUIRE(sha256.has_value());
  return {name, dir.path(), file, *sha256};
}

}  // namespace tare::worker
