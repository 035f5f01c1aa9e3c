#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "cli/own_server.h"

namespace tare::cli {

ExitCode become_bound(std::vector<std::string> words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  constexpr pid_t kInit = 1;
  // The parent may have ended before it was asked for.
  if (getppid() == kInit) return kWorkFailed;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv.front(), argv.data());
  return report({base::ErrorKind::failed,
                 fmt::format("{} can't be started: {}", words.front(), std::strerror(errno))});
}

base::Result<std::uint16_t> free_port() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  const bool found =
      listener >= 0 && bind(listener, place, size) == 0 && getsockname(listener, place, &size) == 0;
  const std::string fault = found ? "" : std::strerror(errno);
  if (listener >= 0) close(listener);
  if (found) return ntohs(address.sin_port);
  return base::work_failed("no port for a server: " + fault);
}

}  // namespace tare::cli
