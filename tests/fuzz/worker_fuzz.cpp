#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/json.h"
#include "worker/protocol.h"
#include "worker/values.h"

namespace json = tare::base::json;
namespace worker = tare::worker;

/// A line from the worker is read or refused, and a value that was read goes back and forth
/// unchanged.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto reply = worker::read_reply(line, 1);
  if (!reply) return 0;
  if (!reply->error.empty()) return 0;
  const std::string text = json::dump(worker::tagged(reply->value));
  const auto parsed = json::parse(text);
  if (!parsed) return 0;  // tags nest deeper than what they stand for
  const auto again = worker::untagged(*parsed);
  if (!again || json::dump(worker::tagged(*again)) != text) std::abort();
  return 0;
}
