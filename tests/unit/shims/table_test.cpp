#include <doctest/doctest.h>

#include "base/hash.h"
#include "shims/native_functions.h"
#include "support/support.h"

namespace tare::shims {
namespace {

using core::FunctionUse;

constexpr std::string_view kHelper =
    "from lm_eval.tasks.other.names import A\n\n\ndef f(doc):\n    return A\n";

core::FunctionRef reference(const std::filesystem::path& file) {
  return {"utils.f", file.parent_path(), file, base::sha256_file(file).value_or("")};
}

TEST_CASE("the built-in table is read and is large") {
  const auto table = parse_table(builtin_table());
  REQUIRE_MESSAGE(table, table.error().text);
  std::size_t functions = 0;
  for (const auto& [sha, file] : table->files) functions += file.functions.size();
  CHECK(functions > 500);
}

TEST_CASE("a broken line of a table is named") {
  const auto table = parse_table("# head\n unknown f\n");
  REQUIRE_FALSE(table);
  CHECK(table.error().text.find("line 2: ' unknown f'") != std::string::npos);
}

TEST_CASE("a function is known by its file, its name, its use, and the files it imports") {
  const test::TempDir folder;
  const auto names = folder.write("lm_eval/tasks/other/names.py", "A = 'one'\n");
  const auto helper = folder.write("lm_eval/tasks/mine/utils.py", kHelper);
  const auto ref = reference(helper);
  const auto table =
      parse_table(ref.sha256 + " lm_eval.tasks.other.names=" + base::sha256_file(names).value() +
                  "\n field f\n");
  REQUIRE(table);
  NativeFunctions functions(*table);
  CHECK(functions.knows(ref, FunctionUse::document_field));
  CHECK_FALSE(functions.knows(ref, FunctionUse::results));
  const base::Value arguments[] = {base::Dict()};
  CHECK(functions.call(ref, FunctionUse::document_field, arguments).value() == base::Value("one"));

  core::FunctionRef edited = ref;
  edited.sha256 = base::sha256_hex("edited");
  CHECK_FALSE(functions.knows(edited, FunctionUse::document_field));
  const auto refused = functions.call(edited, FunctionUse::document_field, arguments);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("utils.f") != std::string::npos);

  const test::TempDir elsewhere;
  elsewhere.write("lm_eval/tasks/other/names.py", "A = 'two'\n");
  const auto copy = elsewhere.write("lm_eval/tasks/mine/utils.py", kHelper);
  CHECK_FALSE(functions.knows(reference(copy), FunctionUse::document_field));
}

TEST_CASE("a helper reads no file but those of the table") {
  const test::TempDir folder;
  folder.write("names.json", "[\"a\", 2]");
  const auto helper = folder.write("mine/utils.py",
                                   "import json\nfrom pathlib import Path\n\n"
                                   "PATH = Path(__file__).resolve().parent.parent / 'names.json'\n"
                                   "with PATH.open() as file:\n    NAMES = json.load(file)\n\n"
                                   "def f(doc):\n    return NAMES\n");
  const auto ref = reference(helper);
  const std::string sha = base::sha256_file(folder.path() / "names.json").value();
  const base::Value arguments[] = {base::Dict()};
  NativeFunctions with(*parse_table(ref.sha256 + " ../names.json=" + sha + "\n field f\n"));
  CHECK(with.call(ref, FunctionUse::document_field, arguments).value() ==
        base::Value(base::List{"a", 2}));
  NativeFunctions without(*parse_table(ref.sha256 + "\n field f\n"));
  const auto refused = without.call(ref, FunctionUse::document_field, arguments);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("names.json is not built in") != std::string::npos);
}

}  // namespace
}  // namespace tare::shims
