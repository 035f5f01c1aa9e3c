#include "cli/pin.h"

#include <doctest/doctest.h>

#include "backend/llama/llama_backend.h"
#include "base/hash.h"
#include "cli/pin_options.h"
#include "support/support.h"

namespace tare::cli {
namespace {

core::Pin some_pin() {
  return {.release = backend::llama::version(),
          .tier = "haswell",
          .micro_batch = 256,
          .flash_attention = false,
          .repack = false,
          .float32_cache = false,
          .prefix_reuse = true,
          .slots = 8};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The error of a pin in which one line is another one.
std::string error_with(const std::string& from, const std::string& to) {
  const auto pin = read_pin(replaced(pin_text(some_pin()), from, to), "p.yaml");
  if (pin) return "";
  CHECK(pin.error().kind == base::ErrorKind::input);
  return pin.error().text;
}

RunOptions options_of(const std::string& model) {
  RunOptions options;
  auto spec = parse_model_spec(model);
  REQUIRE_MESSAGE(spec.has_value(), spec.error().text);
  options.model = std::move(*spec);
  return options;
}

std::string obeyed(RunOptions options, bool mode_given = false) {
  const auto status = obey_pin({"p.yaml", some_pin(), "hash"}, mode_given, options);
  if (status) return "";
  CHECK(status.error().kind == base::ErrorKind::usage);
  return status.error().text;
}

}  // namespace

TEST_CASE("a pin that is written is read back as it was") {
  CHECK(read_pin(pin_text(some_pin()), "p.yaml") == some_pin());
  CHECK(read_pin(pin_text({.release = "source:/a \"b\"", .tier = "zen4", .slots = 1}), "p.yaml") ==
        core::Pin{.release = "source:/a \"b\"", .tier = "zen4", .slots = 1});
}

TEST_CASE("a pin that is wrong anywhere is refused with what was found and what is wanted") {
  CHECK(error_with("version: 1", "version: 2") ==
        "p.yaml: version: found 2, wanted 1, which this tare reads");
  CHECK(error_with("slots: 8", "") ==
        "p.yaml: slots: is missing; a pin leaves nothing open; tare run --write-pin FILE writes "
        "one");
  CHECK(error_with("slots: 8", "slots: 8\nslots: 9").find("slots") != std::string::npos);
  CHECK(error_with("slots: 8", "slots: 0") ==
        "p.yaml: slots: found 0, wanted a whole number from 1 to 64");
  CHECK(error_with("ubatch: 256", "ubatch: 100") ==
        "p.yaml: ubatch: found 100, wanted a multiple of 64 from 64 to 8192");
  CHECK(error_with("\"haswell\"", "auto") ==
        "p.yaml: tier: found 'auto', wanted a name that is exact");
  CHECK(error_with("repack: false", "repack: 1") ==
        "p.yaml: repack: found 1, wanted true or false");
  CHECK(error_with("kv: f16", "kv: q8") == "p.yaml: kv: found 'q8', wanted f32 or f16");
  CHECK(error_with("cache:", "cashe:") == "p.yaml: unknown key 'cashe', did you mean cache?");
  CHECK_FALSE(error_with("ubatch: 256", "ubatch: [").empty());
}

TEST_CASE("another release of llama.cpp is refused, and the file's hash is kept") {
  const test::TempDir folder;
  core::Pin pin = some_pin();
  const auto good = open_pin(folder.write("good.yaml", pin_text(pin)));
  REQUIRE(good.has_value());
  CHECK(good->sha256 == base::sha256_hex(pin_text(pin)));
  pin.release = "b1";
  const auto path = folder.write("old.yaml", pin_text(pin));
  const auto old = open_pin(path);
  REQUIRE_FALSE(old.has_value());
  CHECK(old.error().text ==
        path.string() + ": release: found b1, this program has " + backend::llama::version() +
            "; use a tare with llama.cpp b1, or write a new pin (tare run --write-pin FILE)");
  CHECK(open_pin("nowhere.yaml").error().text.starts_with("--pin nowhere.yaml: cannot be read"));
}

TEST_CASE("a pin is obeyed in all that it names") {
  RunOptions options = options_of("gguf:m.gguf,kv=f16");
  REQUIRE(obey_pin({"p.yaml", some_pin(), "hash"}, true, options).has_value());
  CHECK(options.cpu_tier == "haswell");
  CHECK(options.batch == 8);
  CHECK_FALSE(options.fast);
  backend::llama::Options backend;
  backend.mode = backend::llama::Mode::pinned;
  backend.streams = options.batch;
  pin_backend(options.pin->pin, backend);
  CHECK(pin_of(backend, options.cpu_tier) == some_pin());
}

TEST_CASE("what is asked beside the pin must not contradict it") {
  CHECK(obeyed(options_of("openai:http://h/v1,model=m"))
            .starts_with("--pin p.yaml: a pin says how a gguf: model is computed"));
  RunOptions options = options_of("gguf:m.gguf");
  options.cpu_tier = "zen4";
  CHECK(obeyed(options) ==
        "--cpu-tier zen4: the pin p.yaml says tier: haswell; leave the option out, or take another "
        "pin");
  options.cpu_tier = "haswell";
  CHECK(obeyed(options).empty());
  options.batch = 4;
  CHECK(obeyed(options).starts_with("--batch-size 4: the pin p.yaml says slots: 8"));
  options.batch = 0;
  options.fast = true;
  CHECK(
      obeyed(options, true).starts_with("--mode fast: the pin p.yaml says flash_attention: false"));
  options.fast = false;
  options.write_pin = "new.yaml";
  CHECK(obeyed(options).starts_with("--write-pin with --pin"));
  CHECK(obeyed(options_of("gguf:m.gguf,kv=f32"))
            .starts_with("--model: kv=f32: the pin p.yaml says kv=f16"));
  CHECK(obeyed(options_of("gguf:m.gguf,share=no"))
            .starts_with("--model: share=no: the pin p.yaml says share=yes"));
}

TEST_CASE("a tier that does not run here is refused") {
  RunOptions options = options_of("gguf:m.gguf");
  CHECK(check_pinned_tier(options).has_value());
  core::Pin pin = some_pin();
  pin.tier = "zen99";
  options.pin = PinFile{"p.yaml", pin, ""};
  const auto status = check_pinned_tier(options);
  REQUIRE_FALSE(status.has_value());
  CHECK(status.error().kind == base::ErrorKind::input);
  CHECK(status.error().text.starts_with("p.yaml: tier: "));
  CHECK(status.error().text.find("zen99") != std::string::npos);
}

TEST_CASE("where a pin cannot be written is found before the work") {
  const test::TempDir folder;
  RunOptions options = options_of("gguf:m.gguf");
  options.write_pin = folder.path() / "pin.yaml";
  CHECK(check_pin_target(options).has_value());
  options.write_pin = folder.path();
  CHECK(check_pin_target(options).error().text.ends_with("is a folder; name a file in it"));
  options.write_pin = folder.path() / "none" / "pin.yaml";
  CHECK(check_pin_target(options).error().text.find("there is no folder") != std::string::npos);
  options = options_of("scripted:zero");
  options.write_pin = "pin.yaml";
  CHECK(check_pin_target(options).error().kind == base::ErrorKind::usage);
}

}  // namespace tare::cli
