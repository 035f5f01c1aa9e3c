#include "floor/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/json.h"
#include "base/or_none.h"
#include "floor/words.h"

namespace tare::floor {
namespace {

using base::Dict;
using base::List;
using base::or_none;
using base::Value;
using report::Table;
using study::TaskFlips;
using Row = std::vector<std::string>;

std::string share_text(std::size_t part, std::size_t whole) {
  if (whole == 0) return kNothing;
  return fmt::format("{}/{} ({:.1f} %)", part, whole,
                     100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string points_text(const std::optional<double>& movement) {
  return movement ? fmt::format("{:+.2f}", 100 * *movement) : kNothing;
}

std::string percent_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.2f}", 100 * *share) : kNothing;
}

std::string p_text(const TaskFlips& task) {
  return task.verdicts.total() == 0 ? kNothing : fmt::format("{:.3g}", task.adjusted);
}

double least_p(std::span<const TaskFlips> tasks) {
  double least = 1;
  for (const TaskFlips& task : tasks) least = std::min(least, task.adjusted);
  return least;
}

Row counts_of(const TaskFlips& task) {
  return {
      share_text(task.answers_changed, task.items), fmt::format("{}", task.verdicts.only_first),
      fmt::format("{}", task.verdicts.only_second), fmt::format("{}", task.wrong_to_other),
      share_text(task.texts_changed, task.texts),   share_text(task.scores_changed, task.scores)};
}

const Row& count_headers() {
  static const Row headers{"Answers changed", "Right to wrong", "Wrong to right",
                           "To other wrong",  "Texts changed",  "Log-likelihoods changed"};
  return headers;
}

Row setting_row(const SettingAnswers& setting) {
  Row row{setting.name, setting.change};
  if (!setting.fault.empty() || !setting.missing.empty()) {
    row.insert(row.end(), count_headers().size() + 1, kNothing);
    row.push_back(setting.fault.empty() ? "n/a: " + setting.missing : "failed: " + setting.fault);
    return row;
  }
  const Row counts = counts_of(study::together(setting.tasks));
  row.insert(row.end(), counts.begin(), counts.end());
  const auto most = study::greatest_movement(setting.tasks);
  row.push_back(most ? fmt::format("{:.2f}", 100 * *most) : kNothing);
  row.push_back(fmt::format("{:.3g}", least_p(setting.tasks)));
  return row;
}

/// What the rows of llama-server are held against, where there are any.
void add_server_note(const FileAnswers& file, Table& table) {
  const auto served = std::ranges::find(file.settings, true, &SettingAnswers::fewer_items);
  if (served == file.settings.end()) return;
  table.notes.push_back(
      fmt::format("Rows of llama-server are on {} items, against its own answers with one slot and "
                  "no cache, or "
                  "against the same command's; so few items are no part of the floor.",
                  study::together(served->tasks).items));
}

Table task_table(const std::string& id, std::string title, std::string first) {
  Table table{.id = id,
              .title = std::move(title),
              .headers = {std::move(first), "Task"},
              .rows = {},
              .labels = 2,
              .notes = {"Accuracies in percent, their change in points; p is McNemar's exact test "
                        "of the task, after Holm over the tasks."}};
  table.headers.insert(table.headers.end(), count_headers().begin(), count_headers().end());
  table.headers.insert(table.headers.end(), {"Accuracy before", "after", "Δ accuracy", "p"});
  return table;
}

void add_tasks(const std::string& name, const SettingAnswers& answers, Table& table) {
  for (const TaskFlips& task : answers.tasks) {
    Row row{name, task.task};
    const Row counts = counts_of(task);
    row.insert(row.end(), counts.begin(), counts.end());
    row.insert(row.end(),
               {percent_text(task.first_accuracy()), percent_text(task.second_accuracy()),
                points_text(task.movement()), p_text(task)});
    table.rows.push_back(std::move(row));
  }
  if (!answers.fault.empty())
    table.notes.push_back(fmt::format("{} has no answers: {}", name, answers.fault));
  if (!answers.missing.empty())
    table.notes.push_back(fmt::format("{} is not available: {}", name, answers.missing));
}

Value task_value(const TaskFlips& task) {
  Dict dict;
  dict.set("task", task.task);
  dict.set("metric", task.metric.empty() ? Value() : Value(task.metric + "," + task.filter));
  dict.set("items", task.items);
  dict.set("missing", task.missing);
  dict.set("scored", task.verdicts.total());
  dict.set("answers_changed", task.answers_changed);
  dict.set("right_to_wrong", task.verdicts.only_first);
  dict.set("wrong_to_right", task.verdicts.only_second);
  dict.set("wrong_to_other_wrong", task.wrong_to_other);
  dict.set("texts", task.texts);
  dict.set("texts_changed", task.texts_changed);
  dict.set("log_likelihoods", task.scores);
  dict.set("log_likelihoods_changed", task.scores_changed);
  dict.set("accuracy", List{or_none(task.first_accuracy()), or_none(task.second_accuracy())});
  dict.set("p", task.p);
  dict.set("p_holm", task.adjusted);
  return dict;
}

Value setting_value(const SettingAnswers& setting) {
  Dict dict;
  dict.set("name", setting.name);
  dict.set("change", setting.change);
  dict.set("pinned", setting.pinned);
  dict.set("fault", or_none(setting.fault));
  dict.set("not_available", or_none(setting.missing));
  dict.set("fewer_items", setting.fewer_items);
  List tasks;
  for (const TaskFlips& task : setting.tasks) tasks.push_back(task_value(task));
  dict.set("tasks", std::move(tasks));
  return dict;
}

Value texts_value(const std::vector<std::string>& texts) {
  return List(texts.begin(), texts.end());
}

void add_flips(const std::string& file, const SettingAnswers& setting, std::string& lines) {
  for (const TaskFlips& task : setting.tasks)
    for (const study::Flip& flip : task.flips) {
      Dict line;
      line.set("file", file);
      line.set("setting", setting.name);
      line.set("task", task.task);
      line.set("doc_id", flip.document);
      line.set("change", study::change_name(flip.change));
      line.set("prompt", flip.prompt);
      line.set("target", flip.target);
      line.set("answers", List{flip.first, flip.second});
      line.set("outputs", List{texts_value(flip.first_outputs), texts_value(flip.second_outputs)});
      lines += base::json::dump(line) + "\n";
    }
}

/// "FILE: SETTING is not available: REASON" for each setting that has a reason.
std::vector<std::string> sentences(const Answers& answers, std::string SettingAnswers::*reason,
                                   std::string_view what) {
  std::vector<std::string> texts;
  for (const FileAnswers& file : answers.files)
    for (const SettingAnswers& setting : file.settings)
      if (!(setting.*reason).empty())
        texts.push_back(
            fmt::format("{}: {} {}: {}", file.name, setting.name, what, setting.*reason));
  return texts;
}

}  // namespace

std::optional<AnswerDifference> difference_of(const Answers& answers, std::size_t file,
                                              double alpha) {
  if (file == 0 || file > answers.pairs.size()) return std::nullopt;
  const SettingAnswers& pair = answers.pairs[file - 1];
  const auto moved = study::greatest_movement(pair.tasks);
  if (!pair.fault.empty() || !moved) return std::nullopt;
  AnswerDifference difference{.p_value = least_p(pair.tasks),
                              .alpha = alpha,
                              .accuracy_change = *moved,
                              .floor_change = std::nullopt};
  for (const std::size_t one : {std::size_t{0}, file})
    for (const SettingAnswers& setting : answers.files[one].settings) {
      if (setting.pinned || setting.fewer_items) continue;
      if (const auto change = study::greatest_movement(setting.tasks))
        difference.floor_change = std::max(difference.floor_change.value_or(0), *change);
    }
  return difference;
}

Table answers_table(const FileAnswers& file, const std::string& id) {
  Table table{
      .id = id,
      .title = file.name + ": answers",
      .headers = {"Setting", "Change"},
      .rows = {},
      .labels = 2,
      .notes = {"Against the reference's answers. |Δ accuracy| is the greatest of a task, in "
                "points; p is the least of McNemar's exact tests of the tasks, after Holm."}};
  table.headers.insert(table.headers.end(), count_headers().begin(), count_headers().end());
  table.headers.insert(table.headers.end(), {"Most |Δ accuracy|", "p"});
  for (const SettingAnswers& setting : file.settings) table.rows.push_back(setting_row(setting));
  add_server_note(file, table);
  return table;
}

Table task_answers_table(const FileAnswers& file, const std::string& id) {
  Table table = task_table(id, file.name + ": answers by task", "Setting");
  for (const SettingAnswers& setting : file.settings) add_tasks(setting.name, setting, table);
  return table;
}

Table pair_answers_table(const Answers& answers, const std::string& id) {
  Table table = task_table(id, "Answers against those of " + answers.files.front().name, "File");
  for (std::size_t i = 0; i < answers.pairs.size(); ++i)
    add_tasks(answers.files[i + 1].name, answers.pairs[i], table);
  return table;
}

Value answers_value(const Answers& answers) {
  Dict dict;
  List files;
  for (const FileAnswers& file : answers.files) {
    Dict one;
    List settings;
    for (const SettingAnswers& setting : file.settings) settings.push_back(setting_value(setting));
    one.set("name", file.name);
    one.set("settings", std::move(settings));
    files.push_back(std::move(one));
  }
  dict.set("files", std::move(files));
  List pairs;
  for (const SettingAnswers& pair : answers.pairs) pairs.push_back(setting_value(pair));
  dict.set("pairs", std::move(pairs));
  return dict;
}

std::string flips_jsonl(const Answers& answers) {
  std::string lines;
  for (const FileAnswers& file : answers.files)
    for (const SettingAnswers& setting : file.settings) add_flips(file.name, setting, lines);
  for (std::size_t i = 0; i < answers.pairs.size(); ++i)
    add_flips(answers.files[i + 1].name, answers.pairs[i], lines);
  return lines;
}

std::vector<std::string> faults_of(const Answers& answers) {
  std::vector<std::string> faults = sentences(answers, &SettingAnswers::fault, "has no answers");
  for (std::size_t i = 0; i < answers.pairs.size(); ++i)
    if (!answers.pairs[i].fault.empty())
      faults.push_back(fmt::format("{}: its answers were not compared: {}",
                                   answers.files[i + 1].name, answers.pairs[i].fault));
  return faults;
}

std::vector<std::string> absences_of(const Answers& answers) {
  return sentences(answers, &SettingAnswers::missing, "is not available");
}

}  // namespace tare::floor
