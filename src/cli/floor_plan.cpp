#include "cli/floor_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <thread>

#include "backend/llama/llama_backend.h"
#include "backend/llama/machine.h"
#include "backend/llama/tiers.h"
#include "base/files.h"
#include "base/hash.h"
#include "cli/floor_pin.h"
#include "cli/floor_text.h"
#include "cli/install_paths.h"
#include "floor/estimate.h"
#include "floor/grid_file.h"
#include "floor/report.h"
#include "run/progress.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
namespace llama = backend::llama;
using base::Result;
using base::Status;

/// Tokens on which a file's speed is tried.
constexpr std::size_t kTriedTokens = 64;

/// Which tiers this machine runs, each probed once.
class TierFinder {
 public:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const llama::Tier& tier : tiers_) names.push_back(tier.name);
    return names;
  }

  /// Puts the first of the setting's tiers that runs into its manner. Why none does, "" if one
  /// does.
  std::string choose(floor::Setting& setting) {
    std::string missing;
    for (const std::string& name : setting.tiers) {
      const std::string fault = fault_of(name);
      if (fault.empty()) {
        setting.manner.tier = name;
        return "";
      }
      missing += fmt::format("{}CPU tier {} {}", missing.empty() ? "" : "; ", name, fault);
    }
    return missing;
  }

 private:
  std::string fault_of(const std::string& name) {
    const auto known = faults_.find(name);
    if (known != faults_.end()) return known->second;
    return faults_[name] = probe(name);
  }

  [[nodiscard]] std::string probe(const std::string& name) const {
    const auto tier = std::ranges::find(tiers_, name, &llama::Tier::name);
    if (tier == tiers_.end()) return "is not in this build";
    if (tier->score == 0) return "needs instructions that this CPU lacks";
    const llama::ProbeOutcome outcome = llama::probe_tier(program(), name);
    return outcome.passed ? "" : outcome.reason + " in its probe";
  }

  std::vector<llama::Tier> tiers_ = llama::list_tiers();
  std::map<std::string, std::string> faults_;
};

Result<floor::Grid> read_grid(const FloorOptions& options, const TierFinder& tiers) {
  floor::GridDefaults defaults;
  defaults.threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  defaults.tiers = tiers.names();
  if (options.pin) defaults.pinned = reference_of(options.pin->pin, defaults.threads);
  if (!options.grid.empty()) {
    TARE_TRY(const std::string text, base::read_file(options.grid));
    return floor::read_grid(text, options.grid.string(), defaults);
  }
  floor::Grid grid{
      .reference = defaults.pinned.value_or(floor::default_reference(defaults.threads)),
      .settings = {},
      .window = std::min(defaults.window, std::max<std::size_t>(2, options.positions))};
  grid.settings = floor::default_settings(grid.reference, grid.window);
  return grid;
}

Status plan_settings(floor::Grid grid, TierFinder& tiers, FloorPlan& plan) {
  plan.window = grid.window;
  plan.reference = std::move(grid.reference);
  if (const std::string missing = tiers.choose(plan.reference); !missing.empty())
    return base::input_error(fmt::format(
        "the reference: {}; name a tier that runs here (tare ls tiers) in a --grid or --pin file",
        missing));
  for (floor::Setting& setting : grid.settings) {
    const std::string missing = tiers.choose(setting);
    plan.settings.push_back({std::move(setting), missing});
  }
  return {};
}

/// Cuts `positions` tokens with the one behind each.
std::vector<Window> cut(const FileTokens& tokens, std::size_t positions, std::size_t width) {
  std::vector<Window> windows;
  for (std::size_t begin = 0; begin < positions; begin += width) {
    const auto from = tokens.tokens.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto count = static_cast<std::ptrdiff_t>(std::min(width, positions - begin));
    windows.push_back({{from, from + count}, {from + 1, from + 1 + count}});
    if (tokens.beginning) windows.back().tokens.front() = *tokens.beginning;
  }
  return windows;
}

