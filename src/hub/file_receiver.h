#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "base/result.h"
#include "hub/client.h"

namespace tare::hub {

/// Appends to a file, which may hold what an earlier attempt got.
class FileReceiver : public Receiver {
 public:
  /// More than `most` bytes are refused.
  FileReceiver(std::filesystem::path file, std::uint64_t most);

  base::Status open();
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  base::Status restart() override;
  base::Status take(std::string_view bytes) override;
  /// Hands all of it to the system.
  base::Status close();

 private:
  base::Status open_with(std::ios::openmode mode);

  std::filesystem::path file_;
  std::uint64_t most_;
  std::uint64_t size_ = 0;
  std::ofstream out_;
};

}  // namespace tare::hub
