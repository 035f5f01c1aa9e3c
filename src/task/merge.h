#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/document.h"
#include "task/task.h"

namespace tare::task {

/// One YAML file with its includes merged in: included files left to right, then the file's own
/// keys, each replacing whole values of those before (nothing is merged inside a value). `include`
/// is gone, and so is `task_list` of included files.
struct MergedYaml {
  base::Dict values;
  Origins origins;
  std::vector<core::SourceFile> files;
  std::vector<std::string> repeated;  ///< text::yaml::text_of keys that stand twice in a mapping
};

/// A file that is reached twice is an error, be it a cycle or two includes with a common base: the
/// reference counts both as a cycle.
base::Result<MergedYaml> load_merged(const std::filesystem::path& file);

/// Keys of `over` replace those of `base`.
void override_with(MergedYaml& base, const MergedYaml& over);

}  // namespace tare::task
