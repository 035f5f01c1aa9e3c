#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>

#include "base/files.h"
#include "cli/chat.h"
#include "cli/known_backends.h"
#include "cli/llama_options.h"
#include "support/support.h"

namespace tare::cli {
namespace {

/// The names in the first column of the guide's first table.
std::set<std::string> documented() {
  const auto text = base::read_file(test::source_dir() / "docs/guide/gguf.md");
  REQUIRE_MESSAGE(text.has_value(), text.error().text);
  std::istringstream lines(*text);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kBegin = "| `";
    const std::size_t equals = line.find('=');
    if (line.starts_with(kBegin) && equals < line.find('`', kBegin.size()))
      names.insert(line.substr(kBegin.size(), equals - kBegin.size()));
  }
  return names;
}

}  // namespace

TEST_CASE("the guide and the listing name every argument of a GGUF model, and no other") {
  const std::string spelling(find_backend("gguf")->spelling);
  std::set<std::string> known;
  for (const std::string& name : gguf_argument_names()) {
    CAPTURE(name);
    CHECK(spelling.find(name + "=") != std::string::npos);
    known.insert(name);
  }
  std::set<std::string> of_engine;
  for (const std::string& name : documented())
    if (!is_chat_argument(name)) of_engine.insert(name);
  CHECK(of_engine == known);
  CHECK(documented().size() == known.size() + 2);
}

}  // namespace tare::cli
