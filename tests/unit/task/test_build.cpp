#include <doctest/doctest.h>

#include "cases.h"

namespace tare::test {
namespace {

using base::Dict;
using base::List;
using base::Value;

task::BuildOptions options_of(const Value& given) {
  task::BuildOptions options;
  if (const Value* value = given.find("num_fewshot"))
    options.num_fewshot = static_cast<std::size_t>(value->as_int());
  if (const Value* value = given.find("limit")) options.limit = value->as_number();
  if (const Value* value = given.find("seed")) options.fewshot_seed = value->as_int();
  if (const Value* value = given.find("system")) options.system_instruction = value->as_string();
  if (const Value* value = given.find("samples"))
    for (const auto& [task, ids] : value->as_dict()) {
      std::vector<std::size_t>& named = options.samples[task.as_string()];
      for (const Value& id : ids.items()) named.push_back(static_cast<std::size_t>(id.as_int()));
    }
  return options;
}

Value requests_value(const core::BuiltTask& built) {
  List list;
  for (const core::Request& request : built.requests)
    list.push_back(List{request.document, request.index, request.context, request.continuation});
  return list;
}

Value golds_value(const core::BuiltTask& built) {
  List list;
  for (const core::Gold& gold : built.golds)
    list.push_back(gold.choice ? Value(List{gold.target, *gold.choice}) : gold.target);
  return list;
}

Value property(const core::BuiltTask& built, const std::string& name) {
  if (name == "requests") return requests_value(built);
  if (name == "golds") return golds_value(built);
  if (name == "doc_ids") return List(built.doc_ids.begin(), built.doc_ids.end());
  if (name == "choices") return List(built.golds[0].choices.begin(), built.golds[0].choices.end());
  if (name == "num_fewshot") return built.num_fewshot;
  if (name == "total") return built.total_documents;
  if (name == "multiple_input") return built.multiple_input;
  if (name == "version") return built.version;
  if (name == "alias") return built.alias;
  if (name == "first_context") return built.requests.at(0).context;
  FAIL("no such property: " << name);
  return {};
}

TEST_CASE("documents become requests and golds, or an error that names the document") {
  for_each_case("build.json", [](const Value& test) {
    const TempDir folder;
    const auto file = folder.write("t.yaml", at(test, "yaml").as_string());
    const auto config = task::load_task(file);
    REQUIRE_MESSAGE(config.has_value(), config.error().text);
    const auto built =
        task::build(*config, dataset_of(at(test, "data")), options_of(at(test, "options")));
    if (expects_error(test, built ? nullptr : &built.error(), folder)) return;
    for (const auto& [key, expected] : at(test, "expect").as_dict()) {
      const std::string name = key.as_string();
      CAPTURE(name);
      CHECK_EQ(dumped(property(*built, name)), dumped(expected));
    }
  });
}

TEST_CASE("only the splits that are needed are asked for") {
  for_each_case("splits.json", [](const Value& test) {
    const TempDir folder;
    const auto config = task::load_task(folder.write("t.yaml", at(test, "yaml").as_string()));
    REQUIRE(config.has_value());
    const auto options = options_of(at(test, "options"));
    const auto splits = task::splits_needed(*config, options);
    CHECK_EQ(dumped(List(splits.begin(), splits.end())), dumped(at(test, "splits")));
    List codes;
    for (const core::Warning& warning : task::warnings(*config, options))
      codes.emplace_back(warning.code);
    CHECK_EQ(dumped(codes), dumped(at(test, "warnings")));
  });
}

}  // namespace
}  // namespace tare::test