std::string hash_of(const std::vector<Window>& windows) {
  base::Sha256 hash;
  const auto add = [&](const std::vector<core::Token>& tokens) {
    for (const core::Token token : tokens) hash.update(fmt::format("{} ", token));
  };
  for (const Window& window : windows) {
    add(window.tokens);
    add(window.next);
  }
  return hash.hex();
}

/// Seconds a token, after a first try that reads the weights from the disk.
Result<double> try_speed(FloorProcess& process, const Window& window) {
  Window part = window;
  part.tokens.resize(std::min(part.tokens.size(), kTriedTokens));
  part.next.resize(part.tokens.size());
  TARE_CHECK(process.compute(part, {}));
  TARE_TRY(const auto result, process.compute(part, {}));
  return result.seconds / static_cast<double>(part.tokens.size());
}

Status check_window(const FloorPlan& plan, const PlannedFile& file) {
  const std::size_t most = file.loaded->context;
  if (most == 0 || plan.window <= most) return {};
  return base::usage_error(
      fmt::format("{}: knows contexts of {} tokens; the window is {}; set window in a --grid file",
                  file.path.string(), most, plan.window));
}

Status check_length(const FileTokens& tokens, const FloorText& text, std::size_t positions) {
  if (tokens.tokens.size() > positions) return {};
  return base::input_error(
      fmt::format("text {}: has {} tokens; {} positions need {}; give a longer --text or fewer "
                  "--positions",
                  text.name, tokens.tokens.size(), positions, positions + 1));
}

/// Loads the file at the reference; its windows must be those of files before it.
Status look_at(PlannedFile& file, const FloorText& text, std::size_t positions,
               const std::stop_token& stop, FloorPlan& plan) {
  TARE_TRY(FloorProcess process, FloorProcess::start(stop));
  TARE_TRY(file.loaded, process.load(file.path, plan.reference.manner));
  TARE_CHECK(check_window(plan, file));
  TARE_TRY(const FileTokens tokens, process.encode(text.text));
  TARE_CHECK(check_length(tokens, text, positions));
  std::vector<Window> windows = cut(tokens, positions, plan.window);
  const std::string hash = hash_of(windows);
  if (!plan.windows.empty() && hash != plan.windows_sha256)
    return base::usage_error(fmt::format(
        "{}: cuts the text into other tokens than {} does, so that rows cannot be compared; "
        "measure each file by itself",
        file.path.string(), plan.files.front().path.string()));
  plan.windows = std::move(windows);
  plan.windows_sha256 = hash;
  TARE_TRY(file.seconds_a_token, try_speed(process, plan.windows.front()));
  return {};
}

/// True of what is wrong with the file alone, and no reason to leave the others.
bool is_of_the_file(const base::Error& error, const PlannedFile& file) {
  return error.kind == base::ErrorKind::failed ||
         (error.kind == base::ErrorKind::input && !file.loaded);
}

Status plan_files(const FloorOptions& options, const FloorText& text, const std::stop_token& stop,
                  FloorPlan& plan) {
  std::optional<base::Error> first;
  for (const fs::path& path : options.files) {
    PlannedFile& file = plan.files.emplace_back();
    file.path = path;
    TARE_TRY(file.sha256, base::sha256_file(path));
    const auto status = look_at(file, text, options.positions, stop, plan);
    if (status) continue;
    if (!is_of_the_file(status.error(), file)) return status;
    file.loaded.reset();
    file.fault = status.error().text;
    if (!first) first = status.error();
  }
  if (plan.windows.empty()) return tl::unexpected(*first);
  return {};
}

}  // namespace

Result<FloorPlan> plan_floor(const FloorOptions& options, const std::stop_token& stop) {
  FloorPlan plan;
  TierFinder tiers;
  TARE_TRY(floor::Grid grid, read_grid(options, tiers));
  TARE_TRY(const FloorText text, floor_text(options.text));
  TARE_CHECK(plan_settings(std::move(grid), tiers, plan));
  plan.positions = options.positions;
  plan.text_name = text.name;
  plan.text_sha256 = base::sha256_hex(text.text);
  TARE_CHECK(plan_files(options, text, stop, plan));
  return plan;
}

