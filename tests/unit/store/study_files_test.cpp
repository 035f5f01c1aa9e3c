#include <doctest/doctest.h>

#include "store/read_facts.h"
#include "store/read_scores.h"
#include "store/results.h"
#include "store/study_ledger.h"
#include "support/support.h"
#include "unit/store/records.h"

namespace tare {

TEST_CASE("the scores of a run are read back from its samples") {
  const core::RunRecord run = test::small_run();
  const core::TaskRecord& zoo = run.tasks[0];
  const test::TempDir folder;
  folder.write("samples_zoo.jsonl", store::samples_jsonl(zoo));
  const auto read = store::read_scores(store::own_files(folder.path()), "zoo");
  REQUIRE_MESSAGE(read.has_value(), read.error().text);
  const core::FilterScore& filter = zoo.score.filters[0];
  REQUIRE(read->size() == filter.documents.size());
  for (std::size_t i = 0; i < read->size(); ++i) {
    const store::SampledScore& one = (*read)[i];
    CHECK(one.doc_id == static_cast<std::int64_t>(zoo.task.doc_ids[i]));
    CHECK(one.filter == filter.filter);
    CHECK(one.document == zoo.task.documents[i]);
    CHECK(one.document_hash.size() == 64);
    REQUIRE(one.metrics.size() == filter.documents[i].metrics.size());
    for (std::size_t k = 0; k < one.metrics.size(); ++k) {
      CHECK(one.metrics[k].first == filter.documents[i].metrics[k].first);
      CHECK(one.metrics[k].second == filter.documents[i].metrics[k].second);
    }
    CHECK(one.failure.empty() == !filter.documents[i].failed);
  }
}

TEST_CASE("what a run says of itself is read back") {
  const test::TempDir folder;
  REQUIRE(store::write_run(test::small_run(), folder.path(), true));
  const auto facts = store::read_facts(folder.path());
  REQUIRE_MESSAGE(facts.has_value(), facts.error().text);
  CHECK(facts->spelling == test::small_run().model);
  CHECK(facts->asked == 0);  // there is no execution.json
  CHECK_FALSE(store::read_facts(folder.path() / "nothing"));
}

TEST_CASE("a study's ledger comes back as it was written") {
  const test::TempDir folder;
  CHECK(store::read_ledger(folder.path())->empty());
  store::Ledger ledger;
  ledger["a/b/fix/quiz/1"] = {{"--model=x", "--tasks=y"}, "it died", false};
  ledger["a/b/fix/quiz/2"] = {{"--model=x"}, "", true};
  REQUIRE(store::write_ledger(ledger, folder.path()));
  const auto read = store::read_ledger(folder.path());
  REQUIRE(read);
  REQUIRE(read->size() == 2);
  CHECK(read->at("a/b/fix/quiz/1").words == ledger["a/b/fix/quiz/1"].words);
  CHECK(read->at("a/b/fix/quiz/1").failure == "it died");
  CHECK(read->at("a/b/fix/quiz/2").failed_items);
  folder.write("study.json", "{\"schema_version\": 99, \"cells\": {}}");
  const auto later = store::read_ledger(folder.path());
  REQUIRE_FALSE(later);
  CHECK(later.error().text.find("wanted version 1") != std::string::npos);
}

}  // namespace tare
