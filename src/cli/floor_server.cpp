#include "cli/floor_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "backend/llama/llama_backend.h"
#include "base/files.h"
#include "cli/cache_dir.h"
#include "cli/install_paths.h"
#include "cli/own_server.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using Words = std::vector<std::string>;

constexpr const char *kProgram = "llama-server", *kVariable = "TARE_LLAMA_SERVER";
/// What begins the names of the libraries of tiers.
constexpr std::string_view kTierLibrary = "libggml-cpu-";
/// Tokens of a slot: room for a prompt and its answer.
constexpr std::size_t kSlotContext = 4096;
/// All else would fill the pipe that nobody reads, and hold the server up.
constexpr const char* kErrorsOnly = "1";

bool is_program(const fs::path& path) {
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  return !fault && fs::is_regular_file(status) &&
         (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
}

/// llama-RELEASE-*/bin/llama-server in the cache, the last one by name.
fs::path built_server() {
  const std::string begin = fmt::format("llama-{}-", backend::llama::version());
  fs::path found;
  std::error_code fault;
  for (fs::directory_iterator entry(cache_dir(), fault), end; !fault && entry != end;
       entry.increment(fault)) {
    const fs::path candidate = entry->path() / "bin" / kProgram;
    if (entry->path().filename().string().starts_with(begin) && is_program(candidate))
      found = std::max(found, candidate);
  }
  return found;
}

bool is_library_of_other_tier(const std::string& name, const std::string& tier) {
  return name.starts_with(kTierLibrary) && name != fmt::format("{}{}.so", kTierLibrary, tier);
}

/// The libraries beside the server, those of other tiers left out: it takes the best one that it
/// finds beside itself.
base::Status link_libraries(const fs::path& from, const std::string& tier, const fs::path& to) {
  std::error_code fault;
  for (fs::directory_iterator entry(from, fault), end; !fault && entry != end;
       entry.increment(fault)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with("lib") || is_library_of_other_tier(name, tier)) continue;
    fs::create_symlink(entry->path(), to / name, fault);
    if (fault) break;
  }
  if (!fault) return {};
  return base::work_failed(fmt::format("{}: {}", to.string(), fault.message()));
}

bool has_tiers(const fs::path& folder) {
  std::error_code fault;
  for (fs::directory_iterator entry(folder, fault), end; !fault && entry != end;
       entry.increment(fault))
    if (entry->path().filename().string().starts_with(kTierLibrary)) return true;
  return false;
}

/// The server with one tier beside it, in `folder`; itself where it comes without tiers.
Result<fs::path> server_of_tier(const fs::path& program, const std::string& tier,
                                const fs::path& folder) {
  std::error_code fault;
  const fs::path real = fs::canonical(program, fault);
  if (fault) return base::work_failed(fmt::format("{}: {}", program.string(), fault.message()));
  if (!has_tiers(real.parent_path())) return real;
  const std::string library = fmt::format("{}{}.so", kTierLibrary, tier);
  if (!fs::exists(real.parent_path() / library, fault))
    return base::work_failed(
        fmt::format("{}: has no {} beside it; a server with other kernels is another setting",
                    real.string(), library));
  fs::remove_all(folder, fault);
  TARE_CHECK(base::ensure_writable_folder(folder));
  TARE_CHECK(link_libraries(real.parent_path(), tier, folder));
  // A copy: a link would be followed, and its neighbours found.
  fs::copy_file(real, folder / kProgram, fault);
  if (fault) return base::work_failed(fmt::format("{}: {}", folder.string(), fault.message()));
  return folder / kProgram;
}

std::string switch_word(bool on) {
  return on ? "on" : "off";
}

Words server_words(const Served& served, std::uint16_t port) {
  const core::Manner& manner = served.manner;
  const std::size_t context =
      served.context == 0 ? kSlotContext : std::min(kSlotContext, served.context);
  const std::string kv = manner.kv == core::KvType::f16 ? "f16" : "f32";
  const auto number = [](std::size_t value) { return std::to_string(value); };
  Words words{"--model",
              served.file.string(),
              "--host",
              "127.0.0.1",
              "--port",
              number(port),
              "--parallel",
              number(served.slots),
              "--ctx-size",
              number(context * served.slots),
              "--no-kv-unified",
              "--cache-ram",
              "0",
              "--log-verbosity",
              kErrorsOnly,
              "--threads",
              number(manner.threads),
              "--threads-batch",
              number(manner.threads),
              "--batch-size",
              number(manner.batch),
              "--ubatch-size",
              number(manner.micro_batch),
              "--flash-attn",
              switch_word(manner.flash_attention),
              "--cache-type-k",
              kv,
              "--cache-type-v",
              kv};
  if (!manner.repack) words.emplace_back("--no-repack");
  return words;
}

}  // namespace

ServerProgram find_llama_server() {
  if (const char* named = std::getenv(kVariable); named != nullptr && *named != '\0') {
    if (is_program(named)) return {named, ""};
    return {{}, fmt::format("{}={} is no program", kVariable, named)};
  }
  const fs::path built = built_server();
  if (!built.empty()) return {built, ""};
  return {{},
          fmt::format("no llama-server of {}: build one (cmake --build BUILD --target "
                      "llama_server), or name one by {}",
                      backend::llama::version(), kVariable)};
}

LlamaServer::Folder::~Folder() {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

Result<LlamaServer> LlamaServer::start(const ServerProgram& found, const Served& served,
                                       std::uint16_t port, const fs::path& folder) {
  LlamaServer server;
  server.folder_ = std::make_unique<Folder>(folder);
  TARE_TRY(const fs::path path, server_of_tier(found.path, served.manner.tier, folder));
  Words words{kBound, fs::absolute(path).string()};
  for (std::string& word : server_words(served, port)) words.push_back(std::move(word));
  TARE_TRY(server.process_, base::Process::start(program(), words));
  return server;
}

}  // namespace tare::cli
