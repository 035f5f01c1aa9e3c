#include "backend/http/openai_place.h"

#include <fmt/format.h>

#include <array>

#include "backend/http/fields.h"
#include "backend/http/judge.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Value;

/// Why a reply to a request for text cannot come from OpenAI's interface; "" if it can. A request
/// that is refused can.
std::string fault_of_place(const Reply& reply, const Judged& judged) {
  const bool no_such_path = reply.status == 404 || reply.status == 405 || reply.status == 410;
  const bool moved = reply.status >= 300 && reply.status < 400;
  if (no_such_path || moved) return judged.reason;
  if (reply.status < 200 || reply.status >= 300) return "";
  if (judged.kind != Judged::Kind::good) return judged.reason;
  const auto answer = base::json::parse(reply.body);
  if (!answer) return "an answer that is no JSON";
  return answer->find("choices") == nullptr ? "no choices in the answer" : "";
}

}  // namespace

std::vector<Listed> read_models(const std::string& body) {
  std::vector<Listed> models;
  const auto answer = base::json::parse(body);
  const Value* list = answer ? answer->find("data") : nullptr;
  if (list == nullptr || !list->is_list()) return models;
  for (const Value& entry : list->items()) {
    const std::int64_t length = integer_at(entry, "max_model_len").value_or(0);
    models.push_back(
        {text_at(entry, "id").value_or(""), length > 0 ? static_cast<std::size_t>(length) : 0});
  }
  return models;
}

base::Error no_interface(Client& client, std::size_t endpoint, const Call& call,
                         const std::string& reason) {
  const std::string& url = client.endpoints()[endpoint];
  std::string remedy =
      "wanted a URL with OpenAI's interface behind it, as http://HOST:PORT/v1, and a model that it "
      "has (model=NAME where it lists none)";
  for (const std::string& other : std::array{root_of(url) + "/v1", origin_of(url) + "/v1"}) {
    if (other == url) continue;
    const Reply reply = client.ask_at(other, {"/models", ""});
    if (judge(reply, client.limits()).kind != Judged::Kind::good) continue;
    if (read_models(reply.body).empty()) continue;
    remedy = fmt::format("did you mean {}?", other);
    break;
  }
  return {base::ErrorKind::input, fmt::format("{}: {}; {}", url_of(url, call), reason, remedy)};
}

base::Status check_place(Client& client, std::size_t endpoint, const Call& one_token) {
  const Reply reply = client.ask(one_token, endpoint);
  if (reply.end != Reply::End::answered) return {};  // told when it matters
  if (refuses_key(reply))
    return tl::unexpected(start_error(url_of(client.endpoints()[endpoint], one_token), reply,
                                      client.limits(), kOpenAi));
  const std::string fault = fault_of_place(reply, judge(reply, client.limits()));
  if (fault.empty()) return {};
  return tl::unexpected(no_interface(client, endpoint, one_token, fault));
}

}  // namespace tare::backend::http
