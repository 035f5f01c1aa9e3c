#include "data/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "base/number.h"
#include "data/csv_lexer.h"
#include "data/utf8.h"

namespace tare::data {
namespace {

using base::List;
using base::Result;
using base::Value;
using Kind = Type::Kind;
using Fields = std::vector<std::string>;

/// What pandas 3 reads as missing, sorted.
constexpr std::array<std::string_view, 19> kMissing = {
    "",     "#N/A", "#N/A N/A", "#NA",  "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A",  "NA",       "NULL", "NaN",     "None",     "n/a",  "nan",  "null"};

std::string_view strip(std::string_view text) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<bool> read_bool(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}

bool is_integer_text(std::string_view text) {
  text = strip(text);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<double> read_real(std::string_view text) {
  text = strip(text);
  if (auto number = base::read_real(text)) return number;
  std::string word = lower(text);
  const bool negative = !word.empty() && word[0] == '-';
  if (negative || (!word.empty() && word[0] == '+')) word.erase(0, 1);
  if (word != "inf" && word != "infinity") return std::nullopt;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return negative ? -kInfinity : kInfinity;
}

/// One column of one batch.
class Column {
 public:
  explicit Column(const CsvOptions& options) : options_(&options) {}

  void add(std::string text) { cells_.push_back(std::move(text)); }
  [[nodiscard]] std::size_t size() const { return cells_.size(); }

  [[nodiscard]] Kind kind() const {
    const bool complete = std::none_of(cells_.begin(), cells_.end(),
                                       [&](const std::string& text) { return is_missing(text); });
    if (all([](const std::string& text) { return is_integer_text(text); }))
      return integer_kind(complete);
    if (all([](const std::string& text) { return read_real(text).has_value(); })) return Kind::real;
    if (all([](const std::string& text) { return read_bool(text).has_value(); }))
      return Kind::boolean;
    return Kind::string;
  }

  /// The cells as values; they are used up.
  List take(Kind kind) {
    List values;
    values.reserve(cells_.size());
    for (std::string& text : cells_)
      values.push_back(is_missing(text) ? Value() : value(std::move(text), kind));
    cells_.clear();
    return values;
  }

 private:
  [[nodiscard]] bool is_missing(const std::string& text) const {
    return options_->na_filter && options_->na_words &&
           std::binary_search(kMissing.begin(), kMissing.end(), std::string_view(text));
  }

  template <class Test>
  [[nodiscard]] bool all(Test test) const {
    return std::all_of(cells_.begin(), cells_.end(),
                       [&](const std::string& text) { return is_missing(text) || test(text); });
  }

  /// Integers with gaps are reals; integers beyond 64 bits stay text.
  [[nodiscard]] Kind integer_kind(bool complete) const {
    const bool fits =
        all([](const std::string& text) { return base::read_integer(strip(text)).has_value(); });
    if (!fits) return Kind::string;
    return complete ? Kind::integer : Kind::real;
  }

  static Value value(std::string text, Kind kind) {
    switch (kind) {
      case Kind::integer:
        return *base::read_integer(strip(text));
      case Kind::real:
        return *read_real(text);
      case Kind::boolean:
        return *read_bool(text);
      default:
        return text;
    }
  }

  const CsvOptions* options_;
  Fields cells_;
};

/// pandas' names of columns: an empty one is "Unnamed: 2", a second "a" is "a.1".
Fields distinct_names(Fields names) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i].empty()) names[i] = fmt::format("Unnamed: {}", i);
  const std::set<std::string> given(names.begin(), names.end());
  std::set<std::string> used;
  for (std::string& name : names) {
    std::string candidate = name;
    for (std::size_t n = 1;
         used.count(candidate) > 0 || (candidate != name && given.count(candidate) > 0); ++n)
      candidate = fmt::format("{}.{}", name, n);
    name = candidate;
    used.insert(name);
  }
  return names;
}

class Reader {
 public:
  Reader(std::string_view text, const CsvOptions& options)
      : options_(options), lexer_(text, options.separator, options.quote) {}

  Result<std::vector<Batch>> read() {
    TARE_CHECK(read_header());
    while (true) {
      TARE_TRY(const bool more, next());
      if (!more) break;
      if (fields_.size() > names_.size()) return too_long();
      add();
      if (columns_.front().size() == kCsvBatchRows) finish();
      if (options_.first_batch_only && !batches_.empty()) break;
    }
    finish();
    return std::move(batches_);
  }

 private:
  /// The next record, which may have been read already.
  Result<bool> next() {
    if (held_) {
      held_ = false;
      return true;
    }
    return lexer_.next(fields_);
  }

  base::Status read_header() {
    for (std::size_t i = 0; i < options_.skip_lines; ++i) lexer_.skip_line();
    for (std::size_t i = 0; i <= options_.header.value_or(0); ++i) {
      TARE_TRY(const bool more, lexer_.next(fields_));
      if (!more) return base::input_error("found no record, wanted a line with column names");
    }
    held_ = !options_.header;
    names_ = fields_;
    if (held_)
      for (std::size_t i = 0; i < names_.size(); ++i) names_[i] = std::to_string(i);
    if (options_.names) names_ = *options_.names;
    names_ = distinct_names(std::move(names_));
    for (const std::string& name : names_) keys_.emplace_back(name);
    columns_.assign(names_.size(), Column(options_));
    return {};
  }

  [[nodiscard]] base::Failure too_long() const {
    return base::input_error(
        fmt::format("line {}: found {} fields, wanted at most {} (the columns)", lexer_.line(),
                    fields_.size(), names_.size()));
  }

  void add() {
    fields_.resize(names_.size());
    for (std::size_t i = 0; i < fields_.size(); ++i) columns_[i].add(std::move(fields_[i]));
  }

  /// Types what was gathered and makes a batch of it.
  void finish() {
    const std::size_t count = columns_.front().size();
    if (count == 0) return;
    Batch batch;
    batch.schema.kind = Kind::structure;
    std::vector<base::Dict> rows(count);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Kind kind = columns_[c].kind();
      batch.schema.fields.push_back({keys_[c], {kind, {}, {}}});
      List values = columns_[c].take(kind);
      for (std::size_t r = 0; r < count; ++r) rows[r].set(keys_[c], std::move(values[r]));
    }
    for (base::Dict& row : rows) batch.rows.push_back(std::move(row));
    batches_.push_back(std::move(batch));
  }

  const CsvOptions& options_;
  CsvLexer lexer_;
  Fields fields_;
  bool held_ = false;
  Fields names_;
  std::vector<Value> keys_;
  std::vector<Column> columns_;
  std::vector<Batch> batches_;
};

}  // namespace

Result<std::vector<Batch>> read_csv_table(std::string_view text, std::string_view name,
                                          const CsvOptions& options) {
  text = without_byte_order_mark(text);
  auto batches = check_utf8(text).and_then([&] { return Reader(text, options).read(); });
  if (!batches) return base::in_context(std::string(name), batches.error());
  return batches;
}

}  // namespace tare::data
