#include "store/names.h"

#include <fmt/format.h>

#include <string_view>

#include "base/hash.h"
#include "store/results.h"

namespace tare::store {
namespace {

/// What some file system refuses in a name, and the escape character itself.
bool needs_escape(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
         std::string_view("\"<>:/|\\?*%").find(c) != std::string_view::npos;
}

}  // namespace

std::string sanitized_model_name(const std::string& model) {
  std::string name;
  bool replacing = false;
  for (char c : model) {
    const bool refused = std::string_view("\"<>:/|\\?*[]").find(c) != std::string_view::npos;
    if (!refused) name += c;
    if (refused && !replacing) name += "__";
    replacing = refused;
  }
  return name;
}

std::string samples_file_name(const std::string& task) {
  std::string name = "samples_";
  for (char c : task)
    name +=
        needs_escape(c) ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  // File systems take 255 bytes, of which a file that is being written needs some for itself.
  constexpr std::size_t kLongest = 200;
  if (name.size() > kLongest)
    name = name.substr(0, kLongest) + "-" + base::sha256_hex(task).substr(0, 12);
  return name + ".jsonl";
}

}  // namespace tare::store
