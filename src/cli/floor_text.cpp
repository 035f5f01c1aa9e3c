#include "cli/floor_text.h"

#include <fmt/format.h>

#include <string_view>

#include "base/files.h"
#include "base/json.h"
#include "base/unicode.h"
#include "cli/install_paths.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;

base::Result<FloorText> built_in() {
  const fs::path file = builtin_tasks() / "everyday" / "everyday_cloze.jsonl";
  TARE_TRY(const std::string lines, base::read_file(file));
  FloorText text{.name = "built-in", .text = ""};
  std::string_view rest = lines;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) continue;
    TARE_TRY(const base::Value passage, base::json::parse(line));
    const base::Value* words = passage.find("text");
    if (words == nullptr || !words->is_string())
      return base::input_error(fmt::format("{}: a line has no text", file.string()));
    text.text += words->as_string() + ".\n\n";
  }
  return text;
}

}  // namespace

base::Result<FloorText> floor_text(const fs::path& file) {
  if (file.empty()) return built_in();
  TARE_TRY(std::string text, base::read_file(file));
  if (!base::unicode::valid(text))
    return base::input_error(
        fmt::format("{}: is no UTF-8 text; wanted one, e.g. by iconv -t UTF-8", file.string()));
  return FloorText{file.filename().string(), std::move(text)};
}

}  // namespace tare::cli
