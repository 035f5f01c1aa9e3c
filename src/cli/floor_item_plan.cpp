#include "cli/floor_item_plan.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/nearest.h"
#include "cli/floor_item_words.h"
#include "cli/functions.h"
#include "cli/prepare.h"
#include "cli/run_options.h"
#include "run/progress.h"

namespace tare::cli {
namespace {

using base::Result;
using base::Status;
using floor::ItemTokens;
using Words = std::vector<std::string>;

constexpr const char* kEverySetting = "all";
/// One of each kind of change: items take minutes where tokens take seconds. Of several names the
/// first one that runs here; AVX, which the study took, needs four times as long as AVX-512.
const std::vector<Words> kUsualSettings{{"tier-avx512", "tier-avx"},
                                        {"ubatch-32"},
                                        {"flash-attention"},
                                        {"repack-off"},
                                        {"prefix-kept"},
                                        {"parallel-4"}};
/// Of English, before any tokenizer was asked.
constexpr double kBytesAToken = 4;
/// Part of the tokens that it may have that an answer has: of the usual items a sixth, of a model
/// that does not come to an end all of them.
constexpr double kUsedShare = 1.0 / 3;
/// A choice as short as " A" is one token, read off the row that all choices of the item share.
constexpr std::size_t kLetter = 2;

double tokens_of(const std::string& text) {
  return static_cast<double>(text.size()) / kBytesAToken;
}

bool is_generated(const core::BuiltTask& task) {
  return task.output_type == core::OutputType::generate_until;
}

/// About the tokens of a document's requests when they are computed in this program.
ItemTokens tokens_here(const core::BuiltTask& task, const core::Range& range) {
  ItemTokens tokens;
  bool letters = true;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const core::Request& request = task.requests[i];
    letters = letters && request.continuation.size() <= kLetter;
    tokens.read += tokens_of(request.context) + tokens_of(request.continuation);
  }
  if (is_generated(task))
    tokens.written = kUsedShare * static_cast<double>(task.generation.max_tokens * range.size());
  else if (letters && range.size() > 0)
    tokens.read /= static_cast<double>(range.size());
  return tokens;
}

/// The same through llama-server, which computes the whole prompt for each token that is scored.
ItemTokens tokens_served(const core::BuiltTask& task, const core::Range& range) {
  if (is_generated(task)) return tokens_here(task, range);
  ItemTokens tokens;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const core::Request& request = task.requests[i];
    tokens.read += tokens_of(request.context) * std::max(1.0, tokens_of(request.continuation));
  }
  return tokens;
}

void add(const ItemTokens& more, double share, ItemTokens& tokens) {
  tokens.read += share * more.read;
  tokens.written += share * more.written;
}

void count(const core::BuiltTask& task, std::size_t served, ItemQuestions& questions) {
  const std::size_t items = task.documents.size();
  if (items == 0) return;
  served = std::min(served, items);
  const double share = static_cast<double>(served) / static_cast<double>(items);
  for (const core::Range& range : core::request_ranges(task)) {
    add(tokens_here(task, range), 1, questions.tokens);
    add(tokens_served(task, range), share, questions.served_tokens);
  }
  ++questions.tasks;
  questions.items += items;
  questions.served_items += served;
}

Result<PreparedTasks> prepare(const FloorOptions& options) {
  CLI::App app("", "tare run");
  auto run = read_run_options(app, item_words(options), ModelNeed::optional);
  if (!run) return tl::unexpected(run.error());
  if (!*run) return base::usage_error("--tasks " + options.tasks + ": asks for help");
  (*run)->quiet = true;
  TARE_TRY(const worker::OpenFunctions functions, open_functions(**run));
  return prepare_tasks(**run);
}

Status check_names(const FloorPlan& plan, const Words& wanted) {
  Words names;
  for (const PlannedSetting& one : plan.settings) names.push_back(one.setting.name);
  for (const std::string& name : wanted) {
    if (name == kEverySetting || std::ranges::find(names, name) != names.end()) continue;
    const auto near = base::nearest_names(name, names, 1);
    return base::usage_error(
        fmt::format("--item-settings: '{}' is no setting of the grid{}; wanted all, or {}", name,
                    near.empty() ? "" : ", did you mean " + near[0] + "?", base::join_or(names)));
  }
  return {};
}

