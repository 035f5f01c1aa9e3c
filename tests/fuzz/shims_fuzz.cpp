#include <cstdint>
#include <string_view>

#include "shims/interpreter.h"
#include "text/jinja/failure.h"

/// Any text is read as a module and its statements are run within narrow bounds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tare;
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  text::jinja::Options options;
  options.max_memory_bytes = 16u << 20;
  options.max_steps = 20'000;
  try {
    const shims::ModuleCode module = shims::parse_module(source);
    shims::Caches caches;
    text::jinja::Heap heap(options);
    shims::Interpreter python(
        heap, caches, [](const std::string&) { return nullptr; },
        [](const std::string&) { return std::nullopt; });
    python.load(module, "/tasks/helper.py");
  } catch (const text::jinja::Failure&) {
    return 0;  // text that is no Python
  }
  return 0;
}
