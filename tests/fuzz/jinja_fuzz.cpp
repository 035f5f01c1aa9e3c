#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"
#include "base/value.h"
#include "text/jinja/jinja.h"

namespace jinja = tare::text::jinja;

namespace {

const tare::base::Value& variables() {
  static const tare::base::Value kVariables =
      tare::base::json::parse(R"({"i": 3, "f": -2.5, "t": true, "n": null, "s": "a b,c Ünï",
        "l": [3, 1, [2, "x"]], "k": ["b", "A"], "d": {"a": 1, "b": [1, {"c": 2}]},
        "rows": [{"n": 2, "k": "b"}, {"n": 1, "k": "A"}]})")
          .value();
  return kVariables;
}

void render(std::string_view source, jinja::Options options) {
  options.max_output_bytes = 1u << 16;
  options.max_memory_bytes = 4u << 20;
  options.max_steps = 20'000;
  const auto parsed = jinja::Template::parse(source, options);
  if (!parsed && parsed.error().text.empty()) std::abort();
  if (!parsed) return;
  const auto text = parsed->render(variables());
  if (text && text->size() > options.max_output_bytes) std::abort();
  if (!text && text.error().kind != tare::base::ErrorKind::input) std::abort();
}

}  // namespace

/// Every template ends in a text within bounds or in an error, under both environments. The first
/// byte chooses.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view source(reinterpret_cast<const char*>(data) + 1, size - 1);
  render(source, data[0] % 2 == 0 ? jinja::Options{} : jinja::chat_options());
  return 0;
}
