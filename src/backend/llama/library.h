#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"

namespace tare::backend::llama {

/// The folder that llama.cpp was loaded from; its CPU and GPU libraries lie beside it.
std::filesystem::path library_folder();

/// A shared library, open while it lives.
class Library {
 public:
  static base::Result<Library> open(const std::filesystem::path& path);
  /// The function of that name, or null.
  [[nodiscard]] void* find(const char* symbol) const;

 private:
  explicit Library(std::shared_ptr<void> handle) : handle_(std::move(handle)) {}
  std::shared_ptr<void> handle_;
};

}  // namespace tare::backend::llama
