#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"
#include "store/read_items.h"
#include "store/sample_lines.h"
#include "study/run_page.h"

namespace store = tare::store;
namespace study = tare::study;

/// Every text ends in items that a report can hold, or in one line of error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<store::SampledItem> items;
  store::SampleLines lines("f", [&](const tare::base::Value& line) {
    auto item = store::item_of(line);
    if (item) items.push_back(std::move(*item));
    return item.has_value();
  });
  lines.add(text.substr(0, size / 2));
  lines.add(text.substr(size / 2));
  const auto read = lines.end();
  if (!read && read.error().text.find('\n') != std::string::npos) std::abort();
  std::vector<study::ShownRun> runs(2);
  runs[0].pieces = [](tare::core::Token) { return std::string("x"); };
  study::RunPage page(runs, "1");
  const auto half = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  page.add("t", {std::vector(items.begin(), half), std::vector(half, items.end())});
  const auto summary = tare::base::json::dump(page.finish().summary);
  if (!tare::base::json::parse(summary)) std::abort();
  return 0;
}
