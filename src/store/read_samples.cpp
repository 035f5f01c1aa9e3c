#include "store/read_samples.h"

#include <limits>
#include <set>

#include "store/fields.h"
#include "store/run_block.h"
#include "store/sample_lines.h"

namespace tare::store {
namespace {

namespace lm_eval = fields::lm_eval;
using base::Value;
using Tokens = std::vector<core::Token>;

bool append(Tokens& tokens, const Value& list) {
  using Limits = std::numeric_limits<core::Token>;
  if (!list.is_list()) return false;
  for (const Value& item : list.items()) {
    if (!item.is_int() || item.as_int() < Limits::min() || item.as_int() > Limits::max())
      return false;
    tokens.push_back(static_cast<core::Token>(item.as_int()));
  }
  return true;
}

/// The tokens of an answer's request: what all have in common, then its own.
std::optional<Tokens> tokens_of(const Value& block, const Value& response) {
  Tokens tokens;
  const bool whole = append(tokens, entry(block, fields::sample::kSharedContext)) &&
                     append(tokens, entry(response, fields::sample::kTokens));
  return whole ? std::optional(std::move(tokens)) : std::nullopt;
}

/// The first answer to each of `count` requests.
const Value* first_answer(const Value& block, std::size_t request, std::size_t count) {
  const Value* responses = block.find(fields::sample::kResponses);
  if (responses == nullptr || !responses->is_list() || count == 0) return nullptr;
  const std::size_t place = request * (responses->items().size() / count);
  return place < responses->items().size() ? &responses->items()[place] : nullptr;
}

bool add_requests(const std::string& task, const Value& line, std::vector<SampledRequest>& all) {
  const Value id = entry(line, lm_eval::kDocId);
  const Value arguments = entry(line, lm_eval::kArguments);
  const Value block = entry(line, fields::kTare);
  if (!id.is_int() || !arguments.is_dict()) return false;
  const std::size_t count = arguments.as_dict().size();
  std::size_t index = 0;
  for (const auto& [name, argument] : arguments.as_dict()) {
    SampledRequest request{task, id.as_int(), index, {}, {}, {}, 0};
    request.context = text_of(entry(argument, lm_eval::kContextArgument));
    request.continuation = text_of(entry(argument, lm_eval::kContinuationArgument));
    if (const Value* answer = first_answer(block, index, count)) {
      request.tokens = tokens_of(block, *answer);
      const Value cut = entry(*answer, fields::kTruncatedTokens);
      request.truncated = cut.is_int() ? static_cast<std::size_t>(cut.as_int()) : 0;
    }
    all.push_back(std::move(request));
    ++index;
  }
  return true;
}

}  // namespace

base::Result<std::vector<SampledRequest>> read_samples(const RunFiles& files,
                                                       const std::string& task) {
  std::vector<SampledRequest> all;
  std::set<std::int64_t> seen;  // each filter has a line of its own for a document
  TARE_CHECK(each_sample(files, task, [&](const Value& line) {
    const Value id = entry(line, lm_eval::kDocId);
    if (id.is_int() && !seen.insert(id.as_int()).second) return true;
    return add_requests(task, line, all);
  }));
  return all;
}

}  // namespace tare::store
