#include "store/study_ledger.h"

#include <fmt/format.h>

#include "base/files.h"
#include "base/json.h"
#include "store/fields.h"
#include "store/run_block.h"

namespace tare::store {
namespace {

namespace field = fields::ledger;
using base::Value;

LedgerEntry entry_of(const Value& value) {
  LedgerEntry one;
  if (const Value words = entry(value, field::kWords); words.is_list())
    for (const Value& word : words.items())
      if (word.is_string()) one.words.push_back(word.as_string());
  if (const Value failure = entry(value, field::kFailure); failure.is_string())
    one.failure = failure.as_string();
  const Value items = entry(value, field::kFailedItems);
  one.failed_items = items.is_bool() && items.as_bool();
  return one;
}

}  // namespace

base::Result<Ledger> read_ledger(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / fields::kLedgerFile;
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) return Ledger();
  TARE_TRY(const std::string text, base::read_file(path));
  const auto root = base::json::parse(text);
  const Value cells = root ? entry(*root, field::kCells) : Value();
  const Value version = root ? entry(*root, fields::kSchemaVersion) : Value();
  if (!cells.is_dict() || version != Value(fields::kLedgerVersion))
    return base::input_error(
        fmt::format("{}: is no study of this version of tare; wanted version {}", path.string(),
                    fields::kLedgerVersion));
  Ledger ledger;
  for (const auto& [name, value] : cells.as_dict()) ledger[name.as_string()] = entry_of(value);
  return ledger;
}

base::Status write_ledger(const Ledger& ledger, const std::filesystem::path& folder) {
  base::Dict cells;
  for (const auto& [name, one] : ledger) {
    base::Dict cell;
    cell.set(field::kWords, base::List(one.words.begin(), one.words.end()));
    cell.set(field::kFailure, one.failure.empty() ? Value() : Value(one.failure));
    cell.set(field::kFailedItems, one.failed_items);
    cells.set(name, std::move(cell));
  }
  base::Dict root;
  root.set(fields::kSchemaVersion, fields::kLedgerVersion);
  root.set(field::kCells, std::move(cells));
  return base::write_file(folder / fields::kLedgerFile,
                          base::json::dump(root, {.indent = 1}) + "\n");
}

bool holds_ledger(const std::filesystem::path& folder) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(folder / fields::kLedgerFile, unknown);
}

}  // namespace tare::store
