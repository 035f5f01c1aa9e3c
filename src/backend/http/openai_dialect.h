#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backend/byte_tokenizer.h"
#include "backend/http/dialect.h"
#include "backend/http/openai.h"
#include "backend/http/prompt_scores.h"
#include "backend/http/remote_tokenizer.h"

namespace tare::backend::http {

/// Ways to the log-probabilities of given text that servers of this kind have.
enum class ScoreMethod {
  none,
  echo,           ///< echo with max_tokens 0
  echo_and_one,   ///< echo with max_tokens 1, for servers that always generate
  prompt_scores,  ///< vLLM's prompt_logprobs
};

std::string_view name_of(ScoreMethod method);

/// What was found out about a server.
struct OpenAiServer {
  std::string model;               ///< as it names it
  std::string software;            ///< "vLLM 0.8.5"; "" if it does not tell
  std::string header;              ///< its Server header, or ""
  std::size_t context_length = 0;  ///< of a request, in tokens; 0: not told
  base::Value defaults{};          ///< how it generates where a request is silent; none: not told
  ScoreMethod scoring = ScoreMethod::none;
  bool greedy = false;                         ///< tells whether a token is the argmax
  std::shared_ptr<RemoteTokenizer> tokenizer;  ///< null: text is sent
};

/// OpenAI's completions and chat completions, as its own and other servers speak them.
class OpenAiDialect final : public Dialect {
 public:
  OpenAiDialect(OpenAiOptions options, OpenAiServer server);

  [[nodiscard]] Capabilities capabilities() const override;
  [[nodiscard]] Identity identity() const override;
  [[nodiscard]] const core::Tokenizer& tokenizer() const override;

  [[nodiscard]] Call score_call(const ScoreItem& item, std::size_t part) const override;
  [[nodiscard]] Scored read_score(const ScoreItem& item, std::size_t part,
                                  std::string_view body) const override;
  [[nodiscard]] Call generate_call(const GenerateItem& item) const override;
  [[nodiscard]] Continued read_generated(const GenerateItem& item,
                                         std::string_view body) const override;

  /// The tokens of the item's text and the place where the continuation begins.
  struct ScoredText {
    std::vector<TextToken> tokens;
    std::size_t first = 0;
  };
  [[nodiscard]] Read<ScoredText> read_text(const ScoreItem& item, std::string_view body) const;

 private:
  [[nodiscard]] base::Value prompt_value(std::span<const core::Token> tokens) const;
  [[nodiscard]] bool sends_ids() const { return server_.tokenizer != nullptr; }

  OpenAiOptions options_;
  OpenAiServer server_;
  ByteTokenizer bytes_;
};

}  // namespace tare::backend::http
