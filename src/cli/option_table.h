#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace CLI {
class App;
}

/// What a command takes, as data: --help, the man pages and the shell completions are made of it.
namespace tare::cli {

/// An option or, with `positional`, a word that stands alone.
struct OptionRow {
  std::vector<std::string> names;  ///< "-o", "--output"; of a positional its one name
  /// What stands for the value ("DIR"), or its choices ("fail|skip|truncate"); empty for a flag.
  /// kFile and its neighbours tell a shell what to offer.
  std::string value;
  std::string meaning;  ///< of several lines where the declaration has them
  std::string heading;  ///< "" for the usual options
  bool positional = false;
  bool required = false;
  bool many = false;      ///< takes all words up to the next option
  bool optional = false;  ///< the value may be left out
};

/// A command, or a command of a command ("tare fetch model").
struct CommandPage {
  std::string name;
  std::string meaning;
  std::vector<OptionRow> options;  ///< in the order of their declaration; without hidden ones
  std::vector<CommandPage> commands;
};

inline constexpr const char* kFile = "FILE";
inline constexpr const char* kFolder = "DIR";
inline constexpr const char* kModel = "MODEL";
inline constexpr const char* kTasks = "TASKS";
inline constexpr const char* kTier = "TIER";
inline constexpr const char* kCount = "N";
inline constexpr const char* kReal = "X";
inline constexpr const char* kWords = "K=V";

/// Of the app that --help was asked of.
CommandPage page_of(const CLI::App& app);

/// Of a command as its function declares it; nothing of the command's work is done.
CommandPage page_of(const Command& command);

/// The choices of a value; empty if it has none.
std::vector<std::string> choices(const OptionRow& row);

}  // namespace tare::cli
