#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "backend/http/options.h"

namespace tare::backend::http {
namespace {

/// Characters of "http://" or "https://"; 0 without either.
std::size_t scheme_length(std::string_view url) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (url.starts_with(scheme)) return scheme.size();
  return 0;
}

/// "HOST:PORT"; "" without a scheme.
std::string_view authority_of(std::string_view url) {
  const std::size_t scheme = scheme_length(url);
  if (scheme == 0) return {};
  return url.substr(scheme, url.find('/', scheme) - scheme);
}

/// No port is one too.
bool is_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string_view::npos || host.ends_with(']')) return true;
  const std::string_view text = host.substr(colon + 1);
  unsigned number = 0;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  return fault == std::errc() && rest == text.data() + text.size() && number > 0 && number <= 65535;
}

base::Status check_endpoint(const std::string& url) {
  const auto wrong = [&](std::string_view why) {
    return base::usage_error(
        fmt::format("--model: endpoint {}; wanted http://HOST[:PORT][/PATH] or https://...", why));
  };
  const std::string_view host = authority_of(url);
  // Not shown: it may hold a password, or a key in the query.
  if (url.find('@') != std::string::npos)
    return wrong("with a user or password, which would stand in every record of the run");
  if (url.find_first_of("?#") != std::string::npos)
    return wrong("with a query, which would stand in every record of the run");
  if (host.empty()) return wrong("'" + url + "' without http, https or a host");
  const auto unprintable = [](char c) { return c <= ' ' || c == '\x7f' || c == '"' || c == '\\'; };
  if (std::ranges::any_of(url, unprintable)) return wrong("with a character that no URL has");
  if (!is_port(host)) return wrong("'" + url + "' with a port that is none from 1 to 65535");
  return {};
}

}  // namespace

base::Result<std::vector<std::string>> parse_endpoints(std::string_view text) {
  std::vector<std::string> endpoints;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    std::string url(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    while (url.ends_with('/')) url.pop_back();
    TARE_CHECK(check_endpoint(url));
    if (std::ranges::find(endpoints, url) != endpoints.end())
      return base::usage_error(fmt::format("--model: endpoint {} stands there twice", url));
    endpoints.push_back(std::move(url));
  }
  if (endpoints.empty()) return base::usage_error("--model: no endpoint; wanted http://HOST/v1");
  return endpoints;
}

base::Dict manner_of(const Servers& servers) {
  const auto seconds = [](std::chrono::milliseconds time) {
    return std::chrono::duration<double>(time).count();
  };
  base::Dict manner;
  manner.set("endpoints", base::List(servers.endpoints.begin(), servers.endpoints.end()));
  manner.set("concurrency", servers.limits.concurrency);
  manner.set("attempts", std::int64_t{servers.limits.attempts});
  manner.set("timeout_seconds", seconds(servers.limits.answer_time));
  manner.set("patience_seconds", seconds(servers.limits.patience));
  if (!servers.ca_file.empty()) manner.set("ca_cert_path", servers.ca_file);
  return manner;
}

std::string origin_of(std::string_view endpoint) {
  return std::string(endpoint.substr(0, scheme_length(endpoint) + authority_of(endpoint).size()));
}

std::string root_of(std::string_view endpoint) {
  constexpr std::string_view kVersion = "/v1";
  if (endpoint.ends_with(kVersion)) endpoint.remove_suffix(kVersion.size());
  return std::string(endpoint);
}

}  // namespace tare::backend::http
