#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "compare/document.h"
#include "store/read_answers.h"
#include "store/sample_lines.h"

namespace compare = tare::compare;
namespace store = tare::store;

namespace {

/// Every text is results, or one line of error.
void read_results(const std::string& text) {
  const auto run =
      store::parse_run(text, {.results = "r.json", .folder = "", .time = "", .passed_over = {}});
  if (!run && run.error().text.find('\n') != std::string::npos) std::abort();
}

/// Lines are the same in one piece and in two.
std::vector<store::SampledAnswer> read_lines(std::string_view text, std::size_t cut) {
  std::vector<store::SampledAnswer> answers;
  store::SampleLines lines("s.jsonl", [&](const tare::base::Value& line) {
    auto answer = store::answer_of(line);
    if (answer) answers.push_back(std::move(*answer));
    return answer.has_value();
  });
  lines.add(text.substr(0, cut));
  lines.add(text.substr(cut));
  const auto end = lines.end();
  if (!end && end.error().text.find('\n') != std::string::npos) std::abort();
  return answers;
}

/// Values of any form are compared, or it is said why not.
void compare_values(const std::vector<store::SampledAnswer>& answers) {
  compare::Series series;
  for (const store::SampledAnswer& answer : answers)
    for (const auto& [name, value] : answer.metrics) {
      series.metric = name;
      series.pairs.push_back({answer.doc_id, value, value, false});
      series.all_first.push_back(value);
    }
  series.all_second = series.all_first;
  const auto measured = compare::measure(series, {.permutations = 10});
  if (measured.items + measured.missing != series.pairs.size()) std::abort();
  if (measured.not_compared.empty() && measured.difference() != 0) std::abort();
}

void read_rule(std::string_view text) {
  const auto rule = compare::parse_rule(text);
  if (!rule && rule.error().text.find('\n') != std::string::npos) std::abort();
  if (rule && !(rule->by >= 0 && rule->level > 0 && rule->level < 1)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_results(std::string(text));
  const auto answers = read_lines(text, size);
  if (read_lines(text, size / 2).size() != answers.size()) std::abort();
  compare_values(answers);
  read_rule(text);
  return 0;
}
