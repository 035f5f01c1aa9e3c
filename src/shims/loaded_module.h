#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "shims/interpreter.h"

namespace tare::shims {

std::filesystem::path plain(const std::filesystem::path& path);

/// The file of what a helper needs: a file named from its folder, or a module imported by its full
/// name, which is looked for as lm_eval/tasks/... beside and above the helper. Empty if there is
/// none.
std::filesystem::path needed_file(const std::filesystem::path& helper, const std::string& module);

/// A helper file whose statements have run.
class LoadedModule {
 public:
  LoadedModule(Caches& caches, std::filesystem::path file, Interpreter::ReadFile read_file,
               Interpreter::SetOrder order);
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  Interpreter& python() { return python_; }
  Scope& scope() { return *scope_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  [[nodiscard]] Interpreter::SetOrder order() const { return order_; }
  /// Whether the next call would find it as new: no random numbers were drawn, and what the calls
  /// left behind is little.
  [[nodiscard]] bool reusable() const;
  /// Before each call.
  void begin() { python_.forget_walk(walked_in_load_); }

 private:
  std::filesystem::path file_;
  Interpreter::SetOrder order_;
  bool random_ = false;
  Heap heap_;
  Interpreter python_;
  Scope* scope_ = nullptr;
  std::size_t memory_ = 0;  ///< of the heap after loading
  bool walked_in_load_ = false;
};

/// Modules between calls. One that fails in a call is not kept.
class LoadedModules {
 public:
  std::unique_ptr<LoadedModule> take(const std::filesystem::path& file,
                                     const Interpreter::ReadFile& read_file,
                                     Interpreter::SetOrder order);
  void give_back(std::unique_ptr<LoadedModule> module);

 private:
  Caches caches_;
  std::map<std::pair<std::filesystem::path, Interpreter::SetOrder>, std::unique_ptr<LoadedModule>>
      idle_;
};

}  // namespace tare::shims
