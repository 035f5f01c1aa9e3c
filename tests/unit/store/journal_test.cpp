#include "store/journal.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/files.h"
#include "base/json.h"
#include "store/sqlite.h"
#include "support/support.h"

namespace tare {
namespace {

namespace fs = std::filesystem;
using core::Answered;
using core::Generated;
using core::LogLikelihood;
using store::Journal;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

store::JournalHeader header(int limit = 5) {
  store::JournalHeader made;
  base::Dict options, settings;
  options.set("limit", limit);
  settings.set("options", std::move(options));
  made.settings = std::move(settings);
  made.requests = 100;
  made.requests_sha256 = "aa11";
  made.command = {"--model", "gguf:ä b.gguf"};
  made.folder = "runs";
  return made;
}

Journal opened(const fs::path& folder, const store::JournalHeader& of = header()) {
  auto journal = Journal::open(folder, of);
  REQUIRE_MESSAGE(journal.has_value(), journal.error().text);
  return std::move(*journal);
}

void add(Journal& journal, const std::vector<Answered>& answers) {
  const auto added = journal.append(answers);
  REQUIRE_MESSAGE(added.has_value(), added.error().text);
}

std::vector<Answered> answers_in(const fs::path& folder) {
  auto journal = opened(folder);
  auto all = journal.answers();
  REQUIRE_MESSAGE(all.has_value(), all.error().text);
  return *all;
}

std::string refusal(const fs::path& folder, const store::JournalHeader& of = header()) {
  const auto journal = Journal::open(folder, of);
  REQUIRE_FALSE(journal.has_value());
  CHECK(journal.error().kind == base::ErrorKind::input);
  return journal.error().text;
}

/// Runs SQL on the folder's journal, as another program would.
void tamper(const fs::path& folder, const char* statements) {
  auto database = store::sqlite::Database::open({folder / "journal.sqlite", ""}, false);
  REQUIRE(database.has_value());
  const auto done = database->run(statements);
  REQUIRE_MESSAGE(done.has_value(), done.error().text);
}

std::string bytes_of(const fs::path& path) {
  auto bytes = base::read_file(path);
  REQUIRE_MESSAGE(bytes.has_value(), bytes.error().text);
  return *bytes;
}

TEST_CASE("log-likelihoods come back with the same bits") {
  const test::TempDir folder;
  const std::vector<double> sums{-1.0 / 3,
                                 0.0,
                                 -0.0,
                                 -3,
                                 std::numeric_limits<double>::denorm_min(),
                                 -std::numeric_limits<double>::denorm_min(),
                                 -std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::lowest(),
                                 kNan,
                                 std::bit_cast<double>(0xFFF8'0000'0000'BEEF)};
  {
    std::vector<Answered> answers;
    for (std::size_t i = 0; i < sums.size(); ++i)
      answers.push_back({2 * i, LogLikelihood{sums[i], i % 3 == 0}});
    auto journal = opened(folder.path());
    add(journal, answers);
  }
  const auto found = answers_in(folder.path());
  REQUIRE(found.size() == sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    CAPTURE(sums[i]);
    CHECK(found[i].position == 2 * i);
    const auto& answer = std::get<LogLikelihood>(found[i].answer);
    CHECK(std::bit_cast<std::uint64_t>(answer.sum) == std::bit_cast<std::uint64_t>(sums[i]));
    CHECK(answer.greedy == (i % 3 == 0));
  }
}

TEST_CASE("generated text comes back as it was, whatever is in it") {
  const test::TempDir folder;
  const std::vector<Generated> texts{
      {"", {}, core::FinishReason::length},
      {"NaN", {0, 2147483647, -1}, core::FinishReason::end_of_sequence},
      {std::string("a\0b\n'\"", 6) + "ü\u2028", {7}, core::FinishReason::stop_string}};
  {
    auto journal = opened(folder.path());
    for (std::size_t i = 0; i < texts.size(); ++i) add(journal, {{i, texts[i]}});
  }
  const auto found = answers_in(folder.path());
  REQUIRE(found.size() == texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& answer = std::get<Generated>(found[i].answer);
    CHECK(answer.text == texts[i].text);
    CHECK(answer.tokens == texts[i].tokens);
    CHECK(answer.finish == texts[i].finish);
  }
}

TEST_CASE("reasons of failures come back until there is an answer") {
  const test::TempDir folder;
  {
    auto journal = opened(folder.path());
    const std::vector<core::Failed> first{{3, {"HTTP 503"}}, {5, {"HTTP 503"}}, {8, {"too long"}}};
    REQUIRE(journal.note(first).has_value());
    const std::vector<core::Failed> second{{5, {"timed out"}}};
    REQUIRE(journal.note(second).has_value());
    add(journal, {{8, LogLikelihood{-1, false}}});
  }
  auto journal = opened(folder.path());
  const auto found = journal.failures();
  REQUIRE_MESSAGE(found.has_value(), found.error().text);
  REQUIRE(found->size() == 2);
  CHECK(found->at(0).position == 3);
  CHECK(found->at(0).failure.reason == "HTTP 503");
  CHECK(found->at(1).position == 5);
  CHECK(found->at(1).failure.reason == "timed out");
}

TEST_CASE("a failure that no plan of this size has is damage") {
  const test::TempDir folder;
  { const auto journal = opened(folder.path()); }
  tamper(folder.path(), "INSERT INTO failures VALUES (100, 'HTTP 503')");
  auto journal = opened(folder.path());
  const auto found = journal.failures();
  REQUIRE_FALSE(found.has_value());
  CHECK(found.error().text.find("journal.sqlite: is damaged: failure 100") != std::string::npos);
}

TEST_CASE("the header comes back, with the command that made the plan") {
  const test::TempDir folder;
  { const auto journal = opened(folder.path()); }
  const auto journal = Journal::open_existing(folder.path());
  REQUIRE_MESSAGE(journal.has_value(), journal.error().text);
  CHECK(journal->header().settings == header().settings);
  CHECK(journal->header().requests == 100);
  CHECK(journal->header().requests_sha256 == "aa11");
  CHECK(journal->header().command == header().command);
  CHECK(journal->header().folder == "runs");
  CHECK(store::differences(journal->header(), header()).empty());
}

TEST_CASE("a run in another folder, started otherwise, may go on") {
  const test::TempDir folder;
  { const auto journal = opened(folder.path()); }
  auto moved = header();
  moved.command = {"--other"};
  moved.folder = "elsewhere";
  CHECK(Journal::open(folder.path(), moved).has_value());
}

TEST_CASE("a batch is there whole or not at all") {
  const test::TempDir folder;
  {
    auto journal = opened(folder.path());
    add(journal, {{4, LogLikelihood{-1, false}}});
    const std::vector<Answered> again{{5, LogLikelihood{-2, false}}, {4, LogLikelihood{-9, false}}};
    CHECK_FALSE(journal.append(again).has_value());
    add(journal, {{6, LogLikelihood{-3, false}}});
  }
  const auto found = answers_in(folder.path());
  REQUIRE(found.size() == 2);
  CHECK(std::get<LogLikelihood>(found[0].answer).sum == -1);
  CHECK(found[1].position == 6);
}

TEST_CASE("what is committed is there after a kill, as a copy of the files shows") {
  const test::TempDir folder, copy;
  auto journal = opened(folder.path());
  for (std::size_t i = 0; i < 10; ++i) add(journal, {{i, LogLikelihood{-1.5, true}}});
  for (const char* name : {"journal.sqlite", "journal.sqlite-wal"})
    fs::copy_file(folder.path() / name, copy.path() / name);
  CHECK(answers_in(copy.path()).size() == 10);
}

TEST_CASE("a log that was cut off loses its last batches alone") {
  const test::TempDir folder, copy;
  auto journal = opened(folder.path());
  add(journal, {{50, LogLikelihood{-2, true}}});
  const fs::path log = folder.path() / "journal.sqlite-wal";
  const auto first = fs::file_size(log);
  for (std::size_t i = 0; i < 10; ++i) add(journal, {{i, LogLikelihood{-1.5, true}}});
  const auto all = fs::file_size(log);
  REQUIRE(all > first);
  std::size_t before = 0;
  for (auto size = first; size <= all; size += (all - first) / 7) {
    CAPTURE(size);
    fs::remove(copy.path() / "journal.sqlite-wal");
    for (const char* name : {"journal.sqlite", "journal.sqlite-wal"})
      fs::copy_file(folder.path() / name, copy.path() / name, fs::copy_options::overwrite_existing);
    fs::resize_file(copy.path() / "journal.sqlite-wal", size);
    const auto found = answers_in(copy.path());
    REQUIRE_FALSE(found.empty());
    CHECK(found.back().position == 50);
    CHECK(found.size() >= before);
    before = found.size();
  }
  CHECK(before > 1);
}

TEST_CASE("a sealed journal is one file, and takes more answers") {
  const test::TempDir folder, copy;
  auto journal = opened(folder.path());
  add(journal, {{1, LogLikelihood{-1, false}}});
  REQUIRE(journal.seal().has_value());
  CHECK_FALSE(fs::exists(folder.path() / "journal.sqlite-wal"));
  fs::copy_file(folder.path() / "journal.sqlite", copy.path() / "journal.sqlite");
  CHECK(answers_in(copy.path()).size() == 1);
  add(journal, {{2, LogLikelihood{-1, false}}});
  CHECK(journal.answers()->size() == 2);
}

TEST_CASE("a start that was killed is no journal yet") {
  const test::TempDir folder;
  folder.write("journal.sqlite", "");
  const auto nothing = Journal::open_existing(folder.path());
  REQUIRE_FALSE(nothing.has_value());
  CHECK(nothing.error().text.find("is empty: the run was stopped before it began") !=
        std::string::npos);
  auto journal = opened(folder.path());
  CHECK(journal.answers()->empty());
}

TEST_CASE("a folder without a journal cannot be read") {
  const test::TempDir folder;
  const auto journal = Journal::open_existing(folder.path());
  REQUIRE_FALSE(journal.has_value());
  CHECK(journal.error().text ==
        folder.path().string() + ": holds no journal.sqlite; wanted the output folder of a run");
  CHECK_FALSE(fs::exists(folder.path() / "journal.sqlite"));
}

TEST_CASE("what is no journal of this version is refused and left as it is") {
  const test::TempDir folder;
  const fs::path path = folder.path() / "journal.sqlite";
  const std::string remedy = "; move it away, or name another --output";
  SUBCASE("text") {
    folder.write("journal.sqlite", std::string(5000, 'x'));
    const std::string before = bytes_of(path);
    CHECK(refusal(folder.path()) == path.string() + ": is no SQLite database" + remedy);
    CHECK(bytes_of(path) == before);
  }
  SUBCASE("another program's database") {
    tamper(folder.path(), "CREATE TABLE t (x)");
    const std::string before = bytes_of(path);
    CHECK(refusal(folder.path()) == path.string() + ": is a database of another program" + remedy);
    CHECK(bytes_of(path) == before);
  }
  SUBCASE("a newer journal") {
    { const auto journal = opened(folder.path()); }
    tamper(folder.path(), "PRAGMA user_version = 3");
    CHECK(refusal(folder.path()) ==
          path.string() + ": has version 3 of the journal; this tare reads version 2" + remedy);
  }
  SUBCASE("a journal without its header") {
    { const auto journal = opened(folder.path()); }
    tamper(folder.path(), "DELETE FROM run");
    CHECK(refusal(folder.path()) == path.string() + ": is damaged: it has no header" + remedy);
  }
  SUBCASE("a header that is no JSON") {
    { const auto journal = opened(folder.path()); }
    tamper(folder.path(), "UPDATE run SET settings = '{'");
    CHECK(refusal(folder.path()) ==
          path.string() + ": is damaged: its header cannot be read" + remedy);
  }
  SUBCASE("a file that was cut off") {
    {
      auto journal = opened(folder.path());
      std::vector<Answered> many;
      for (std::size_t i = 0; i < 90; ++i)
        many.push_back({i, Generated{std::string(300, 'a'), {1}, core::FinishReason::length}});
      add(journal, many);
    }
    fs::resize_file(path, fs::file_size(path) / 2);
    CHECK(refusal(folder.path()) == path.string() + ": is damaged" + remedy);
  }
  SUBCASE("a folder") {
    fs::create_directory(path);
    CHECK(refusal(folder.path()) ==
          path.string() + ": cannot be opened (unable to open database file)" + remedy);
  }
}

TEST_CASE("answers that no plan of this size has are damage") {
  const test::TempDir folder;
  { const auto journal = opened(folder.path()); }
  for (const char* row :
       {"100, 0, 0, NULL, NULL, NULL", "3, NULL, 0, NULL, NULL, NULL",
        "3, NULL, 0, 'text', '[1.5]', 'length'", "3, NULL, 0, 'text', '[3000000000]', 'length'",
        "3, NULL, 0, 'text', '[1]', 'tired'"}) {
    CAPTURE(row);
    tamper(folder.path(),
           ("DELETE FROM answers; INSERT INTO answers VALUES (" + std::string(row) + ")").c_str());
    auto journal = opened(folder.path());
    const auto found = journal.answers();
    REQUIRE_FALSE(found.has_value());
    CHECK(found.error().text.find("journal.sqlite: is damaged: answer ") != std::string::npos);
  }
}

TEST_CASE("a journal that another has open is locked") {
  const test::TempDir folder;
  auto journal = opened(folder.path());
  add(journal, {{1, LogLikelihood{-1, false}}});
  CHECK(refusal(folder.path()) ==
        (folder.path() / "journal.sqlite").string() +
            ": is being written by a run at work in another process; wait until that has ended, or "
            "follow it by its --progress-log");
}

TEST_CASE("another header is refused, with what differs, and nothing is lost") {
  const test::TempDir folder;
  {
    auto journal = opened(folder.path());
    add(journal, {{1, LogLikelihood{-1, false}}});
  }
  CHECK(refusal(folder.path(), header(10)) ==
        (folder.path() / "journal.sqlite").string() +
            ": is of a run with other settings: --limit is 5 there and 10 here; give the same "
            "settings to go on, or name another --output");
  CHECK(answers_in(folder.path()).size() == 1);
}

/// A header from a case file: settings and the fields that are not in them.
store::JournalHeader header_of(const base::Value& value) {
  store::JournalHeader made;
  if (const auto* settings = value.find("settings")) made.settings = *settings;
  if (const auto* requests = value.find("requests"))
    made.requests = static_cast<std::size_t>(requests->as_int());
  if (const auto* digest = value.find("requests_sha256"))
    made.requests_sha256 = digest->as_string();
  if (const auto* shard = value.find("shard")) {
    made.shard = static_cast<std::size_t>(shard->items()[0].as_int());
    made.shards = static_cast<std::size_t>(shard->items()[1].as_int());
  }
  return made;
}

TEST_CASE("differences between headers are told in a user's words") {
  const auto text = bytes_of(test::source_dir() / "tests/cases/store/journal_differences.json");
  const auto file = base::json::parse(text);
  REQUIRE_MESSAGE(file.has_value(), file.error().text);
  for (const base::Value& one : file->find("cases")->items()) {
    CAPTURE(one.find("name")->as_string());
    const auto found =
        store::differences(header_of(*one.find("there")), header_of(*one.find("here")));
    CHECK(store::text_of(found) == one.find("text")->as_string());
  }
}

}  // namespace
}  // namespace tare
