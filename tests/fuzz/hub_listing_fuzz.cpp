#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hub/client.h"
#include "hub/listing.h"
#include "hub/plain_url.h"
#include "hub/url.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

/// What a server says is never more than a file below its folder, and a listing that was taken is
/// written and read back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tare::hub;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Listing listing;
  if (read_tree_page(text, listing)) {
    for (const auto& [path, file] : listing)
      demand(is_inside(path) && is_inside(file.etag()) && path.find("..") != 0);
    const auto again = read_listing(write_listing(listing));
    demand(again && again->size() == listing.size());
  }
  if (const auto kept = read_listing(text))
    for (const auto& entry : *kept) demand(is_inside(entry.first));
  if (const auto commit = read_commit(text)) demand(is_commit(*commit));
  demand(is_inside(file_name_of(std::string(text))));
  const auto next = next_link(text);
  if (next) demand(next->size() < size);
  (void)range_start(text);
  return 0;
}
