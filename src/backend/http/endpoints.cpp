#include <fmt/format.h>

#include <algorithm>

#include "backend/http/options.h"

namespace tare::backend::http {
namespace {

base::Status check_endpoint(const std::string& url) {
  const auto wrong = [&](std::string_view why) {
    return base::usage_error(
        fmt::format("--model: endpoint {}; wanted http://HOST[:PORT][/PATH] or https://...", why));
  };
  const std::size_t scheme = url.starts_with("http://")    ? 7
                             : url.starts_with("https://") ? 8
                                                           : std::string::npos;
  const std::string_view rest =
      scheme == std::string::npos ? std::string_view() : std::string_view(url).substr(scheme);
  const std::string_view host = rest.substr(0, rest.find('/'));
  // Not shown: it may hold a password, or a key in the query.
  if (host.find('@') != std::string_view::npos)
    return wrong("with a user or password, which would stand in every record of the run");
  if (url.find_first_of("?#") != std::string::npos) return wrong("with a query");
  if (host.empty()) return wrong("'" + url + "' without http, https or a host");
  const auto unprintable = [](char c) { return c <= ' ' || c == '\x7f' || c == '"' || c == '\\'; };
  if (std::ranges::any_of(url, unprintable)) return wrong("with a character that no URL has");
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

std::string root_of(std::string_view endpoint) {
  constexpr std::string_view kVersion = "/v1";
  if (endpoint.ends_with(kVersion)) endpoint.remove_suffix(kVersion.size());
  return std::string(endpoint);
}

}  // namespace tare::backend::http
