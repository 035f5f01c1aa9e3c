#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tare::floor {

/// A way in which llama.cpp's server is started and asked.
struct ServerRow {
  std::string name;
  std::string against;        ///< the row that its answers are held against; "" for the first one
  std::string change;         ///< from that row, in words
  bool cache_prompt = false;  ///< what a prompt has in common with the one before is kept
  std::size_t slots = 1;      ///< answers side by side (`-np`)
};

/// What a pin or the floor calls all of them: they are one factor.
inline constexpr std::string_view kServer = "server";

/// One slot without a cache; the cache; four slots, twice by the same command (source 003: "two
/// runs of the identical parallel-server command").
const std::vector<ServerRow>& server_rows();

}  // namespace tare::floor
