#include "cli/model_spec.h"

#include <doctest/doctest.h>

#include "cli/arguments.h"
#include "cli/http_backends.h"
#include "cli/lm_eval_models.h"
#include "cli/parse.h"

namespace tare::cli {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::string fault(const char* text, const base::Value& arguments = {}) {
  const auto spec = parse_model_spec(text, arguments);
  return spec ? "no fault" : spec.error().text;
}

base::Value arguments(const char* text) {
  auto value = parse_arguments("--model-args", text);
  REQUIRE(value);
  return *value;
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

TEST_CASE("a backend spelled wrong is not taken for a part of a file's name") {
  CHECK(fault("gguff:m.gguf").find("did you mean") != std::string::npos);
  CHECK(parse_model_spec("C:/m.gguf"));
}

TEST_CASE("faults of a model say what is wanted") {
  CHECK(fault("smollm") ==
        "--model smollm: no backend named; wanted gguf:PATH, openai:URL, llama-server:URL, "
        "ollama:NAME, hf:PATH, hf-pipeline:PATH, langchain-hf:PATH, vllm:PATH or scripted:FILE");
  CHECK(fault("hg:x").ends_with("; did you mean hf?"));
  CHECK(fault("gguf:") == "--model gguf:: no path after 'gguf:'; wanted gguf:PATH[,NAME=VALUE...]");
  CHECK(fault("gguf:kv=f16") == fault("gguf:"));
  CHECK(fault("openai:model=pw") ==
        "--model openai:: no URL after 'openai:'; wanted openai:URL[,NAME=VALUE...]");
  CHECK(fault("gguf:m.gguf,a=1,b") == "--model: 'b' is no argument; wanted NAME=VALUE");
}

TEST_CASE("lm-eval's spelling of a GGUF model is the same as tare's") {
  for (const char* key : {"pretrained", "model", "path"}) {
    const auto spec =
        parse_model_spec("gguf", arguments((std::string(key) + "=m.gguf,max_length=8").c_str()));
    REQUIRE(spec);
    CHECK(spec->text == "gguf:m.gguf,max_length=8");
    CHECK(spec->scheme == "gguf");
    CHECK(spec->name == "m.gguf");
    CHECK(spec->arguments == Arguments{{"max_length", "8"}});
  }
}

TEST_CASE("lm-eval's names of backends that read weights are tare's") {
  for (const auto& [name, scheme] :
       Arguments{{"hf", "hf"}, {"huggingface", "hf"}, {"hf-auto", "hf"}, {"vllm", "vllm"}}) {
    const auto spec = parse_model_spec(name, arguments("pretrained=dir/m,dtype=float32"));
    REQUIRE(spec);
    CHECK(spec->text == scheme + ":dir/m,dtype=float32");
    CHECK(spec->scheme == scheme);
    CHECK(spec->arguments == Arguments{{"dtype", "float32"}});
  }
  const auto spec = parse_model_spec("hf-pipeline:dir/x.gguf,batch=2");
  REQUIRE(spec);
  CHECK(spec->scheme == "hf-pipeline");
  CHECK(spec->name == "dir/x.gguf");
  CHECK(fault("hf") ==
        "--model hf: no weights named; wanted --model_args pretrained=PATH, or --model hf:PATH");
}

TEST_CASE("endpoints of a model behind servers stand before its arguments") {
  const auto spec =
      parse_model_spec("openai:http://a:8000/v1;https://b/v1,model=m,num_concurrent=4");
  REQUIRE(spec);
  CHECK(spec->scheme == "openai");
  CHECK(spec->name == "http://a:8000/v1;https://b/v1");
  CHECK(spec->arguments == Arguments{{"model", "m"}, {"num_concurrent", "4"}});
}

TEST_CASE("a URL's query, password and port are refused as what they are, and not shown") {
  const std::string query =
      "--model: endpoint with a query, which would stand in every record of the run; wanted "
      "http://HOST[:PORT][/PATH] or https://...";
  for (const char* text :
       {"openai:http://a/v1?k=pw", "openai:http://a/v1?k=pw,model=m", "openai:http://a/v1?x,k=pw",
        "openai:http://a/v1?x=1,k=2,pw", "llama-server:http://a?api-key=pw"})
    CHECK(fault(text) == query);
  for (const char* text : {"openai:http://u:p=w@a/v1,model=m", "openai:https://u:pw@a",
                           "llama-server:u:pw@a:80", "openai:http://u:1/pw@a/v1"})
    CHECK(fault(text).starts_with("--model: endpoint with a user or password, which would"));
  CHECK(fault("llama-server:http://a:99999") ==
        "--model: endpoint 'http://a:99999' with a port that is none from 1 to 65535; wanted "
        "http://HOST[:PORT][/PATH] or https://...");
  CHECK(fault("opnai:http://u:pw@a/v1?key=pw").starts_with("--model opnai:http://...: no backend"));
  CHECK(fault("opnai:http://a/v1").starts_with("--model opnai:http://a/v1: no backend"));
  CHECK(fault("gguf", arguments("base_url=http://h")).find("base_url=http://h:") !=
        std::string::npos);
  const std::string base_url = fault("gguf", arguments("base_url=http://u:pw@a"));
  CHECK(base_url.find("base_url=http://...:") != std::string::npos);
}

TEST_CASE("lm-eval's names of models behind OpenAI's interface") {
  const auto local =
      parse_model_spec("local-completions",
                       arguments("base_url=http://a:8000/v1/completions,model=m,max_retries=3"));
  REQUIRE(local);
  CHECK(local->text == "openai:http://a:8000/v1/completions,model=m,max_retries=3");
  const auto chat = parse_model_spec("openai-chat-completions", arguments("model=gpt"));
  REQUIRE(chat);
  CHECK(
      chat->text ==
      "openai:https://api.openai.com/v1,endpoint=chat,length_name=max_completion_tokens,model=gpt");
  CHECK(fault("local-chat-completions", arguments("model=m")) ==
        "--model local-chat-completions: no server named; wanted --model_args "
        "base_url=http://HOST:PORT/v1/...");
}

TEST_CASE("--model_args count over arguments after the path") {
  const auto spec = parse_model_spec("gguf:m.gguf,kv=f16,max_length=4", arguments("max_length=8"));
  REQUIRE(spec);
  CHECK(spec->arguments == Arguments{{"kv", "f16"}, {"max_length", "8"}});
}

TEST_CASE("the dummy model is scripted and takes any argument") {
  const auto spec = parse_model_spec("dummy", arguments("pretrained=x"));
  REQUIRE(spec);
  CHECK(spec->text == "scripted:zero");
  CHECK(spec->arguments.empty());
}

TEST_CASE("lm-eval's other backends say what to use instead") {
  CHECK(fault("mamba_ssm", arguments("pretrained=org/m")).find("with org/m as a GGUF file") !=
        std::string::npos);
  CHECK(fault("sglang").find("wanted gguf:PATH with the model as") != std::string::npos);
  for (const std::string& name : lm_eval_models()) {
    if (named_server(name, {})) continue;
    const std::string text = fault(name.c_str());
    CAPTURE(name);
    CHECK((name == "dummy" || text.starts_with("--model " + name + ": ")));
    CHECK((name == "dummy" || text.find(":PATH") != std::string::npos));
  }
}

TEST_CASE("lm-eval's underscores become dashes in flags, not in values") {
  std::vector<std::string> args{"--num_fewshot", "my_value", "--include_path=a_b", "-t", "--x"};
  dash_flags(args);
  CHECK(args ==
        std::vector<std::string>{"--num-fewshot", "my_value", "--include-path=a_b", "-t", "--x"});
}

}  // namespace tare::cli
