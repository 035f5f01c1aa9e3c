#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/process.h"
#include "base/result.h"
#include "core/manner.h"
#include "floor/server_rows.h"

namespace tare::cli {

/// llama.cpp's server on this machine.
struct ServerProgram {
  std::filesystem::path path;
  std::string missing;  ///< why there is none; "" if there is
};

/// The one that TARE_LLAMA_SERVER names, else the one that was built with this program's release of
/// llama.cpp into the cache.
ServerProgram find_llama_server();

/// What is served, and how.
struct Served {
  std::filesystem::path file;
  core::Manner manner;      ///< tier, threads, batches, flash attention, repacking and KV cache
  std::size_t context = 0;  ///< tokens that the model knows at most; 0: not known
  std::size_t slots = 1;
};

/// A llama-server of one's own, ended with this object, or with this program.
class LlamaServer {
 public:
  /// `folder`, new and removed again, holds the server beside the library of the one tier; where
  /// the server comes without libraries for tiers it is started as it is. It may not answer yet.
  static base::Result<LlamaServer> start(const ServerProgram& program, const Served& served,
                                         std::uint16_t port, const std::filesystem::path& folder);

  /// The last line that it printed.
  [[nodiscard]] std::string last_words() const { return process_->last_words(); }

 private:
  /// Removes the folder.
  struct Folder {
    explicit Folder(std::filesystem::path where) : path(std::move(where)) {}
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
  };
  LlamaServer() = default;

  std::unique_ptr<Folder> folder_;
  std::unique_ptr<base::Process> process_;
};

}  // namespace tare::cli
