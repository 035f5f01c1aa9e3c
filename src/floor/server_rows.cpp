#include "floor/server_rows.h"

namespace tare::floor {

const std::vector<ServerRow>& server_rows() {
  static const std::vector<ServerRow> rows{
      {"server", "", "one slot, no prompt cache", false, 1},
      {"server-cache", "server", "prompt cache on", true, 1},
      {"server-slots-4", "server", "four slots", false, 4},
      {"server-slots-4-again", "server-slots-4", "nothing: the same command again", false, 4},
  };
  return rows;
}

}  // namespace tare::floor
