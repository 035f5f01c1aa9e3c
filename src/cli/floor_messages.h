#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "cli/floor_worker.h"
#include "core/manner.h"

/// What `tare floor` and its workers tell each other, a JSON object a line.
namespace tare::cli::floor_messages {

inline constexpr const char *kDo = "do", *kLoad = "load", *kEncode = "encode",
                            *kCompute = "compute", *kFile = "file", *kManner = "manner",
                            *kText = "text", *kResult = "result", *kError = "error",
                            *kKind = "kind";

base::Value window_request(const Window& window, const RowFiles& files);
base::Result<Window> read_window_of(const base::Value& request);
RowFiles read_files(const base::Value& request);

base::Result<core::Manner> read_manner(const base::Value& value);

base::Value loaded_value(const LoadedFile& loaded);
base::Result<LoadedFile> read_loaded(const base::Value& value);
base::Value tokens_value(const FileTokens& tokens);
base::Result<FileTokens> read_tokens(const base::Value& value);

base::Value error_value(const base::Error& error);
/// The result in an answer, or the error that stands there.
base::Result<base::Value> read_answer(const base::Value& answer);

}  // namespace tare::cli::floor_messages
