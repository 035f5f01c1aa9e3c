#include "cli/hub_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/files.h"
#include "base/unicode.h"
#include "cli/build_info.h"
#include "cli/cache_dir.h"
#include "cli/tell.h"

namespace tare::cli {
namespace fs = std::filesystem;
namespace {

std::string first_set(const Variables& variable, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (std::string value = variable(name); !value.empty()) return value;
  return {};
}

bool is_true(const std::string& value) {
  constexpr std::array<std::string_view, 4> kTrue = {"1", "on", "yes", "true"};
  return std::ranges::find(kTrue, base::unicode::lower(value)) != kTrue.end();
}

/// A path with ~ for the home folder.
fs::path expanded(const Variables& variable, const std::string& path) {
  if (path != "~" && !path.starts_with("~/")) return path;
  return fs::path(variable("HOME") + path.substr(1));
}

fs::path hub_home(const Variables& variable) {
  if (const std::string home = variable("HF_HOME"); !home.empty()) return expanded(variable, home);
  std::string cache = variable("XDG_CACHE_HOME");
  if (cache.empty()) cache = "~/.cache";
  return expanded(variable, cache) / "huggingface";
}

std::string read_token(const Variables& variable, const fs::path& home) {
  std::string token = first_set(variable, {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"});
  if (token.empty()) {
    const std::string named = variable("HF_TOKEN_PATH");
    token = base::read_file(named.empty() ? home / "token" : expanded(variable, named))
                .value_or(std::string());
  }
  return std::string(base::unicode::strip(token));
}

std::string without_end_slashes(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

}  // namespace

hub::Settings hub_settings(const Variables& variable, const fs::path& own_cache) {
  hub::Settings settings;
  const fs::path home = hub_home(variable);
  if (const std::string endpoint = variable("HF_ENDPOINT"); !endpoint.empty())
    settings.endpoint = without_end_slashes(endpoint);
  settings.token = read_token(variable, home);
  const std::string cache = first_set(variable, {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"});
  settings.cache = cache.empty() ? home / "hub" : expanded(variable, cache);
  settings.downloads = own_cache / "downloads";
  settings.offline = is_true(variable("HF_HUB_OFFLINE")) ||
                     is_true(variable("HF_DATASETS_OFFLINE")) ||
                     is_true(variable("TRANSFORMERS_OFFLINE"));
  settings.ca_file = first_set(variable, {"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"});
  return settings;
}

hub::Settings hub_settings(bool offline, bool quiet) {
  const Variables environment = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  hub::Settings settings = hub_settings(environment, cache_dir());
  settings.offline = settings.offline || offline;
  settings.user_agent = fmt::format("tare/{}", version());
  if (!quiet) settings.notify = [](std::string_view note) { tell("tare: {}\n", note); };
  return settings;
}

}  // namespace tare::cli
