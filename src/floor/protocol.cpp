#include "floor/protocol.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/shell.h"
#include "floor/words.h"

namespace tare::floor {
namespace {

using Words = std::vector<std::string>;

/// What the commands are about.
struct Names {
  std::string a, b, tasks = "TASKS";
};

Names names_of(const Findings& findings) {
  Names names{.a = findings.files.front().name, .b = "OTHER.gguf"};
  if (findings.files.size() > 1) names.b = findings.files[1].name;
  if (!findings.answers || findings.answers->files.empty()) return names;
  for (const SettingAnswers& setting : findings.answers->files.front().settings) {
    std::vector<std::string> tasks;
    for (const study::TaskFlips& task : setting.tasks) tasks.push_back(task.task);
    if (!tasks.empty()) names.tasks = fmt::format("{}", fmt::join(tasks, ","));
  }
  return names;
}

std::string text_of(const base::Value& dict, std::string_view key) {
  const base::Value* value = dict.find(key);
  return value != nullptr && value->is_string() ? value->as_string() : "";
}

std::string release_of(const Findings& findings) {
  const base::Value* build = findings.program.find("build");
  const std::string release = build == nullptr ? "" : text_of(*build, "llama_cpp");
  return release.empty() ? "" : fmt::format(" (here llama.cpp {})", release);
}

std::string floors_of(const Findings& findings) {
  std::vector<std::string> floors;
  for (const FileFindings& file : findings.files)
    if (const auto floor = floor_of(file, findings.pinned))
      floors.push_back(fmt::format("{} nats for {}", nats(floor->divergence), file.name));
  return floors.empty() ? ": not known" : fmt::format(": {}", fmt::join(floors, ", "));
}

std::string distances_of(const Findings& findings) {
  std::vector<std::string> texts;
  for (const PairFindings& pair : findings.pairs)
    if (pair.divergences)
      texts.push_back(fmt::format("{} nats for {}", nats(pair.divergences->mean),
                                  findings.files[pair.file].name));
  return texts.empty() ? ": not known" : fmt::format(": {}", fmt::join(texts, ", "));
}

std::string line(const Words& words) {
  return base::shell_line(words);
}

std::string run_line(const std::string& file, const std::string& tasks, const std::string& output) {
  return line({"tare", "run", "--model", "gguf:" + file, "--tasks", tasks, "--pin", "pin.yaml",
               "--output", output});
}

std::string floor_line(const Names& names, const Words& more) {
  Words words{"tare", "floor", names.a, names.b};
  words.insert(words.end(), more.begin(), more.end());
  return line(words);
}

}  // namespace

std::vector<ProtocolStep> protocol_of(const Findings& findings) {
  const Names names = names_of(findings);
  const std::string positions = std::to_string(findings.positions);
  return {
      {"Take one build for everything and note its release" + release_of(findings) + ".",
       "tare --version"},
      {"Note what the files are, by their hashes.", line({"sha256sum", names.a, names.b})},
      {"Measure the floor of both files over one text, and how far they are apart (--dry-run tells "
       "what it "
       "takes); keep how the "
       "reference is computed as a pin.",
       floor_line(names, {"--tasks", "none", "--positions", positions, "--write-pin", "pin.yaml",
                          "--output", "floor"})},
      {"Read the warnings first: where a rerun or another thread count is not equal bit for bit, "
       "no number of this machine holds.",
       ""},
      {fmt::format("Hold the distance of the files against the higher floor: not above it, it is "
                   "noise (condition a). Floors{}. Distances{}.",
                   floors_of(findings), distances_of(findings)),
       ""},
      {"Run the first file under the pin.", run_line(names.a, names.tasks, "first")},
      {"Run the other file under the same one.", run_line(names.b, names.tasks, "second")},
      {"Hold their answers against each other, item by item: a paired test after Holm (condition "
       "b).",
       line({"tare", "compare", "first", "second"})},
      {"Ask the items under the settings too: the change of accuracy has to be above the greatest "
       "that a setting makes (condition c).",
       floor_line(names, {"--tasks", names.tasks, "--positions", positions, "--output",
                          "floor-with-items"})},
      {"Call the files different only if a, b and c hold. Report release, hashes and pin, and "
       "beside each difference the floor.",
       ""}};
}

}  // namespace tare::floor
