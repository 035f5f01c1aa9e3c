// null_server PORT: answers every HTTP request with the same completion, as fast as one thread can,
// until it is killed. For bench/http_overhead.py.

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

constexpr std::string_view kBody =
    R"({"object":"list","data":[{"id":"null"}],"choices":[{"index":0,"text":" blue","finish_reason":"stop"}],)"
    R"("usage":{"prompt_tokens":9,"completion_tokens":1}})";

std::string answer() {
  return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(kBody.size()) + "\r\n\r\n" + std::string(kBody);
}

/// Bytes of the first whole request in `text`; 0 if it is not all there.
std::size_t request_length(std::string_view text) {
  const std::size_t head = text.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t length = text.substr(0, head).find(kLength);
  const std::size_t body =
      length == std::string_view::npos
          ? 0
          : std::strtoul(std::string(text.substr(length + kLength.size(), 12)).c_str(), nullptr,
                         10);
  return text.size() >= head + 4 + body ? head + 4 + body : 0;
}

/// False where the client has gone.
bool serve(int client, std::string& waiting, const std::string& good) {
  std::array<char, 65536> block;
  const ssize_t got = read(client, block.data(), block.size());
  if (got <= 0) return false;
  waiting.append(block.data(), static_cast<std::size_t>(got));
  while (const std::size_t length = request_length(waiting)) {
    waiting.erase(0, length);
    if (write(client, good.data(), good.size()) != static_cast<ssize_t>(good.size())) return false;
  }
  return true;
}

int listener(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  const int on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return -1;
  return listen(fd, 1024) == 0 ? fd : -1;
}

void watch(int poll, int fd) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = fd;
  epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
}

}  // namespace

int main(int count, char** words) {
  const int door = count == 2 ? listener(std::atoi(words[1])) : -1;
  if (door < 0) return 2;
  const int poll = epoll_create1(0);
  watch(poll, door);
  const std::string good = answer();
  std::unordered_map<int, std::string> clients;
  std::array<epoll_event, 256> events;
  for (;;) {
    const int ready = epoll_wait(poll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < ready; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd == door) {
        watch(poll, accept(door, nullptr, nullptr));
      } else if (!serve(fd, clients[fd], good)) {
        close(fd);
        clients.erase(fd);
      }
    }
  }
}
