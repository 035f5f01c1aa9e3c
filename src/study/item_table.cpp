#include "study/item_table.h"

#include <cmath>

#include "base/json.h"

namespace tare::study {
namespace {

using base::Value;

struct ValueAt {
  std::size_t row;
  Value operator()(const std::vector<std::string>& values) const { return values[row]; }
  Value operator()(const std::vector<std::int64_t>& values) const { return values[row]; }
  Value operator()(const std::vector<double>& values) const {
    return std::isnan(values[row]) ? Value() : Value(values[row]);
  }
};

/// The columns while they grow.
struct Rows {
  std::vector<std::string> model, backend, mode, benchmark, family, task, cluster, metric, answer;
  std::vector<std::int64_t> repetition, document;
  std::vector<double> value, calibrated;

  void add(const Design& design, const Cell& cell, const Item& item, const std::string& name,
           double raw, const std::string& text) {
    const Benchmark& of = design.benchmarks[cell.benchmark];
    model.push_back(design.models[cell.model].name);
    backend.push_back(design.backends[cell.backend].name);
    mode.push_back(cell.mode);
    repetition.push_back(static_cast<std::int64_t>(cell.repetition) + 1);
    benchmark.push_back(of.name);
    family.push_back(of.family);
    task.push_back(item.task);
    document.push_back(item.document);
    cluster.push_back(item.cluster);
    metric.push_back(name);
    answer.push_back(text);
    value.push_back(raw);
    calibrated.push_back(stats::calibrate(raw, ideal_of(design, name)));
  }
};

std::string text_of(const Measured& cell, std::size_t item) {
  return item < cell.texts.size() ? cell.texts[item].value_or("") : "";
}

}  // namespace

std::vector<data::Column> item_columns(const Findings& findings) {
  Rows rows;
  for (const Measured& cell : findings.observations.cells)
    for (const auto& [metric, values] : cell.items)
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isnan(values[i]))
          rows.add(findings.design, cell.cell, findings.observations.items[cell.cell.benchmark][i],
                   metric, values[i], text_of(cell, i));
  return {{"model", std::move(rows.model)},         {"backend", std::move(rows.backend)},
          {"mode", std::move(rows.mode)},           {"repetition", std::move(rows.repetition)},
          {"benchmark", std::move(rows.benchmark)}, {"family", std::move(rows.family)},
          {"task", std::move(rows.task)},           {"doc_id", std::move(rows.document)},
          {"cluster", std::move(rows.cluster)},     {"metric", std::move(rows.metric)},
          {"value", std::move(rows.value)},         {"calibrated", std::move(rows.calibrated)},
          {"answer", std::move(rows.answer)}};
}

std::string item_lines(const std::vector<data::Column>& columns) {
  const std::size_t rows =
      columns.empty() ? 0 : std::visit([](const auto& v) { return v.size(); }, columns[0].values);
  std::string lines;
  for (std::size_t row = 0; row < rows; ++row) {
    base::Dict line;
    for (const data::Column& column : columns)
      line.set(column.name, std::visit(ValueAt{row}, column.values));
    lines += base::json::dump(line) + "\n";
  }
  return lines;
}

}  // namespace tare::study
