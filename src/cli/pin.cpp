#include "cli/pin.h"

#include <fmt/format.h>

#include <array>

#include "backend/llama/llama_backend.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "study/mapping.h"
#include "text/yaml.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using base::Status;
using base::Value;
using study::Mapping;

constexpr std::string_view kVersion = "version", kRelease = "release", kTier = "tier",
                           kMicroBatch = "ubatch", kFlashAttention = "flash_attention",
                           kRepack = "repack", kKv = "kv", kCache = "cache", kSlots = "slots";
constexpr std::array kKeys{kVersion, kRelease, kTier,  kMicroBatch, kFlashAttention,
                           kRepack,  kKv,      kCache, kSlots};
constexpr std::int64_t kFileVersion = 1;
/// Decodes have rows in multiples of this in every shape class.
constexpr std::size_t kRowStep = 64, kMostRows = 8192;

base::Failure wrong(const Mapping& mapping, std::string_view key, std::string_view wanted) {
  return base::input_error(fmt::format("{}: found {}, wanted {}", mapping.place(key),
                                       base::python::repr(mapping.at(key)), wanted));
}

Status check_whole(const Mapping& mapping) {
  for (const std::string_view key : kKeys)
    if (!mapping.has(key))
      return base::input_error(fmt::format(
          "{}: is missing; a pin leaves nothing open; tare run --write-pin FILE writes one",
          mapping.place(key)));
  if (!mapping.at(kVersion).is_int() || mapping.at(kVersion).as_int() != kFileVersion)
    return wrong(mapping, kVersion, fmt::format("{}, which this tare reads", kFileVersion));
  return {};
}

Status read_name(const Mapping& mapping, std::string_view key, std::string& into) {
  TARE_TRY(into, mapping.text(key));
  if (into.empty() || into == "auto") return wrong(mapping, key, "a name that is exact");
  return {};
}

Status read_switch(const Mapping& mapping, std::string_view key, bool& into) {
  if (!mapping.at(key).is_bool()) return wrong(mapping, key, "true or false");
  into = mapping.at(key).as_bool();
  return {};
}

Status read_number(const Mapping& mapping, std::string_view key, std::size_t step, std::size_t most,
                   std::size_t& into) {
  const Value& value = mapping.at(key);
  const bool fits = value.is_int() && value.as_int() >= static_cast<std::int64_t>(step) &&
                    value.as_int() <= static_cast<std::int64_t>(most) &&
                    value.as_int() % static_cast<std::int64_t>(step) == 0;
  if (!fits)
    return wrong(mapping, key,
                 step == 1 ? fmt::format("a whole number from 1 to {}", most)
                           : fmt::format("a multiple of {} from {} to {}", step, step, most));
  into = static_cast<std::size_t>(value.as_int());
  return {};
}

}  // namespace

Result<core::Pin> read_pin(std::string_view text, const std::string& place) {
  TARE_TRY(const auto file, text::yaml::parse_strictly(text, place));
  TARE_TRY(const Mapping mapping, Mapping::read(file.root, place, kKeys));
  TARE_CHECK(check_whole(mapping));
  core::Pin pin;
  TARE_CHECK(read_name(mapping, kRelease, pin.release));
  TARE_CHECK(read_name(mapping, kTier, pin.tier));
  TARE_CHECK(read_number(mapping, kMicroBatch, kRowStep, kMostRows, pin.micro_batch));
  TARE_CHECK(read_switch(mapping, kFlashAttention, pin.flash_attention));
  TARE_CHECK(read_switch(mapping, kRepack, pin.repack));
  TARE_TRY(const std::string kv, mapping.text(kKv));
  if (kv != "f32" && kv != "f16") return wrong(mapping, kKv, "f32 or f16");
  pin.float32_cache = kv == "f32";
  TARE_CHECK(read_switch(mapping, kCache, pin.prefix_reuse));
  TARE_CHECK(read_number(mapping, kSlots, 1, backend::llama::kMostStreams, pin.slots));
  return pin;
}

std::string pin_text(const core::Pin& pin) {
  const auto quoted = [](const std::string& text) { return base::json::dump(Value(text)); };
  return fmt::format(
      "# How answers are computed: tare run --pin FILE does it so, or says why it cannot.\n"
      "{}: {}\n{}: {}\n{}: {}\n{}: {}\n{}: {}\n{}: {}\n{}: {}\n{}: {}\n{}: {}\n",
      kVersion, kFileVersion, kRelease, quoted(pin.release), kTier, quoted(pin.tier), kMicroBatch,
      pin.micro_batch, kFlashAttention, pin.flash_attention, kRepack, pin.repack, kKv,
      pin.float32_cache ? "f32" : "f16", kCache, pin.prefix_reuse, kSlots, pin.slots);
}

Result<PinFile> open_pin(const std::filesystem::path& path) {
  auto text = base::read_file(path);
  if (!text) return base::input_error("--pin " + text.error().text);
  TARE_TRY(core::Pin pin, read_pin(*text, path.string()));
  if (pin.release != backend::llama::version())
    return base::input_error(
        fmt::format("{}: release: found {}, this program has {}; use a tare with llama.cpp {}, or "
                    "write a new pin (tare run --write-pin FILE)",
                    path.string(), pin.release, backend::llama::version(), pin.release));
  return PinFile{path, std::move(pin), base::sha256_hex(*text)};
}

Status check_pin_target(const fs::path& path) {
  std::error_code fault;
  if (fs::is_directory(path, fault))
    return base::usage_error(
        fmt::format("--write-pin {}: is a folder; name a file in it", path.string()));
  if (fs::exists(path, fault) && !fs::is_regular_file(path, fault))
    return base::input_error(
        fmt::format("--write-pin {}: is a device or a pipe; name a file", path.string()));
  const fs::path folder = path.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, fault))
    return base::input_error(
        fmt::format("--write-pin {}: there is no folder {}", path.string(), folder.string()));
  return {};
}

Status write_pin_file(const fs::path& path, const core::Pin& pin) {
  const std::string text = pin_text(pin);
  std::error_code fault;
  if (!fs::exists(path, fault)) return base::write_file(path, text);
  TARE_TRY(const std::string before, base::read_file(path));
  if (before == text) return {};
  return base::input_error(fmt::format(
      "--write-pin {}: holds another pin; name a new file, or obey it with --pin", path.string()));
}

}  // namespace tare::cli
