#include "cli/known_backends.h"

#include <doctest/doctest.h>

#include <set>

namespace tare::cli {

TEST_CASE("every backend has a spelling of its own, and says what it can and needs") {
  std::set<std::string_view> schemes;
  for (const KnownBackend& backend : known_backends()) {
    CAPTURE(backend.scheme);
    schemes.insert(backend.scheme);
    CHECK(backend.spelling.starts_with(std::string(backend.scheme) + ":"));
    CHECK_FALSE(backend.meaning.empty());
    CHECK_FALSE(backend.can.empty());
    CHECK_FALSE(backend.needs.empty());
    CHECK(find_backend(backend.scheme) == &backend);
    const bool spelled = backend.spelling.find("chat") != std::string_view::npos;
    CHECK(spelled == backend.chat);
  }
  CHECK(schemes.size() == known_backends().size());
  CHECK(find_backend("gpt") == nullptr);
}

TEST_CASE("conversations are for endpoint=chat alone") {
  CHECK(takes_messages({"", "openai", "u", {{"endpoint", "chat"}}}));
  CHECK_FALSE(takes_messages({"", "openai", "u", {{"endpoint", "completions"}}}));
  CHECK_FALSE(takes_messages({"", "openai", "u", {}}));
  CHECK_FALSE(takes_messages({"", "gguf", "u", {{"endpoint", "chat"}}}));
  CHECK_FALSE(takes_messages({"", "", "", {}}));
}

}  // namespace tare::cli
