#include "shims/loaded_module.h"

#include "base/files.h"

namespace tare::shims {

namespace fs = std::filesystem;

fs::path plain(const fs::path& path) {
  return fs::absolute(path).lexically_normal();
}

fs::path needed_file(const fs::path& helper, const std::string& module) {
  if (module.ends_with(".json")) return plain(helper.parent_path() / module);
  fs::path relative;
  for (std::size_t at = 0; at <= module.size();) {
    const std::size_t end = std::min(module.find('.', at), module.size());
    relative /= module.substr(at, end - at);
    at = end + 1;
  }
  relative += ".py";
  if (*relative.begin() != "lm_eval" || !module.starts_with("lm_eval.tasks.")) return {};
  std::error_code ignored;
  for (fs::path folder = fs::absolute(helper).parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (fs::is_regular_file(folder / relative, ignored)) return folder / relative;
  return {};
}

namespace {

/// What calls may leave on the heap of a module before it is made anew.
constexpr std::size_t kLeftBehind = std::size_t{64} << 20;

std::shared_ptr<const ModuleCode> code_of(Caches& caches, const fs::path& file) {
  auto& known = caches.modules[file.string()];
  if (known != nullptr) return known;
  const auto source = base::read_file(file);
  if (!source) text::jinja::unsupported(source.error().text);
  auto parsed = std::make_shared<ModuleCode>(parse_module(*source));
  parsed->random = source->find("random") != std::string::npos;
  return known = std::move(parsed);
}

/// The task's documents may be many: bounds that only stop a run that went wrong.
const text::jinja::Options& bounds() {
  static const text::jinja::Options kBounds = [] {
    text::jinja::Options options;
    options.max_memory_bytes = std::size_t{16} << 30;
    options.max_steps = 20'000'000'000;
    return options;
  }();
  return kBounds;
}

}  // namespace

LoadedModule::LoadedModule(Caches& caches, fs::path file, Interpreter::ReadFile read_file,
                           Interpreter::SetOrder order)
    : file_(std::move(file)),
      order_(order),
      heap_(bounds()),
      python_(
          heap_, caches,
          [this, &caches](const std::string& module) -> std::shared_ptr<const ModuleCode> {
            const fs::path needed = needed_file(file_, module);
            if (needed.empty()) return nullptr;
            auto code = code_of(caches, needed);
            random_ = random_ || code->random;
            return code;
          },
          std::move(read_file)) {
  python_.set_order(order);
  const auto code = code_of(caches, file_);
  random_ = code->random;
  scope_ = &python_.load(*code, plain(file_).string());
  memory_ = heap_.memory();
  walked_in_load_ = python_.walked_over_set();
}

bool LoadedModule::reusable() const {
  return !random_ && heap_.memory() - memory_ < kLeftBehind;
}

std::unique_ptr<LoadedModule> LoadedModules::take(const fs::path& file,
                                                  const Interpreter::ReadFile& read_file,
                                                  Interpreter::SetOrder order) {
  std::unique_ptr<LoadedModule> module = std::move(idle_[{file, order}]);
  if (module == nullptr) module = std::make_unique<LoadedModule>(caches_, file, read_file, order);
  module->begin();
  return module;
}

void LoadedModules::give_back(std::unique_ptr<LoadedModule> module) {
  if (module->reusable()) idle_[{module->file(), module->order()}] = std::move(module);
}

}  // namespace tare::shims
