#pragma once

#include "base/result.h"
#include "core/request.h"
#include "task/task.h"

namespace tare::task {

/// The task's generation_kwargs as lm-eval writes and logs them: its defaults where the task gives
/// none. None for tasks that do not generate and give none.
base::Value generation_arguments(const TaskConfig& config);

/// generation_arguments() as the options have them: under their mode, with the mode's name, or with
/// their generation_kwargs on top, key by key.
base::Value arguments_in_force(const TaskConfig& config, const BuildOptions& options);

/// Answers to each request: --repetitions, of tasks that generate, else the task's own repeats.
std::size_t repeats_in_force(const TaskConfig& config, const BuildOptions& options);

/// What these arguments mean (models/utils.py normalize_gen_kwargs). Error: a key that no backend
/// of tare knows, or a value of the wrong kind, naming task and key.
base::Result<core::GenerationSettings> generation_settings(const TaskConfig& config,
                                                           const BuildOptions& options);

}  // namespace tare::task
