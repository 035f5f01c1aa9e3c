#include "cli/hub_settings.h"

#include <doctest/doctest.h>

#include <map>

#include "support/support.h"

using namespace tare;

namespace {

/// Settings of an environment that holds these variables and HOME=/home/me.
hub::Settings settings_of(std::map<std::string, std::string> variables) {
  variables.emplace("HOME", "/home/me");
  return cli::hub_settings([&](const char* name) { return variables[name]; }, "/own");
}

}  // namespace

TEST_CASE("hub settings without variables are those of huggingface_hub") {
  const auto settings = settings_of({});
  CHECK(settings.endpoint == "https://huggingface.co");
  CHECK(settings.cache == "/home/me/.cache/huggingface/hub");
  CHECK(settings.downloads == "/own/downloads");
  CHECK(settings.token.empty());
  CHECK_FALSE(settings.offline);
}

TEST_CASE("the cache: HF_HUB_CACHE, HUGGINGFACE_HUB_CACHE, HF_HOME, XDG_CACHE_HOME in this order") {
  std::map<std::string, std::string> variables{{"XDG_CACHE_HOME", "/xdg"}};
  CHECK(settings_of(variables).cache == "/xdg/huggingface/hub");
  variables["HF_HOME"] = "~/hf";
  CHECK(settings_of(variables).cache == "/home/me/hf/hub");
  variables["HUGGINGFACE_HUB_CACHE"] = "/old";
  CHECK(settings_of(variables).cache == "/old");
  variables["HF_HUB_CACHE"] = "/new";
  CHECK(settings_of(variables).cache == "/new");
}

TEST_CASE("the token: HF_TOKEN, else the file that HF_TOKEN_PATH or HF_HOME names") {
  const test::TempDir folder;
  folder.write("token", "of-home\n");
  const std::string other = folder.write("other", " of-path ").string();
  std::map<std::string, std::string> variables{{"HF_HOME", folder.path().string()}};
  CHECK(settings_of(variables).token == "of-home");
  variables["HF_TOKEN_PATH"] = other;
  CHECK(settings_of(variables).token == "of-path");
  variables["HF_TOKEN"] = "of-variable\n";
  CHECK(settings_of(variables).token == "of-variable");
}

TEST_CASE("each of three variables makes it offline, by the words that huggingface_hub takes") {
  for (const char* name : {"HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"}) {
    for (const char* value : {"1", "true", "YES", "On"})
      CHECK_MESSAGE(settings_of({{name, value}}).offline, name, "=", value);
    for (const char* value : {"", "0", "no", "false"})
      CHECK_MESSAGE(!settings_of({{name, value}}).offline, name, "=", value);
  }
}

TEST_CASE("the endpoint loses the slashes at its end") {
  CHECK(settings_of({{"HF_ENDPOINT", "https://hub.example/x//"}}).endpoint ==
        "https://hub.example/x");
}
