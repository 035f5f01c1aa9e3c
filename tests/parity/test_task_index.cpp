#include <doctest/doctest.h>

#include <map>

#include "base/files.h"
#include "support/support.h"
#include "task/head.h"
#include "task/task.h"
#include "task_hashes.h"

namespace tare::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("lm-eval's own folder is indexed as lm-eval 0.4.13 does") {
  const auto folder = lm_eval_tasks();
  if (!folder) return skip("TARE_LM_EVAL (the folder lm_eval/tasks of lm-eval 0.4.13)");
  const auto index = task::Index::scan({*folder});
  REQUIRE(index.has_value());
  std::map<task::EntryKind, int> counts;
  for (const auto& [name, entry] : index->entries()) ++counts[entry.kind];
  CHECK_EQ(counts[task::EntryKind::task], 13093);
  CHECK_EQ(counts[task::EntryKind::python_task], 30);
  CHECK_EQ(counts[task::EntryKind::group], 855);
  CHECK_EQ(counts[task::EntryKind::tag], 705);
  CHECK(index->unreadable().empty());
}

TEST_CASE("every task that lm-eval ships is loaded, under its own name") {
  const auto folder = lm_eval_tasks();
  if (!folder) return skip("TARE_LM_EVAL (the folder lm_eval/tasks of lm-eval 0.4.13)");
  const auto index = task::Index::scan({*folder});
  REQUIRE(index.has_value());
  for (const auto& [name, entry] : index->entries()) {
    if (entry.kind != task::EntryKind::task) continue;
    const auto config = task::load_task(entry.file);
    if (!config) FAIL_CHECK(config.error().text);
    if (config && config->task != name) FAIL_CHECK(config->task << " is indexed as " << name);
  }
}

bool same(const task::Head& a, const task::Head& b) {
  return a.task == b.task && a.group == b.group && a.tags == b.tags && a.includes == b.includes &&
         a.python == b.python;
}

TEST_CASE("the line scanner agrees with the parser on every file that lm-eval ships") {
  const auto folder = lm_eval_tasks();
  if (!folder) return skip("TARE_LM_EVAL (the folder lm_eval/tasks of lm-eval 0.4.13)");
  int files = 0;
  int scanned = 0;
  for (const auto& item : fs::recursive_directory_iterator(*folder)) {
    if (item.path().extension() != ".yaml") continue;
    ++files;
    const auto text = base::read_file(item.path());
    REQUIRE(text.has_value());
    const auto head = task::scan_head(*text);
    if (!head) continue;
    ++scanned;
    const auto parsed = task::parse_head(*text, item.path().string());
    if (!parsed || !same(*head, *parsed)) FAIL_CHECK(item.path().string() << ": scanned wrongly");
  }
  CHECK_EQ(files, 13986);
  CHECK(scanned > files * 95 / 100);
}

}  // namespace
}  // namespace tare::test
