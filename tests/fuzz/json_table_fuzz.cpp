#include <cstdint>
#include <string_view>

#include "data/cast.h"
#include "data/json_table.h"
#include "rows_fit.h"

using namespace tare::data;

namespace {

/// Reads the text as the second file of a data set whose first file gave `known`.
void read_after(std::string_view text, const Type& known) {
  const auto batches = read_json_table(text, "fuzz.json", {}, &known);
  if (!batches) return;
  demand_fit(*batches);
  for (const Batch& batch : *batches) {
    Type target = known;
    extend(target, batch.schema);
    for (const tare::base::Value& row : batch.rows)
      if (const auto changed = cast(row, batch.schema, target); changed && !fits(*changed, target))
        std::abort();
  }
}

}  // namespace

/// Two files, split at the first NUL: every row is what the schema says, and so is every row of the
/// second that was cast to the schema of the first.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string_view first = text.substr(0, text.find('\0'));
  const auto batches = read_json_table(first, "fuzz.json", {}, nullptr);
  if (batches) demand_fit(*batches);
  if (batches && !batches->empty() && first.size() < text.size())
    read_after(text.substr(first.size() + 1), batches->front().schema);
  if (const auto field = read_json_table(first, "fuzz.json", {"a", false}, nullptr))
    demand_fit(*field);
  return 0;
}
