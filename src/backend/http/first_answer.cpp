#include "backend/http/first_answer.h"

#include <fmt/format.h>

#include "backend/http/judge.h"
#include "base/json.h"

namespace tare::backend::http {
namespace {

using base::Error;
using base::ErrorKind;
using End = Reply::End;

std::string absent_remedy(const Limits& limits, const Sought& sought) {
  if (limits.start_patience.count() == 0)
    return fmt::format("start {} there, correct {}, or wait for it with patience=SECONDS",
                       sought.kind, sought.place);
  return fmt::format("asked for {} s; start {} there, or correct {}",
                     std::chrono::duration<double>(limits.start_patience).count(), sought.kind,
                     sought.place);
}

std::string remedy_of(const std::string& url, const Reply& reply, const Limits& limits,
                      const Sought& sought) {
  if (reply.without_tls) return "if it does, write http://";
  if (reply.end == End::unreached) return absent_remedy(limits, sought);
  if (reply.end == End::impossible && url.starts_with("https://"))
    return fmt::format("correct {}, or trust its certificate with ca_cert_path=FILE", sought.place);
  if (reply.end == End::lost && url.starts_with("http://"))
    return "see what the server says of it; if it speaks https, write https://";
  if (refuses_key(reply))
    return fmt::format("wanted a key that it takes, in the environment variable {}",
                       sought.key_name);
  if (is_down(reply))
    return "give the command again when the server is ready, or wait for it with patience=SECONDS";
  return fmt::format("wanted {}; correct {}", sought.kind, sought.place);
}

}  // namespace

bool is_down(const Reply& reply) {
  if (reply.end == End::answered) return may_pass(reply.status);
  if (reply.without_tls) return false;
  return reply.end == End::unreached || reply.end == End::lost || reply.end == End::timed_out;
}

bool refuses_key(const Reply& reply) {
  return reply.end == End::answered && (reply.status == 401 || reply.status == 403);
}

Error start_error(const std::string& url, const Reply& reply, const Limits& limits,
                  const Sought& sought) {
  return {is_down(reply) ? ErrorKind::failed : ErrorKind::input,
          fmt::format("{}: {}; {}", url, judge(reply, limits).reason,
                      remedy_of(url, reply, limits, sought))};
}

base::Result<base::Value> first_answer(Client& client, const Call& call, std::size_t endpoint,
                                       const Sought& sought) {
  const Limits& limits = client.limits();
  const std::string& base = client.endpoints()[endpoint];
  const std::string url = url_of(base, call);
  const auto is_good = [&](const Reply& reply) {
    return judge(reply, limits).kind == Judged::Kind::good;
  };
  const Reply reply = client.ask(call, endpoint);
  if (is_good(reply)) {
    auto value = base::json::parse(reply.body);
    if (!value) return base::in_context(url, value.error());
    return *value;
  }
  Error error = start_error(url, reply, limits, sought);
  const std::string origin = origin_of(base);
  const bool elsewhere = reply.end == End::answered && !is_down(reply) && !refuses_key(reply);
  if (elsewhere && origin != root_of(base) && is_good(client.ask_at(origin, call)))
    error.text = fmt::format("{}: {}; did you mean {}?", url, judge(reply, limits).reason, origin);
  return tl::unexpected(std::move(error));
}

}  // namespace tare::backend::http
