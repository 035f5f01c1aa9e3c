#include "cli/model_manner.h"

#include <doctest/doctest.h>

using namespace tare;
using namespace tare::cli;

namespace {

std::string without(const std::string& text) {
  const auto spec = parse_model_spec(text);
  REQUIRE(spec);
  return without_manner(*spec).text;
}

}  // namespace

TEST_CASE("how a model is asked is no part of what it is") {
  CHECK(without("openai:http://h/v1,num_concurrent=4,model=m,timeout=3,patience=1,max_retries=2") ==
        "openai:http://h/v1,model=m");
  CHECK(without("llama-server:http://h,slot=0,timeout=3") == "llama-server:http://h,slot=0");
  CHECK(without("ollama:m,num_ctx=512,url=http://h,num_concurrent=2") ==
        "ollama:m,num_ctx=512,url=http://h");
  CHECK(without("hf:folder,timeout=3,batch=2") == "hf:folder,batch=2");
  CHECK(without("gguf:m.gguf,kv=f16") == "gguf:m.gguf,kv=f16");
}
