#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/doc_field.h"
#include "task/task.h"

namespace tare::task {

/// The task's doc_to_* keys, compiled; errors name the task, the key and its place in the YAML.
base::Result<DocFields> compile_fields(const TaskConfig& config,
                                       const std::vector<std::string>& columns,
                                       core::Functions* functions);

/// The same as few-shot examples use them.
base::Result<DocFields> compile_fewshot_fields(const TaskConfig& config,
                                               const std::vector<std::string>& columns,
                                               core::Functions* functions);

base::Result<OptionalText> compile_text(const TaskConfig& config, std::string_view field,
                                        const base::Value& value);

/// "task NAME: FILE:LINE: FIELD", or without the place where it is unknown. For a field such as
/// "fewshot_config.samples" the place is that of its first part.
std::string field_place(const TaskConfig& config, std::string_view field);

}  // namespace tare::task
