#include "cli/floor_messages.h"

#include <doctest/doctest.h>

#include "base/json.h"
#include "floor/report.h"

namespace tare::cli {
namespace {

namespace message = floor_messages;

base::Value through_text(const base::Value& value) {
  return *base::json::parse(base::json::dump(value));
}

}  // namespace

TEST_CASE("a manner, a window and its files reach a worker as they are") {
  core::Manner manner{.tier = "sse42",
                      .threads = 3,
                      .batch = 1024,
                      .micro_batch = 7,
                      .flash_attention = true,
                      .repack = false,
                      .kv = core::KvType::f32,
                      .sequences = 5,
                      .unified_kv = true,
                      .prefix = 11};
  CHECK(*message::read_manner(through_text(floor::manner_value(manner))) == manner);

  const Window window{{1, 2, 3}, {2, 3, 4}};
  const base::Value request = through_text(message::window_request(window, {"ref", "out"}));
  const auto read = message::read_window_of(request);
  REQUIRE(read);
  CHECK(read->tokens == window.tokens);
  CHECK(read->next == window.next);
  CHECK(message::read_files(request).reference == "ref");
  CHECK(message::read_files(request).rows == "out");
}

TEST_CASE("what a worker tells comes back as it is, errors with their kind") {
  const auto tokens = message::read_tokens(through_text(message::tokens_value({{5, 6}, 1})));
  REQUIRE(tokens);
  CHECK(tokens->tokens == std::vector<core::Token>{5, 6});
  CHECK(tokens->beginning == 1);
  CHECK_FALSE(message::read_tokens(through_text(message::tokens_value({{}, {}})))->beginning);
  const auto loaded = message::read_loaded(
      through_text(message::loaded_value({"llama 135M", 49152, 8192, 1000, 0.25})));
  REQUIRE(loaded);
  CHECK(loaded->description == "llama 135M");
  CHECK(loaded->vocabulary == 49152);
  CHECK(loaded->seconds == 0.25);
  const auto answer = message::read_answer(
      through_text(message::error_value({base::ErrorKind::input, "it is cut off"})));
  REQUIRE_FALSE(answer);
  CHECK(answer.error().kind == base::ErrorKind::input);
  CHECK(answer.error().text == "it is cut off");
}

TEST_CASE("messages that lack something are refused") {
  const base::Value empty = base::Dict{};
  CHECK_FALSE(message::read_manner(empty));
  CHECK_FALSE(message::read_window_of(empty));
  CHECK_FALSE(message::read_tokens(empty));
  CHECK_FALSE(message::read_loaded(empty));
  CHECK_FALSE(message::read_answer(empty));
  CHECK_FALSE(message::read_window_of(through_text(message::window_request({{1, 2}, {2}}, {}))));
}

}  // namespace tare::cli
