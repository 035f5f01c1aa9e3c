#include "task/fields.h"
#include "task/merge.h"
#include "task/task.h"

namespace tare::task {

base::Result<TaskConfig> load_task(const std::filesystem::path& file) {
  TARE_TRY(const MergedYaml merged, load_merged(file));
  return typed_config(merged, file);
}

}  // namespace tare::task
