#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "task/fields.h"
#include "task/head.h"
#include "text/yaml.h"

namespace {

using namespace tare;

bool same(const task::Head& a, const task::Head& b) {
  return a.task == b.task && a.group == b.group && a.tags == b.tags && a.includes == b.includes &&
         a.python == b.python;
}

/// What the line scanner says, the parser must say too.
void compare_heads(std::string_view text) {
  const auto scanned = task::scan_head(text);
  const auto parsed = task::parse_head(text, "fuzz");
  if (scanned && parsed && !same(*scanned, *parsed)) std::abort();
}

void type_fields(std::string_view text) {
  auto file = text::yaml::parse(text, "fuzz");
  if (!file) return;
  task::MergedYaml merged;
  merged.values = file->root.as_dict();
  const auto config = task::typed_config(merged, "fuzz");
  if (config) (void)task::config_block(*config, 1, {});
  if (config) (void)task::check_supported(*config, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  compare_heads(text);
  type_fields(text);
  return 0;
}
