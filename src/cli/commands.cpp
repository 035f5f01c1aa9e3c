#include <algorithm>
#include <array>

#include "cli/command.h"

namespace tare::cli {
namespace {

constexpr std::array kCommands{
    Command{"run", "score a model on tasks", run_command},
    Command{"plan", "tell what a run would do, without a model", plan_command},
    Command{"study", "run models through backends and compare these", study_command},
    Command{"compare", "compare finished runs, item by item", compare_command},
    Command{"floor", "measure what equivalent settings do to a model file", floor_command},
    Command{"merge", "unite the shards of a run into its results", merge_command},
    Command{"show", "print the table of a finished run", show_command},
    Command{"report", "write an HTML file to look at finished runs", report_command},
    Command{"validate", "build tasks whole, to find their faults", validate_command},
    Command{"ls", "list tasks, groups, tags, models, backends or CPU tiers", ls_command},
    Command{"fetch", "download a data set or a model from a hub", fetch_command},
    Command{"quantize", "write a model file in another number format", quantize_command},
    Command{"doctor", "tell what this machine can do, and try a model on it", doctor_command},
    Command{"completions", "print what makes a shell complete the words of tare",
            completions_command},
    Command{"man", "print the manual page of a command", man_command},
};

}  // namespace

std::span<const Command> commands() {
  return kCommands;
}

const Command* find_command(std::string_view name) {
  const auto* found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : found;
}

}  // namespace tare::cli
