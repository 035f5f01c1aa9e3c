#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "text/chat.h"

namespace tare::test {

/// The templates of llama.cpp's own tests, in the sources that the build has fetched.
inline std::optional<std::filesystem::path> template_folder() {
  namespace fs = std::filesystem;
  if (const char* folder = std::getenv("TARE_CHAT_TEMPLATES")) return folder;
  fs::path cache;
  const auto set = [&](const char* variable, const char* below) {
    const char* value = std::getenv(variable);
    if (cache.empty() && value != nullptr && *value != '\0') cache = fs::path(value) / below;
  };
  set("TARE_CACHE_DIR", "");
  set("XDG_CACHE_HOME", "tare");
  set("HOME", ".cache/tare");
  std::error_code none;
  std::optional<fs::path> newest;
  for (const auto& entry : fs::directory_iterator(cache, none)) {
    const fs::path folder = entry.path() / "thirdparty/llama.cpp/models/templates";
    if (fs::is_directory(folder) && (!newest || folder > *newest)) newest = folder;
  }
  return newest;
}

/// 2024-07-26 09:08:07, the time in which the references were made.
inline std::chrono::system_clock::time_point chat_clock() {
  return std::chrono::system_clock::time_point(std::chrono::seconds(1721984887));
}

/// The conversation of a case: [[role, content], ...].
inline std::vector<text::ChatMessage> chat_messages(const base::Value& list) {
  std::vector<text::ChatMessage> messages;
  for (const base::Value& message : list.items())
    messages.push_back({message.items().at(0).as_string(), message.items().at(1).as_string()});
  return messages;
}

/// What a template makes of a case {messages, continue, variables}: {output, system_dropped} or
/// {error}.
inline base::Value chat_outcome(const std::string& source, const base::Value& test) {
  text::ChatSettings settings;
  if (const base::Value* variables = test.find("variables")) settings.variables = *variables;
  settings.now = chat_clock;
  const base::Value* open = test.find("continue");
  const bool continues = open != nullptr && open->truthy();
  const auto parsed = text::ChatTemplate::parse(source, std::move(settings));
  base::Dict outcome;
  if (!parsed) {
    outcome.set("error", parsed.error().text);
    return outcome;
  }
  const auto rendered = parsed->render(chat_messages(*test.find("messages")),
                                       continues ? text::ChatEnd::message : text::ChatEnd::header);
  if (!rendered) {
    outcome.set("error", rendered.error().text);
    return outcome;
  }
  outcome.set("output", rendered->text);
  outcome.set("system_dropped", rendered->system_dropped);
  return outcome;
}

}  // namespace tare::test
