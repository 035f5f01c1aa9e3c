#include "benchmarks/functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "benchmarks/items.h"
#include "benchmarks/scores.h"

namespace tare::benchmarks {
namespace {

using base::List;
using base::Result;
using base::Value;
using core::FunctionUse;
using Arguments = std::span<const Value>;

/// A function of one document, over the list of all.
template <Result<Value> (*Item)(const Value&)>
Result<Value> each_document(Arguments arguments) {
  List items;
  for (const Value& document : arguments[0].items()) {
    auto item = Item(document);
    if (!item)
      return base::in_context(fmt::format("document {}", items.size()), std::move(item).error());
    items.push_back(std::move(*item));
  }
  return Value(std::move(items));
}

/// A function of one document and what the filters left of the answer to its one prompt.
template <Result<Value> (*Score)(const Value&, std::string_view)>
Result<Value> one_answer(Arguments arguments) {
  const List& results = arguments[1].items();
  if (results.size() != 1 || !results[0].is_string())
    return base::input_error("wanted one text an item; end the filters with take_first");
  return Score(arguments[0], results[0].as_string());
}

template <Result<double> (*Aggregate)(std::span<const Value>)>
Result<Value> over_items(Arguments arguments) {
  TARE_TRY(const double value, Aggregate(arguments[0].items()));
  return Value(value);
}

struct Row {
  std::string_view name;
  FunctionUse use;
  Result<Value> (*call)(Arguments);
};

constexpr std::array kRows = {
    Row{"tare.truthfulqa_item", FunctionUse::documents, each_document<truthfulqa_item>},
    Row{"tare.bbq_item", FunctionUse::documents, each_document<bbq_item>},
    Row{"tare.stereoset_item", FunctionUse::documents, each_document<stereoset_item>},
    Row{"tare.letter_scores", FunctionUse::results, one_answer<letter_scores>},
    Row{"tare.bbq_scores", FunctionUse::results, one_answer<bbq_scores>},
    Row{"tare.stereoset_scores", FunctionUse::results, one_answer<stereoset_scores>},
    Row{"tare.triviaqa_scores", FunctionUse::results, one_answer<triviaqa_scores>},
    Row{"tare.truthfulqa_scores", FunctionUse::results, one_answer<truthfulqa_scores>},
    Row{"tare.icat", FunctionUse::aggregation, over_items<icat>},
};

const Row* find_row(const core::FunctionRef& function, FunctionUse use) {
  const auto row = std::ranges::find_if(
      kRows, [&](const Row& known) { return known.name == function.name && known.use == use; });
  return row == kRows.end() ? nullptr : &*row;
}

}  // namespace

bool Functions::knows(const core::FunctionRef& function, FunctionUse use) const {
  return function.file.empty() && find_row(function, use) != nullptr;
}

Result<Value> Functions::call(const core::FunctionRef& function, FunctionUse use,
                              Arguments arguments) {
  const Row* row = find_row(function, use);
  if (row == nullptr)
    return base::input_error(fmt::format("!function {}: tare has no such function", function.name));
  auto value = row->call(arguments);
  if (!value) return base::in_context("!function " + function.name, std::move(value).error());
  return value;
}

}  // namespace tare::benchmarks
