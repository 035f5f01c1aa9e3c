#include "cli/screen_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/number.h"

namespace tare::cli {

std::size_t screen_width() {
  if (const char* columns = std::getenv("COLUMNS"))
    if (const auto given = base::read_integer(columns); given && *given > 0)
      return static_cast<std::size_t>(*given);
  winsize size{};
  if (isatty(STDOUT_FILENO) != 1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

}  // namespace tare::cli
