#include "floor/answers.h"

#include <doctest/doctest.h>

#include "base/json.h"

namespace tare::floor {
namespace {

study::TaskFlips task(std::size_t lost, std::size_t won, std::size_t kept) {
  study::TaskFlips flips;
  flips.task = "t";
  flips.metric = "acc";
  flips.filter = "none";
  flips.verdicts = {.both_right = kept, .only_first = lost, .only_second = won, .both_wrong = 0};
  flips.items = flips.verdicts.total();
  flips.answers_changed = lost + won;
  flips.scores = flips.items;
  flips.scores_changed = flips.items;
  flips.p = flips.adjusted = stats::mcnemar_exact(flips.verdicts);
  flips.flips = {
      {3, study::Change::lost, "Why?", "0", "0", "1", {"-1.0", "-2.0"}, {"-2.0", "-1.0"}}};
  return flips;
}

Answers two_files() {
  Answers answers;
  answers.files = {{"a.gguf",
                    {{"tier-avx", "tier sandybridge", false, "", {task(3, 1, 96)}},
                     {"repack-off", "repack off", true, "", {task(9, 0, 91)}},
                     {"tier-sse42", "tier sse42", false, "was killed", {}}}},
                   {"b.gguf", {{"tier-avx", "tier sandybridge", false, "", {task(0, 1, 99)}}}}};
  answers.pairs = {{"pair", "", false, "", {task(8, 0, 92)}}};
  return answers;
}

TEST_CASE("the verdict gets the greatest movement of settings that are not pinned") {
  const auto difference = difference_of(two_files(), 1);
  REQUIRE(difference.has_value());
  CHECK(difference->accuracy_change == doctest::Approx(0.08));
  CHECK(difference->floor_change == doctest::Approx(0.02));
  CHECK(difference->p_value == 2.0 / 256);
}

TEST_CASE("without answers of both files there is nothing for the verdict") {
  Answers answers = two_files();
  answers.pairs[0].fault = "out of memory";
  CHECK_FALSE(difference_of(answers, 1));
  answers.pairs.clear();
  CHECK_FALSE(difference_of(answers, 1));
  answers = two_files();
  for (FileAnswers& file : answers.files) file.settings.clear();
  CHECK_FALSE(difference_of(answers, 1)->floor_change);
}

TEST_CASE("rows of fewer items are no part of the floor, and rows that cannot be are no failure") {
  Answers answers = two_files();
  SettingAnswers served{"server-cache", "prompt cache on", false, "", {task(10, 0, 10)}};
  served.fewer_items = true;
  answers.files[0].settings.push_back(served);
  CHECK(difference_of(answers, 1)->floor_change == doctest::Approx(0.02));
  answers.files[0].settings.back().tasks.clear();
  answers.files[0].settings.back().missing = "no llama-server";
  CHECK(faults_of(answers).size() == 1);
  CHECK(absences_of(answers) ==
        std::vector<std::string>{"a.gguf: server-cache is not available: no llama-server"});
  const report::Table table = answers_table(answers.files[0], "t");
  CHECK(table.rows.back().back() == "n/a: no llama-server");
  CHECK(table.rows.back().size() == table.headers.size());
  const base::Value value = answers_value(answers);
  const base::Value& row = value.find("files")->items()[0].find("settings")->items()[3];
  CHECK(row.find("not_available")->as_string() == "no llama-server");
  CHECK(row.find("fewer_items")->as_bool());
}

TEST_CASE("a table has a row for each setting, failed ones too") {
  const report::Table table = answers_table(two_files().files[0], "t");
  REQUIRE(table.rows.size() == 3);
  for (const auto& row : table.rows) CHECK(row.size() == table.headers.size());
  CHECK(table.rows[0][2] == "4/100 (4.0 %)");
  CHECK(table.rows[0][3] == "3");
  CHECK(table.rows[0][8] == "2.00");
  CHECK(table.rows[2].back() == "failed: was killed");
  const report::Table pair = pair_answers_table(two_files(), "p");
  REQUIRE(pair.rows.size() == 1);
  CHECK(pair.rows[0].size() == pair.headers.size());
  CHECK(pair.rows[0][0] == "b.gguf");
  CHECK(pair.rows[0][10] == "-8.00");
  const report::Table tasks = task_answers_table(two_files().files[0], "t");
  REQUIRE(tasks.rows.size() == 2);
  CHECK(tasks.rows[0].size() == tasks.headers.size());
  CHECK(tasks.rows[0][8] == "99.00");
  CHECK(tasks.rows[0][9] == "97.00");
  CHECK(tasks.notes.back() == "tier-sse42 has no answers: was killed");
}

TEST_CASE("numbers and texts come out as JSON") {
  const base::Value value = answers_value(two_files());
  const base::Value& first = value.find("files")->items()[0];
  const base::Value& settings = *first.find("settings");
  REQUIRE(settings.items().size() == 3);
  const base::Value& numbers = settings.items()[0].find("tasks")->items()[0];
  CHECK(numbers.find("right_to_wrong")->as_int() == 3);
  CHECK(numbers.find("metric")->as_string() == "acc,none");
  CHECK(settings.items()[2].find("fault")->as_string() == "was killed");
  const std::string lines = flips_jsonl(two_files());
  const auto line = base::json::parse(lines.substr(0, lines.find('\n')));
  REQUIRE(line.has_value());
  CHECK(line->find("change")->as_string() == "right to wrong");
  CHECK(line->find("prompt")->as_string() == "Why?");
  CHECK(faults_of(two_files()) ==
        std::vector<std::string>{"a.gguf: tier-sse42 has no answers: was killed"});
}

}  // namespace
}  // namespace tare::floor
