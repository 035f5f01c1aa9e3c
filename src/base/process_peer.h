#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace tare::base {

/// The side of a base::Process that was started: it reads lines on descriptor 3 and answers each.
class ProcessPeer {
 public:
  /// The next line; nothing once the other side has closed its end.
  std::optional<std::string> read_line();
  /// False if the other side is gone.
  bool write_line(std::string_view line);

 private:
  std::string received_;
};

/// Calls `gone` once, from a thread of its own, if the other side closes its end while the object
/// lives.
class PeerWatch {
 public:
  explicit PeerWatch(std::function<void()> gone);

 private:
  std::jthread watcher_;
};

}  // namespace tare::base
