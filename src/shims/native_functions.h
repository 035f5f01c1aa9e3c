#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/functions.h"
#include "shims/table.h"

namespace tare::shims {

class LoadedModules;

/// Runs the helper functions of tasks that are known to come out as in Python. A helper is known by
/// the content of its file and of the files that it imports (docs/design/shims.md); its source is
/// read from the task's folder by an interpreter for the part of Python that helpers use, which
/// reaches nothing outside: no clock, no environment, no files but those whose hashes are known.
class NativeFunctions final : public core::Functions {
 public:
  /// With the table that is built in.
  NativeFunctions();
  /// With another table. An empty one knows every function: for tests that compare with Python.
  explicit NativeFunctions(Table table);
  ~NativeFunctions() override;

  [[nodiscard]] bool knows(const core::FunctionRef& function, core::FunctionUse use) const override;
  base::Result<base::Value> call(const core::FunctionRef& function, core::FunctionUse use,
                                 std::span<const base::Value> arguments) override;

 private:
  [[nodiscard]] bool same_imports(const Table::File& file, const std::filesystem::path& path) const;

  Table table_;
  std::unique_ptr<LoadedModules> modules_;
  mutable std::map<std::string, bool> imports_;  ///< by file: whether what it imports is the same
};

}  // namespace tare::shims
