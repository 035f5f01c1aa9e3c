#include "hub/client.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <thread>

#include "hub/url.h"

namespace tare::hub {
namespace {

using base::Result;
using base::Status;

constexpr int kMostRedirects = 10;

bool is_redirect(long status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool may_pass(long status) {
  return status == 408 || status == 429 || status >= 500;
}

/// Sees to it that what the receiver has and what the server sends fit together.
Status align(const Head& head, Receiver& receiver) {
  if (head.status == 206 && range_start(head.header("content-range")) == receiver.size()) return {};
  if (head.status == 206)
    return base::work_failed(fmt::format("{}: found Content-Range {}, wanted bytes from {}",
                                         head.url, head.header("content-range"), receiver.size()));
  return receiver.restart();
}

Exchange refused(const Request& request, const std::string& why) {
  return {Exchange::End::fatal, {}, {base::ErrorKind::failed, request.url + ": " + why}};
}

std::chrono::milliseconds delay_of(const Settings& settings, const Exchange& exchange,
                                   unsigned failed) {
  const auto now = std::chrono::system_clock::now();
  if (const auto told = retry_after(exchange.head.header("retry-after"), now))
    return std::min<std::chrono::milliseconds>(*told, settings.longest_delay);
  return backoff(settings, failed);
}

std::string told_why(const Exchange& exchange) {
  return exchange.end == Exchange::End::answered
             ? fmt::format("{}: answered {}", exchange.head.url, exchange.head.status)
             : exchange.error.text;
}

}  // namespace

Client::Client(Settings settings) : settings_(std::move(settings)), http_(settings_) {}

Exchange Client::follow(Request request, Receiver& receiver) {
  bool aligned = false;
  const Sink sink = [&](const Head& head, std::string_view bytes) -> Status {
    if (!aligned) TARE_CHECK(align(head, receiver));
    aligned = true;
    return receiver.take(bytes);
  };
  const std::string home = origin_of(settings_.endpoint);
  for (int hop = 0; hop <= kMostRedirects; ++hop) {
    Request sent = request;
    if (!settings_.token.empty() && origin_of(request.url) == home)
      sent.headers["Authorization"] = "Bearer " + settings_.token;
    Exchange exchange = http_.get(sent, sink);
    if (exchange.end != Exchange::End::answered || !is_redirect(exchange.head.status))
      return exchange;
    const auto target = resolve_url(request.url, exchange.head.header("location"));
    if (!target) return refused(request, "redirects to no URL with http or https");
    if (request.url.starts_with("https:") && target->starts_with("http:"))
      return refused(request, "redirects from https to http, which tare does not follow");
    request.url = *target;
  }
  return refused(request, fmt::format("redirects more than {} times", kMostRedirects));
}

Result<Head> Client::get(const std::string& url, Receiver& receiver,
                         const std::map<std::string, std::string>& headers) {
  for (unsigned failed = 0;;) {
    const std::uint64_t before = receiver.size();
    Exchange exchange = follow({url, before, headers}, receiver);
    const bool answered = exchange.end == Exchange::End::answered;
    if (exchange.end == Exchange::End::fatal) return base::Failure(exchange.error);
    if (answered && exchange.head.status == 416 && before > 0) {
      TARE_CHECK(receiver.restart());
    } else if (answered && !may_pass(exchange.head.status)) {
      return std::move(exchange.head);
    }
    // An attempt that got further is no reason to give up.
    failed = receiver.size() > before ? 1 : failed + 1;
    const bool unreached = exchange.end == Exchange::End::unreached;
    if (failed >= (unreached ? settings_.attempts_unreached : settings_.attempts)) {
      if (answered) return std::move(exchange.head);
      return base::work_failed(fmt::format("{} ({} attempts)", exchange.error.text, failed));
    }
    const auto delay = delay_of(settings_, exchange, failed);
    settings_.notify(fmt::format("{}; trying again in {:.1f} s", told_why(exchange),
                                 std::chrono::duration<double>(delay).count()));
    std::this_thread::sleep_for(delay);
  }
}

Status TextReceiver::restart() {
  text_.clear();
  return {};
}

Status TextReceiver::take(std::string_view bytes) {
  if (text_.size() + bytes.size() > limit_)
    return base::work_failed(
        fmt::format("the server's answer is longer than {} bytes, which no listing is", limit_));
  text_ += bytes;
  return {};
}

std::optional<std::chrono::seconds> retry_after(const std::string& header,
                                                std::chrono::system_clock::time_point now) {
  unsigned seconds = 0;
  const char* end = header.data() + header.size();
  const auto [stop, error] = std::from_chars(header.data(), end, seconds);
  if (!header.empty() && error == std::errc{} && stop == end) return std::chrono::seconds(seconds);
  const std::time_t date = header.empty() ? -1 : curl_getdate(header.c_str(), nullptr);
  if (date < 0) return std::nullopt;
  const auto wait = date - std::chrono::system_clock::to_time_t(now);
  return std::chrono::seconds(std::max<std::time_t>(wait, 0));
}

std::chrono::milliseconds backoff(const Settings& settings, unsigned failed) {
  std::chrono::milliseconds delay = settings.first_delay;
  for (unsigned i = 1; i < failed && delay < settings.longest_delay; ++i) delay *= 2;
  return std::min(delay, settings.longest_delay);
}

std::optional<std::uint64_t> range_start(std::string_view content_range) {
  constexpr std::string_view kUnit = "bytes ";
  if (!content_range.starts_with(kUnit)) return std::nullopt;
  content_range.remove_prefix(kUnit.size());
  std::uint64_t start = 0;
  const char* end = content_range.data() + content_range.size();
  const auto [stop, error] = std::from_chars(content_range.data(), end, start);
  if (error != std::errc{} || stop == end || *stop != '-') return std::nullopt;
  return start;
}

}  // namespace tare::hub
