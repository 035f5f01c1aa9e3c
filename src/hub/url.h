#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tare::hub {

/// Percent-encodes all but letters, digits, "-._~" and the characters in `kept`.
std::string quote(std::string_view text, std::string_view kept = "");

/// "https://host:443" of a URL with http or https, in lower case, with the port spelt out; empty
/// where it has no such form.
std::string origin_of(const std::string& url);

/// Where a Location or Link header leads; nothing where it is no URL with http or https.
std::optional<std::string> resolve_url(const std::string& base, const std::string& location);

/// The target of rel="next" in a Link header.
std::optional<std::string> next_link(std::string_view header);

}  // namespace tare::hub
