#include "hub/url.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>

#include "base/unicode.h"

namespace tare::hub {
namespace {

struct Free {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
using Url = std::unique_ptr<CURLU, Free>;

bool set(const Url& url, const std::string& text) {
  return curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) == CURLUE_OK;
}

std::string part(const Url& url, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(url.get(), which, &text, flags) != CURLUE_OK) return {};
  std::string copy(text);
  curl_free(text);
  return copy;
}

bool is_web(const Url& url) {
  const std::string scheme = part(url, CURLUPART_SCHEME);
  return scheme == "http" || scheme == "https";
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string quote(std::string_view text, std::string_view kept) {
  std::string quoted;
  for (const char c : text) {
    if (is_plain(c) || kept.find(c) != std::string_view::npos)
      quoted += c;
    else
      quoted += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return quoted;
}

std::string origin_of(const std::string& text) {
  const Url url(curl_url());
  if (!set(url, text) || !is_web(url)) return {};
  return fmt::format("{}://{}:{}", part(url, CURLUPART_SCHEME),
                     base::unicode::lower(part(url, CURLUPART_HOST)),
                     part(url, CURLUPART_PORT, CURLU_DEFAULT_PORT));
}

std::optional<std::string> resolve_url(const std::string& base, const std::string& location) {
  const Url url(curl_url());
  // Setting a second URL resolves it against the first.
  if (!set(url, base) || !set(url, location) || !is_web(url)) return std::nullopt;
  return part(url, CURLUPART_URL);
}

std::optional<std::string> next_link(std::string_view header) {
  while (!header.empty()) {
    const std::size_t open = header.find('<');
    const std::size_t close = header.find('>', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return std::nullopt;
    const std::string_view rest = header.substr(close + 1);
    const std::string_view parameters = rest.substr(0, rest.find('<'));
    if (parameters.find("rel=\"next\"") != std::string_view::npos ||
        parameters.find("rel=next") != std::string_view::npos)
      return std::string(header.substr(open + 1, close - open - 1));
    header = rest;
  }
  return std::nullopt;
}

}  // namespace tare::hub
