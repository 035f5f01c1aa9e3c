#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/process.h"
#include "base/result.h"
#include "cli/command.h"
#include "core/manner.h"
#include "core/request.h"
#include "floor/window_text.h"

namespace tare::cli {

/// The word by which this program starts itself as the process that computes one file in one
/// manner.
inline constexpr const char* kFloorWorker = "--floor-worker";

/// Answers requests that come in over descriptor 3. Ends when the other side closes.
ExitCode floor_worker();

/// What a worker tells of a file that it has loaded.
struct LoadedFile {
  std::string description;
  std::size_t vocabulary = 0, context = 0, weight_bytes = 0;
  double seconds = 0;  ///< that the load took
};

/// The tokens of a text.
struct FileTokens {
  std::vector<core::Token> tokens;
  std::optional<core::Token> beginning;  ///< stands before every text of this model
};

/// One window: each token's row predicts the next one.
struct Window {
  std::vector<core::Token> tokens, next;
};

/// Where a worker's rows go and what they are held against. Empty paths: nowhere, nothing.
struct RowFiles {
  std::filesystem::path reference;  ///< read and compared with
  std::filesystem::path rows;       ///< written
};

/// A file in one manner, in a process of its own: what it takes with it costs no other. Any error
/// of a call ends it.
class FloorProcess {
 public:
  static base::Result<FloorProcess> start(std::stop_token stop);

  base::Result<LoadedFile> load(const std::filesystem::path& file, const core::Manner& manner);
  base::Result<FileTokens> encode(std::string_view text);
  base::Result<floor::WindowResult> compute(const Window& window, const RowFiles& files);

 private:
  FloorProcess(std::unique_ptr<base::Process> process, std::stop_token stop)
      : process_(std::move(process)), stop_(std::move(stop)) {}
  base::Result<base::Value> ask(const base::Value& request);

  std::unique_ptr<base::Process> process_;
  std::stop_token stop_;
};

}  // namespace tare::cli
