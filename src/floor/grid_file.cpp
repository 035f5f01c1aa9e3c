#include "floor/grid_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/nearest.h"
#include "base/one_line.h"
#include "base/python.h"
#include "study/mapping.h"
#include "text/yaml.h"

namespace tare::floor {
namespace {

using base::Result;
using base::Status;
using base::Value;
using study::Mapping;

constexpr std::string_view kReference = "reference", kWindow = "window",
                           kDefaultGrid = "default_grid";
constexpr std::array kKeys{kTier,   kThreads, kBatch,     kMicroBatch, kFlashAttention,
                           kRepack, kKv,      kSequences, kUnifiedKv,  kPrefix};
/// llama.cpp's own bound (LLAMA_MAX_SEQ) is 256.
constexpr std::size_t kMostSequences = 64, kMostThreads = 512, kMostWindow = 1 << 16;

/// A grid file and where its keys stand.
struct GridText {
  text::yaml::File file;
  std::string place;

  [[nodiscard]] std::string at(const std::string& key) const {
    const auto mark = file.marks.find(key);
    return mark == file.marks.end() ? fmt::format("{}: {}", place, key)
                                    : fmt::format("{}:{}: {}", place, mark->second.line, key);
  }
};

base::Failure wrong(const std::string& place, const Value& found, std::string_view wanted) {
  return base::input_error(
      fmt::format("{}: found {}, wanted {}", place, base::python::repr(found), wanted));
}

Status read_switch(const Mapping& mapping, std::string_view key, bool& into) {
  if (!mapping.has(key)) return {};
  if (!mapping.at(key).is_bool())
    return wrong(mapping.place(key), mapping.at(key), "true or false");
  into = mapping.at(key).as_bool();
  return {};
}

Status read_count(const Mapping& mapping, std::string_view key, std::size_t least, std::size_t most,
                  std::size_t& into) {
  TARE_TRY(const auto count, mapping.count(key, static_cast<std::int64_t>(least)));
  if (!count) return {};
  into = static_cast<std::size_t>(*count);
  if (into <= most) return {};
  return wrong(mapping.place(key), mapping.at(key), fmt::format("at most {}", most));
}

Status read_kv(const Mapping& mapping, core::KvType& into) {
  if (!mapping.has(kKv)) return {};
  TARE_TRY(const std::string kv, mapping.text(kKv));
  if (kv != "f16" && kv != "f32") return wrong(mapping.place(kKv), mapping.at(kKv), "f16 or f32");
  into = kv == "f16" ? core::KvType::f16 : core::KvType::f32;
  return {};
}

Status read_tiers(const Mapping& mapping, const std::vector<std::string>& known,
                  std::vector<std::string>& into) {
  if (!mapping.has(kTier)) return {};
  TARE_TRY(into, mapping.texts(kTier));
  if (into.empty()) return wrong(mapping.place(kTier), mapping.at(kTier), "a tier");
  for (const std::string& tier : into) {
    if (std::ranges::find(known, tier) != known.end()) continue;
    const auto near = base::nearest_names(tier, known, 1);
    return base::input_error(
        fmt::format("{}: CPU tier {} is unknown{}; 'tare ls tiers' lists them",
                    mapping.place(kTier), base::python::repr(tier),
                    near.empty() ? "" : fmt::format(", did you mean {}?", near.front())));
  }
  return {};
}

Status read_sizes(const Mapping& mapping, std::size_t window, core::Manner& manner) {
  TARE_CHECK(read_count(mapping, kThreads, 1, kMostThreads, manner.threads));
  TARE_CHECK(read_count(mapping, kBatch, 1, kMostWindow, manner.batch));
  TARE_CHECK(read_count(mapping, kMicroBatch, 1, kMostWindow, manner.micro_batch));
  TARE_CHECK(read_count(mapping, kSequences, 1, kMostSequences, manner.sequences));
  TARE_CHECK(read_count(mapping, kPrefix, 0, window - 1, manner.prefix));
  if (manner.micro_batch > manner.batch)
    return wrong(mapping.place(kMicroBatch), manner.micro_batch,
                 fmt::format("at most batch, {}", manner.batch));
  if (manner.sequences > manner.batch)
    return wrong(mapping.place(kSequences), manner.sequences,
                 fmt::format("at most batch, {}", manner.batch));
  return {};
}

/// The setting with what the mapping says over it.
Status apply(const Value& value, const std::string& place, const GridDefaults& defaults,
             Setting& setting) {
  TARE_TRY(const Mapping mapping, Mapping::read(value, place, kKeys));
  TARE_CHECK(read_tiers(mapping, defaults.tiers, setting.tiers));
  TARE_CHECK(read_switch(mapping, kFlashAttention, setting.manner.flash_attention));
  TARE_CHECK(read_switch(mapping, kRepack, setting.manner.repack));
  TARE_CHECK(read_switch(mapping, kUnifiedKv, setting.manner.unified_kv));
  TARE_CHECK(read_kv(mapping, setting.manner.kv));
  return read_sizes(mapping, defaults.window, setting.manner);
}

/// Names that stand for something else among the rows of a report.
bool is_taken(std::string_view text) {
  return text == "all" || text == "pair" || text.starts_with("server");
}

bool is_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("-_.+").find(c) != std::string_view::npos;
  };
  return !text.empty() && text.front() != '.' && std::ranges::all_of(text, fits);
}

