#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/floor_options.h"
#include "cli/floor_plan.h"
#include "cli/floor_server.h"
#include "floor/estimate.h"

namespace tare::cli {

/// The items, and words of `tare run` that ask them.
struct ItemQuestions {
  std::vector<std::string> words, served_words;  ///< the latter of what llama-server is asked
  std::size_t tasks = 0, items = 0, served_items = 0;
  floor::ItemTokens tokens, served_tokens;  ///< about
};

/// A row of answers of one file.
struct ItemRow {
  std::string name, change;
  const PlannedSetting* setting = nullptr;   ///< none: of the reference or of llama-server
  const floor::ServerRow* server = nullptr;  ///< none: computed in this program
  core::Manner manner;
  floor::ItemTokens tokens;
};

/// Everything about items that is known before they are asked.
struct ItemPlan {
  ItemQuestions questions;
  std::vector<ItemRow> rows;  ///< of each file, the reference first
  ServerProgram server;       ///< where there are rows of it
};

/// True if items are asked at all.
bool asks_items(const FloorOptions& options);

/// Builds the tasks once, so that what is wrong with them is found before the grid is computed.
base::Result<ItemQuestions> read_items(const FloorOptions& options);

/// The settings that items are asked under, of those that run here: the ones of --item-settings,
/// else one of each kind; and the ways to ask llama-server. Error: a name that the grid does not
/// have.
base::Result<ItemPlan> plan_items(ItemQuestions questions, const FloorPlan& plan,
                                  const FloorOptions& options);

/// Expected seconds of a row on a file; none before the file was tried.
std::optional<double> expected_seconds(const FloorPlan& plan, const PlannedFile& file,
                                       const ItemRow& row);

/// How many items, and the seconds that each row is expected to take.
std::string items_text(const FloorPlan& plan, const ItemPlan& items);

}  // namespace tare::cli
