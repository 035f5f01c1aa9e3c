#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backend/byte_tokenizer.h"
#include "backend/http/messages.h"
#include "backend/http/openai_dialect.h"

namespace {

using namespace tare::backend;

void demand(bool holds) {
  if (!holds) std::abort();
}

http::OpenAiDialect dialect(http::ScoreMethod scoring, bool chat) {
  http::OpenAiOptions options;
  options.servers.endpoints = {"http://a/v1"};
  options.chat = chat;
  http::OpenAiServer server;
  server.model = "m";
  server.scoring = scoring;
  return {options, server};
}

}  // namespace

/// Whatever a server sends, what is read of it is a finite number that is no likelihood above 1, or
/// a reason in one line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto in_one_line = [](const std::string& reason) {
    demand(!reason.empty() && reason.find('\n') == std::string::npos);
  };
  const ScoreItem item{0, ByteTokenizer().encode("The sky is blue.", false), 10};
  for (const auto method : {http::ScoreMethod::echo, http::ScoreMethod::prompt_scores}) {
    const auto scored = dialect(method, false).read_score(item, 0, body);
    if (scored)
      demand(std::isfinite(scored->sum) && scored->sum <= 1e-4 * static_cast<double>(size));
    else
      in_one_line(scored.error().reason);
  }
  const tare::core::GenerationSettings settings;
  const GenerateItem prompt{0, item.tokens, &settings, 0};
  for (const bool chat : {false, true})
    if (const auto text = dialect(http::ScoreMethod::none, chat).read_generated(prompt, body);
        !text)
      in_one_line(text.error().reason);
  in_one_line(http::refusal(400, body));
  const auto messages = http::messages_of(ByteTokenizer().encode(body, false));
  demand(messages.is_list() && !messages.items().empty());
  return 0;
}