std::size_t row_bytes(const FloorPlan& plan) {
  std::size_t widest = 0;
  for (const PlannedFile& file : plan.files)
    if (file.loaded) widest = std::max(widest, file.loaded->vocabulary);
  return plan.windows.front().tokens.size() * widest * sizeof(float);
}

base::Value settings_value(const FloorPlan& plan) {
  base::Dict dict, settings, files;
  dict.set("llama.cpp", llama::version());
  dict.set("engine SHA-256", llama::engine_hash());
  dict.set("machine SHA-256", base::sha256_hex(llama::machine_description()));
  dict.set("text SHA-256", plan.text_sha256);
  dict.set("tokens SHA-256", plan.windows_sha256);
  dict.set("--positions", plan.positions);
  dict.set("window", plan.window);
  for (std::size_t i = 0; i < plan.files.size(); ++i)
    files.set(fmt::format("{} SHA-256", i + 1), plan.files[i].sha256);
  dict.set("file", std::move(files));
  dict.set("reference", floor::manner_value(plan.reference.manner));
  for (const PlannedSetting& one : plan.settings)
    settings.set(one.setting.name, floor::manner_value(one.setting.manner));
  dict.set("setting", std::move(settings));
  return dict;
}

std::optional<double> expected_seconds(const FloorPlan& plan, const PlannedFile& file,
                                       const core::Manner& manner) {
  if (!file.loaded || !file.seconds_a_token) return std::nullopt;
  const double tokens = static_cast<double>(plan.positions) * *file.seconds_a_token;
  return file.loaded->seconds + tokens * floor::expected_cost(manner, plan.reference.manner);
}

namespace {

base::Value planned_setting(const FloorPlan& plan, const floor::Setting& setting,
                            const std::string& missing) {
  base::Dict dict;
  dict.set("name", setting.name);
  dict.set("difference", floor::difference_text(setting, plan.reference));
  dict.set("missing", missing.empty() ? base::Value() : base::Value(missing));
  base::List seconds;
  for (const PlannedFile& file : plan.files) {
    const auto expected = expected_seconds(plan, file, setting.manner);
    seconds.emplace_back(expected && missing.empty() ? base::Value(*expected) : base::Value());
  }
  dict.set("seconds", std::move(seconds));
  return dict;
}

}  // namespace

base::Value plan_value(const FloorPlan& plan) {
  base::Dict dict;
  dict.set("positions", plan.positions);
  dict.set("window", plan.window);
  dict.set("row_bytes", row_bytes(plan));
  base::List files;
  for (const PlannedFile& file : plan.files) {
    base::Dict one;
    one.set("path", file.path.string());
    one.set("sha256", file.sha256);
    one.set("fault", file.fault.empty() ? base::Value() : base::Value(file.fault));
    files.emplace_back(std::move(one));
  }
  dict.set("files", std::move(files));
  base::List settings;
  settings.push_back(planned_setting(plan, plan.reference, ""));
  for (const PlannedSetting& one : plan.settings)
    settings.push_back(planned_setting(plan, one.setting, one.missing));
  dict.set("settings", std::move(settings));
  return dict;
}

std::string plan_text(const FloorPlan& plan) {
  double total = 0;
  std::string text;
  const auto line = [&](const floor::Setting& setting, const std::string& missing) {
    double seconds = 0;
    for (const PlannedFile& file : plan.files)
      seconds += missing.empty() ? expected_seconds(plan, file, setting.manner).value_or(0) : 0;
    total += seconds;
    text += missing.empty() ? fmt::format("  {:<20} {:<36} {}\n", setting.name,
                                          floor::difference_text(setting, plan.reference),
                                          run::clock_text(seconds))
                            : fmt::format("  {:<20} n/a: {}\n", setting.name, missing);
  };
  line(plan.reference, "");
  for (const PlannedSetting& one : plan.settings) line(one.setting, one.missing);
  return fmt::format(
      "{} positions in windows of {}, {} MiB of rows at a time; about {} for {} file{}:\n{}",
      plan.positions, plan.window, (row_bytes(plan) >> 20) + 1, run::clock_text(total),
      plan.files.size(), plan.files.size() == 1 ? "" : "s", text);
}

}  // namespace tare::cli
