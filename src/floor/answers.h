#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "floor/verdict.h"
#include "report/table.h"
#include "study/flips.h"

/// What settings do to the answers to benchmark items (source 003: answers changed, outputs
/// changed, the movement of an accuracy).
namespace tare::floor {

/// A setting's answers against those of the file's reference, or a further file's against the first
/// one's.
struct SettingAnswers {
  std::string name, change;
  bool pinned = false;                  ///< it is no part of the floor
  std::string fault;                    ///< why there are no answers; "" if there are
  std::vector<study::TaskFlips> tasks;  ///< p adjusted by Holm over them
  std::string missing{};                ///< why this machine cannot ask so; "" if it can
  /// Only some of the items were asked, so that one of them moves an accuracy by more: it is no
  /// part of the floor.
  bool fewer_items = false;
};

struct FileAnswers {
  std::string name;  ///< the file's, without folders
  std::vector<SettingAnswers> settings;
};

struct Answers {
  std::vector<FileAnswers> files;
  std::vector<SettingAnswers> pairs;  ///< all files but the first, at the reference
};

/// What the verdict on the first file and another one takes from their answers; none without any.
std::optional<AnswerDifference> difference_of(const Answers& answers, std::size_t file,
                                              double alpha = 0.05);

/// A row for each setting of a file.
report::Table answers_table(const FileAnswers& file, const std::string& id);
/// A row for each task under each of them.
report::Table task_answers_table(const FileAnswers& file, const std::string& id);
/// A row for each task of each file but the first.
report::Table pair_answers_table(const Answers& answers, const std::string& id);

/// All numbers, a dict (docs/formats/floor.md).
base::Value answers_value(const Answers& answers);
/// A line of JSON for each item that was not answered alike, with its texts.
std::string flips_jsonl(const Answers& answers);

/// A sentence for each setting whose answers have failed.
std::vector<std::string> faults_of(const Answers& answers);
/// A sentence for each setting that this machine cannot ask under.
std::vector<std::string> absences_of(const Answers& answers);

}  // namespace tare::floor
