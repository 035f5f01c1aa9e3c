#include "cli/model_spec.h"

#include <doctest/doctest.h>

#include "cli/parse.h"

namespace tare::cli {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::string fault(const char* text) {
  const auto spec = parse_model_spec(text);
  return spec ? "no fault" : spec.error().text;
}

}  // namespace

TEST_CASE("a model is a scheme, a path and arguments") {
  const auto spec = parse_model_spec("gguf:dir/m.gguf,max_length=512,gpu_layers=0");
  REQUIRE(spec);
  CHECK(spec->scheme == "gguf");
  CHECK(spec->name == "dir/m.gguf");
  CHECK(spec->arguments == Arguments{{"max_length", "512"}, {"gpu_layers", "0"}});
}

TEST_CASE("a path may hold colons, and commas before the first argument") {
  const auto spec = parse_model_spec("gguf:C:/a,b.gguf,max_length=1");
  REQUIRE(spec);
  CHECK(spec->name == "C:/a,b.gguf");
  CHECK(spec->arguments == Arguments{{"max_length", "1"}});
}

TEST_CASE("an argument's value may hold commas in brackets") {
  const auto spec = parse_model_spec(R"(gguf:m.gguf,chat_template_args={"a":1,"b":[2,3]},kv=f16)");
  REQUIRE(spec);
  CHECK(spec->name == "m.gguf");
  CHECK(spec->arguments ==
        Arguments{{"chat_template_args", R"({"a":1,"b":[2,3]})"}, {"kv", "f16"}});
}

TEST_CASE("a path that ends in .gguf needs no scheme") {
  const auto spec = parse_model_spec("models/m.gguf,max_length=8");
  REQUIRE(spec);
  CHECK(spec->scheme == "gguf");
  CHECK(spec->name == "models/m.gguf");
  CHECK(spec->arguments == Arguments{{"max_length", "8"}});
}

TEST_CASE("faults of a model say what is wanted") {
  CHECK(fault("smollm") == "--model smollm: no backend named; wanted gguf:PATH or scripted:FILE");
  CHECK(fault("hf:x") ==
        "--model hf:x: the backend 'hf' is not built in yet; gguf: and scripted: are");
  CHECK(fault("gguf:") == "--model gguf:: no path after 'gguf:'");
  CHECK(fault("gguf:m.gguf,a=1,b") == "--model: 'b' is no argument; wanted NAME=VALUE");
}

TEST_CASE("lm-eval's underscores become dashes in flags, not in values") {
  std::vector<std::string> args{"--num_fewshot", "my_value", "--include_path=a_b", "-t", "--x"};
  dash_flags(args);
  CHECK(args ==
        std::vector<std::string>{"--num-fewshot", "my_value", "--include-path=a_b", "-t", "--x"});
}

}  // namespace tare::cli
