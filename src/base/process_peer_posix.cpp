#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/process_peer.h"

namespace tare::base {
namespace {

constexpr int kChannel = 3;
constexpr int kGlanceMilliseconds = 200;

/// True once nobody holds the other end.
bool is_closed() {
  pollfd channel{kChannel, 0, 0};
  return poll(&channel, 1, kGlanceMilliseconds) > 0 && (channel.revents & (POLLHUP | POLLERR)) != 0;
}

}  // namespace

std::optional<std::string> ProcessPeer::read_line() {
  while (true) {
    if (const std::size_t end = received_.find('\n'); end != std::string::npos) {
      std::string line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return line;
    }
    std::array<char, 65536> piece{};
    const ssize_t got = ::recv(kChannel, piece.data(), piece.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    received_.append(piece.data(), static_cast<std::size_t>(got));
  }
}

bool ProcessPeer::write_line(std::string_view line) {
  const std::string text = std::string(line) + '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t sent = ::send(kChannel, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

PeerWatch::PeerWatch(std::function<void()> gone)
    : watcher_([gone = std::move(gone)](const std::stop_token& end) {
        while (!end.stop_requested())
          if (is_closed()) return gone();
      }) {}

}  // namespace tare::base
