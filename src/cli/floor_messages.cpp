#include "cli/floor_messages.h"

#include <fmt/format.h>

#include "floor/setting.h"

namespace tare::cli::floor_messages {
namespace {

using base::Dict;
using base::Result;
using base::Value;

constexpr const char *kTokens = "tokens", *kNext = "next", *kReference = "reference",
                     *kRows = "rows", *kBeginning = "beginning", *kDescription = "description",
                     *kVocabulary = "vocabulary", *kContext = "context",
                     *kWeightBytes = "weight_bytes", *kSeconds = "seconds";

base::Failure nonsense(std::string_view what) {
  return base::work_failed(fmt::format("a worker of the grid: '{}' is missing or wrong", what));
}

Result<std::size_t> count(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr || !found->is_int() || found->as_int() < 0) return nonsense(key);
  return static_cast<std::size_t>(found->as_int());
}

Result<std::string> text(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr || !found->is_string()) return nonsense(key);
  return found->as_string();
}

Result<bool> truth(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  if (found == nullptr || !found->is_bool()) return nonsense(key);
  return found->as_bool();
}

base::List token_list(const std::vector<core::Token>& tokens) {
  base::List list;
  for (const core::Token token : tokens) list.emplace_back(static_cast<std::int64_t>(token));
  return list;
}

Result<std::vector<core::Token>> tokens_of(const Value& value, std::string_view key) {
  const Value* list = value.find(key);
  if (list == nullptr || !list->is_list()) return nonsense(key);
  std::vector<core::Token> tokens;
  for (const Value& token : list->items()) {
    if (!token.is_int()) return nonsense(key);
    tokens.push_back(static_cast<core::Token>(token.as_int()));
  }
  return tokens;
}

}  // namespace

Value window_request(const Window& window, const RowFiles& files) {
  Dict dict;
  dict.set(kDo, kCompute);
  dict.set(kTokens, token_list(window.tokens));
  dict.set(kNext, token_list(window.next));
  dict.set(kReference, files.reference.string());
  dict.set(kRows, files.rows.string());
  return dict;
}

Result<Window> read_window_of(const Value& request) {
  Window window;
  TARE_TRY(window.tokens, tokens_of(request, kTokens));
  TARE_TRY(window.next, tokens_of(request, kNext));
  if (window.tokens.empty() || window.tokens.size() != window.next.size()) return nonsense(kNext);
  return window;
}

RowFiles read_files(const Value& request) {
  return {text(request, kReference).value_or(""), text(request, kRows).value_or("")};
}

Result<core::Manner> read_manner(const Value& value) {
  core::Manner manner;
  TARE_TRY(manner.tier, text(value, floor::kTier));
  TARE_TRY(manner.threads, count(value, floor::kThreads));
  TARE_TRY(manner.batch, count(value, floor::kBatch));
  TARE_TRY(manner.micro_batch, count(value, floor::kMicroBatch));
  TARE_TRY(manner.flash_attention, truth(value, floor::kFlashAttention));
  TARE_TRY(manner.repack, truth(value, floor::kRepack));
  TARE_TRY(const std::string kv, text(value, floor::kKv));
  manner.kv = kv == "f32" ? core::KvType::f32 : core::KvType::f16;
  TARE_TRY(manner.sequences, count(value, floor::kSequences));
  TARE_TRY(manner.unified_kv, truth(value, floor::kUnifiedKv));
  TARE_TRY(manner.prefix, count(value, floor::kPrefix));
  return manner;
}

Value loaded_value(const LoadedFile& loaded) {
  Dict dict;
  dict.set(kDescription, loaded.description);
  dict.set(kVocabulary, loaded.vocabulary);
  dict.set(kContext, loaded.context);
  dict.set(kWeightBytes, loaded.weight_bytes);
  dict.set(kSeconds, loaded.seconds);
  return dict;
}

Result<LoadedFile> read_loaded(const Value& value) {
  LoadedFile loaded;
  TARE_TRY(loaded.description, text(value, kDescription));
  TARE_TRY(loaded.vocabulary, count(value, kVocabulary));
  TARE_TRY(loaded.context, count(value, kContext));
  TARE_TRY(loaded.weight_bytes, count(value, kWeightBytes));
  const Value* seconds = value.find(kSeconds);
  if (seconds == nullptr || !seconds->is_number()) return nonsense(kSeconds);
  loaded.seconds = seconds->as_number();
  return loaded;
}

Value tokens_value(const FileTokens& tokens) {
  Dict dict;
  dict.set(kTokens, token_list(tokens.tokens));
  dict.set(kBeginning,
           tokens.beginning ? Value(static_cast<std::int64_t>(*tokens.beginning)) : Value());
  return dict;
}

Result<FileTokens> read_tokens(const Value& value) {
  FileTokens tokens;
  TARE_TRY(tokens.tokens, tokens_of(value, kTokens));
  if (const Value* beginning = value.find(kBeginning); beginning != nullptr && beginning->is_int())
    tokens.beginning = static_cast<core::Token>(beginning->as_int());
  return tokens;
}

Value error_value(const base::Error& error) {
  Dict dict;
  dict.set(kError, error.text);
  dict.set(kKind, static_cast<int>(error.kind));
  return dict;
}

Result<Value> read_answer(const Value& answer) {
  if (const Value* result = answer.find(kResult)) return *result;
  TARE_TRY(const std::string error, text(answer, kError));
  TARE_TRY(const std::size_t kind, count(answer, kKind));
  return base::fail(static_cast<base::ErrorKind>(kind), error);
}

}  // namespace tare::cli::floor_messages
