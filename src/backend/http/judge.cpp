#include "backend/http/judge.h"

#include <fmt/format.h>

#include "backend/http/reading.h"

namespace tare::backend::http {
namespace {

using Kind = Judged::Kind;
using End = Reply::End;

constexpr std::string_view kSpace = " \t\r\n";

/// What is wrong with the body of a good answer at a first look; "" if nothing.
std::string fault_of(std::string_view body) {
  const std::size_t first = body.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return "an empty answer";
  if (body[first] == '<') return "a web page instead of JSON";
  const char open = body[first];
  const char close = body[body.find_last_not_of(kSpace)];
  if (open != '{' && open != '[') return "an answer that is no JSON";
  if (close != (open == '{' ? '}' : ']')) return "an answer that ends early";
  return "";
}

Judged judge_answer(const Reply& reply) {
  if (may_pass(reply.status)) return {Kind::again, fmt::format("HTTP {}", reply.status)};
  if (reply.status >= 300 && reply.status < 400)
    return {Kind::final, fmt::format("HTTP {} (redirects are not followed)", reply.status)};
  if (reply.status < 200 || reply.status >= 300)
    return {Kind::final, refusal(reply.status, reply.body)};
  std::string fault = fault_of(reply.body);
  return {fault.empty() ? Kind::good : Kind::again, std::move(fault)};
}

void remove_all(std::string& text, std::string_view key) {
  constexpr std::string_view kInstead = "[key]";
  for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
    text.replace(at, key.size(), kInstead);
}

}  // namespace

bool may_pass(long status) {
  return status == 408 || status == 425 || status == 429 || status >= 500;
}

Judged judge(const Reply& reply, const Limits& limits) {
  switch (reply.end) {
    case End::answered:
      return judge_answer(reply);
    case End::unreached:
      return {Kind::elsewhere, reply.why};
    case End::lost:
      return {Kind::again, "connection lost"};
    case End::timed_out:
      return {Kind::again, fmt::format("no whole answer in {} s",
                                       std::chrono::duration<double>(limits.answer_time).count())};
    case End::too_long:
      return {Kind::final, fmt::format("an answer of more than {} bytes", limits.longest_body)};
    case End::impossible:
      break;
  }
  return {Kind::final, reply.why};
}

Health health_of(const Reply& reply) {
  if (reply.end == End::unreached) return Health::unreached;
  if (reply.end != End::answered) return Health::failed;
  if (reply.status == 429) return Health::busy;
  return reply.status >= 500 ? Health::failed : Health::good;
}

void scrub(Reply& reply, std::string_view key) {
  if (key.empty()) return;
  remove_all(reply.body, key);
  remove_all(reply.server, key);
  remove_all(reply.why, key);
}

}  // namespace tare::backend::http