/// Those of the usual settings that the grid has and this machine runs.
Words usual_settings(const FloorPlan& plan) {
  Words chosen;
  for (const Words& names : kUsualSettings)
    for (const std::string& name : names) {
      const auto found = std::ranges::find_if(plan.settings, [&](const PlannedSetting& one) {
        return one.setting.name == name && one.missing.empty();
      });
      if (found == plan.settings.end()) continue;
      chosen.push_back(name);
      break;
    }
  return chosen;
}

std::vector<const PlannedSetting*> asked_settings(const FloorPlan& plan,
                                                  const FloorOptions& options) {
  const bool usual = options.item_settings.empty();
  const Words wanted = usual ? usual_settings(plan) : options.item_settings;
  const bool every = wanted == Words{kEverySetting} || (usual && wanted.empty());
  std::vector<const PlannedSetting*> asked;
  for (const PlannedSetting& one : plan.settings)
    if (one.missing.empty() &&
        (every || std::ranges::find(wanted, one.setting.name) != wanted.end()))
      asked.push_back(&one);
  return asked;
}

void add_server_rows(const FloorPlan& plan, ItemPlan& items) {
  for (const floor::ServerRow& row : floor::server_rows()) {
    core::Manner manner = plan.reference.manner;
    manner.sequences = row.slots;
    items.rows.push_back(
        {row.name, row.change, nullptr, &row, manner, items.questions.served_tokens});
  }
}

}  // namespace

bool asks_items(const FloorOptions& options) {
  return options.tasks != kNoTasks;
}

Result<ItemQuestions> read_items(const FloorOptions& options) {
  auto prepared = prepare(options);
  if (!prepared && options.tasks == kUsualTasks)
    return base::Failure(
        base::Error{prepared.error().kind,
                    fmt::format("{}; --datasets FOLDER names a copy, --tasks none asks no items",
                                prepared.error().text)});
  if (!prepared) return tl::unexpected(prepared.error());
  ItemQuestions questions;
  questions.words = item_words(options);
  questions.served_words = fewer_item_words(options, prepared->tasks, options.server_items);
  for (const core::BuiltTask& task : prepared->tasks) count(task, options.server_items, questions);
  return questions;
}

Result<ItemPlan> plan_items(ItemQuestions questions, const FloorPlan& plan,
                            const FloorOptions& options) {
  TARE_CHECK(check_names(plan, options.item_settings));
  ItemPlan items{.questions = std::move(questions), .rows = {}, .server = {}};
  const ItemTokens& tokens = items.questions.tokens;
  items.rows.push_back(
      {plan.reference.name, "the same", nullptr, nullptr, plan.reference.manner, tokens});
  for (const PlannedSetting* one : asked_settings(plan, options))
    items.rows.push_back({one->setting.name, floor::difference_text(one->setting, plan.reference),
                          one, nullptr, one->setting.manner, tokens});
  if (options.server_items == 0) return items;
  items.server = find_llama_server();
  add_server_rows(plan, items);
  return items;
}

std::optional<double> expected_seconds(const FloorPlan& plan, const PlannedFile& file,
                                       const ItemRow& row) {
  if (!file.loaded || !file.seconds_a_token) return std::nullopt;
  return file.loaded->seconds +
         *file.seconds_a_token *
             floor::expected_item_cost(row.tokens, row.manner, plan.reference.manner);
}

std::string items_text(const FloorPlan& plan, const ItemPlan& items) {
  double total = 0;
  std::string text;
  for (const ItemRow& row : items.rows) {
    const bool missing = row.server != nullptr && !items.server.missing.empty();
    double seconds = 0;
    for (const PlannedFile& file : plan.files)
      seconds += missing ? 0 : expected_seconds(plan, file, row).value_or(0);
    total += seconds;
    text += missing ? fmt::format("  {:<20} n/a: {}\n", row.name, items.server.missing)
                    : fmt::format("  {:<20} {:<36} {}\n", row.name, row.change,
                                  run::clock_text(seconds));
  }
  const ItemQuestions& asked = items.questions;
  const bool served =
      std::ranges::any_of(items.rows, [](const ItemRow& row) { return row.server != nullptr; });
  return fmt::format(
      "{} items of {} task{}{}; about {} for {} file{}:\n{}", asked.items, asked.tasks,
      asked.tasks == 1 ? "" : "s",
      served ? fmt::format(", {} of them through llama-server", asked.served_items) : "",
      run::clock_text(total), plan.files.size(), plan.files.size() == 1 ? "" : "s", text);
}

}  // namespace tare::cli
