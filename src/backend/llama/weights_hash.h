#pragma once

#include <filesystem>
#include <future>
#include <string>
#include <thread>

namespace tare::backend::llama {

/// SHA-256 of a model file, computed on a thread of its own while the model loads and works.
class WeightsHash {
 public:
  /// `known`: what it is, where that is known; "" has the file read.
  WeightsHash(std::filesystem::path path, std::string known);
  /// Waits for the end. 64 hexadecimal digits, "" if the file could not be read to its end.
  [[nodiscard]] std::string wait() const { return result_.get(); }

 private:
  std::shared_future<std::string> result_;
  std::jthread worker_;  ///< stops at the next piece when this goes away
};

}  // namespace tare::backend::llama
