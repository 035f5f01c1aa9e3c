#include "cli/speed_memory.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "cli/build_info.h"
#include "cli/cache_dir.h"

namespace tare::cli {
namespace {

using base::Dict;
using base::List;
using base::Value;

constexpr int kVersion = 1;
constexpr std::size_t kMostEntries = 100;

List entries_of(const std::filesystem::path& file) {
  const auto bytes = base::read_file(file);
  if (!bytes) return {};
  const auto value = base::json::parse(*bytes);
  if (!value || !value->is_dict()) return {};
  const Value* version = value->find("schema_version");
  const Value* entries = value->find("speeds");
  const bool known = version != nullptr && version->is_int() && version->as_number() == kVersion;
  if (!known || entries == nullptr || !entries->is_list()) return {};
  return List(entries->items().begin(), entries->items().end());
}

bool has_key(const Value& entry, const std::string& key) {
  const Value* found = entry.is_dict() ? entry.find("key") : nullptr;
  return found != nullptr && found->is_string() && found->as_string() == key;
}

std::optional<double> speed_of(const Value& entry, std::string_view name) {
  const Value* value = entry.find(name);
  if (value == nullptr || !value->is_number() || value->as_number() <= 0) return std::nullopt;
  return value->as_number();
}

Value entry_value(const std::string& key, const run::Speeds& speeds) {
  Dict entry;
  entry.set("key", key);
  if (speeds.scored) entry.set("scored", *speeds.scored);
  if (speeds.generated) entry.set("generated", *speeds.generated);
  if (speeds.watts) entry.set("watts", *speeds.watts);
  return entry;
}

/// Size, beginning and end of a file: enough to tell models apart without reading all of them.
std::string fingerprint(const std::filesystem::path& path) {
  constexpr std::streamoff kPiece = 1 << 16;
  std::error_code fault;
  const auto size = static_cast<std::streamoff>(std::filesystem::file_size(path, fault));
  std::ifstream file(path, std::ios::binary);
  if (fault || !file) return "";
  std::string bytes = fmt::format("{} ", size);
  for (const std::streamoff at : {std::streamoff{0}, std::max(std::streamoff{0}, size - kPiece)}) {
    std::string piece(static_cast<std::size_t>(std::min(size, kPiece)), '\0');
    file.seekg(at);
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    bytes += piece;
  }
  return base::sha256_hex(bytes);
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

run::Speeds SpeedMemory::recall(const std::string& key) const {
  if (file_.empty() || key.empty()) return {};
  for (const Value& entry : entries_of(file_))
    if (has_key(entry, key))
      return {speed_of(entry, "scored"), speed_of(entry, "generated"), speed_of(entry, "watts")};
  return {};
}

void SpeedMemory::remember(const std::string& key, const run::Speeds& speeds) const {
  if (file_.empty() || key.empty() || (!speeds.scored && !speeds.generated)) return;
  run::Speeds merged = recall(key);
  if (speeds.scored) merged.scored = speeds.scored;
  if (speeds.generated) merged.generated = speeds.generated;
  if (speeds.watts) merged.watts = speeds.watts;
  List entries{entry_value(key, merged)};
  for (Value& entry : entries_of(file_))
    if (entries.size() < kMostEntries && !has_key(entry, key)) entries.push_back(std::move(entry));
  Dict document;
  document.set("schema_version", kVersion);
  document.set("speeds", std::move(entries));
  std::error_code ignored;
  std::filesystem::create_directories(file_.parent_path(), ignored);
  static_cast<void>(base::write_file(file_, base::json::dump(document, {.indent = 2}) + "\n"));
}

SpeedMemory speed_memory() {
  const auto folder = cache_dir();
  return SpeedMemory(folder.empty() ? folder : folder / "speeds.json");
}

std::string speed_key(const RunOptions& options) {
  if (options.model.scheme != "gguf") return "";
  const std::string weights = fingerprint(options.model.name);
  if (weights.empty()) return "";
  std::string arguments;
  for (const auto& [name, value] : options.model.arguments)
    arguments += fmt::format("{}={},", name, value);
  const unsigned threads =
      options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
  return base::sha256_hex(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", host_name(), version_line(),
                                      weights, threads, options.cpu_tier, options.fast, arguments));
}

}  // namespace tare::cli
