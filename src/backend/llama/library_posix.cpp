#include <dlfcn.h>
#include <llama.h>

#include "backend/llama/library.h"

namespace tare::backend::llama {
namespace fs = std::filesystem;

fs::path library_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&llama_backend_init), &info) == 0) return {};
  std::error_code fault;
  const fs::path library = fs::canonical(info.dli_fname, fault);
  return fault ? fs::path{} : library.parent_path();
}

base::Result<Library> Library::open(const fs::path& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return base::work_failed(path.string() + ": " + dlerror());
  return Library(std::shared_ptr<void>(handle, [](void* open) { dlclose(open); }));
}

void* Library::find(const char* symbol) const {
  return dlsym(handle_.get(), symbol);
}

}  // namespace tare::backend::llama