Result<std::size_t> window_of(const GridText& text, std::size_t usual) {
  const Value* value = text.file.root.find(kWindow);
  if (value == nullptr) return usual;
  if (!value->is_int() || value->as_int() < 2 ||
      value->as_int() > static_cast<std::int64_t>(kMostWindow))
    return wrong(text.at(std::string(kWindow)), *value,
                 fmt::format("a whole number from 2 to {}", kMostWindow));
  return static_cast<std::size_t>(value->as_int());
}

Result<bool> keeps_default_grid(const GridText& text) {
  const Value* value = text.file.root.find(kDefaultGrid);
  if (value == nullptr) return true;
  if (!value->is_bool()) return wrong(text.at(std::string(kDefaultGrid)), *value, "true or false");
  return value->as_bool();
}

Result<Setting> reference_of(const GridText& text, const GridDefaults& defaults) {
  const Value* value = text.file.root.find(kReference);
  if (defaults.pinned) {
    if (value == nullptr) return *defaults.pinned;
    return base::usage_error(
        fmt::format("{}: the pin names the reference too; leave one of them out",
                    text.at(std::string(kReference))));
  }
  Setting reference = default_reference(defaults.threads);
  if (value != nullptr)
    TARE_CHECK(apply(*value, text.at(std::string(kReference)), defaults, reference));
  return reference;
}

/// A later setting of a name that is there already takes its place.
void put(Grid& grid, Setting setting) {
  const auto same = std::ranges::find(grid.settings, setting.name, &Setting::name);
  if (same != grid.settings.end())
    *same = std::move(setting);
  else
    grid.settings.push_back(std::move(setting));
}

Status add_settings(const GridText& text, const GridDefaults& defaults, Grid& grid) {
  for (const auto& [key, value] : text.file.root.as_dict()) {
    const std::string name = base::python::str(key);
    if (name == kReference || name == kWindow || name == kDefaultGrid) continue;
    if (!is_name(name))
      return wrong(text.at(name), Value(name), "a name of letters, digits and - _ . +");
    if (is_taken(name))
      return wrong(text.at(name), Value(name),
                   "another name: all, pair and those that begin with server are taken");
    Setting setting = grid.reference;
    setting.name = name;
    TARE_CHECK(apply(value, text.at(name), defaults, setting));
    put(grid, std::move(setting));
  }
  return {};
}

Result<Grid> grid_of(std::string_view text, const std::string& place, const GridDefaults& given) {
  GridText source;
  source.place = place;
  TARE_TRY(source.file, text::yaml::parse_strictly(text, place));
  GridDefaults defaults = given;
  TARE_TRY(defaults.window, window_of(source, given.window));
  TARE_TRY(const bool keep, keeps_default_grid(source));
  TARE_TRY(const Setting reference, reference_of(source, defaults));
  Grid grid{.reference = reference, .settings = {}, .window = defaults.window};
  if (keep) grid.settings = default_settings(reference, defaults.window);
  TARE_CHECK(add_settings(source, defaults, grid));
  if (grid.settings.empty())
    return base::input_error(fmt::format(
        "{}: the grid has no setting; name one, or leave out default_grid: false", place));
  return grid;
}

}  // namespace

Result<Grid> read_grid(std::string_view text, const std::string& place, const GridDefaults& given) {
  return grid_of(text, place, given).map_error(base::in_one_line);
}

}  // namespace tare::floor
