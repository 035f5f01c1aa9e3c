#include "data/urls.h"

#include <fmt/format.h>

#include <filesystem>

#include "data/glob.h"

namespace tare::data {
namespace {

using base::Result;

constexpr std::string_view kHub = "hf://datasets/";

/// Takes the text up to a '/' (and the '/') off the front of `rest`.
std::string take_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('/'), rest.size());
  std::string part(rest.substr(0, end));
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

std::string unescaped(std::string text) {
  for (std::size_t at; (at = text.find("%2F")) != std::string::npos;) text.replace(at, 3, "/");
  return text;
}

Result<std::vector<std::string>> files_of(const HubUrl& url, core::Remote& remote) {
  TARE_TRY(const core::Repository repository, remote.find(url.name, url.revision));
  std::vector<std::string> found;
  for (const auto& file : find_files(url.pattern, {repository.url(), repository.files}))
    found.push_back(file.string());
  return found;
}

/// The pattern in a copy of the repository under one of the roots.
std::optional<std::string> local_pattern(const HubUrl& url,
                                         const std::vector<std::filesystem::path>& roots) {
  std::error_code error;
  for (const std::filesystem::path& root : roots)
    if (std::filesystem::is_directory(root / url.name, error))
      return std::filesystem::absolute(root / url.name / url.pattern, error).string();
  return std::nullopt;
}

Result<std::vector<std::string>> files_of(const std::string& pattern, const Sources& sources) {
  const auto hub = read_hub_url(pattern);
  core::Remote* const remote = sources.remote;
  const bool web = pattern.starts_with("https://") || pattern.starts_with("http://");
  if (!hub && !web)
    return base::input_error(fmt::format(
        "found {}, wanted a path, https://..., or hf://datasets/ORG/NAME/FILE", pattern));
  if (hub)
    if (auto local = local_pattern(*hub, sources.roots)) return std::vector{std::move(*local)};
  if (remote == nullptr)
    return base::input_error(
        fmt::format("{} is not on this machine; download it and name the file", pattern));
  if (web) return std::vector{pattern};
  TARE_TRY(auto files, files_of(*hub, *remote));
  if (files.empty())
    return base::input_error(
        fmt::format("{}: no file of {} is called {}", pattern, hub->name, hub->pattern));
  return files;
}

}  // namespace

bool is_url(std::string_view path) {
  return path.find("://") != std::string_view::npos;
}

std::optional<HubUrl> read_hub_url(std::string_view url) {
  if (!url.starts_with(kHub)) return std::nullopt;
  url.remove_prefix(kHub.size());
  HubUrl parts;
  parts.name = take_part(url);
  parts.name += "/" + take_part(url);
  if (const std::size_t at = parts.name.find('@'); at != std::string::npos) {
    parts.revision = unescaped(parts.name.substr(at + 1));
    parts.name.resize(at);
    if (parts.revision == "refs")
      for (int i = 0; i < 2; ++i) parts.revision += "/" + take_part(url);
  }
  parts.pattern = url;
  return parts;
}

base::Status expand_urls(std::vector<SplitPatterns>& splits, const Sources& sources,
                         const std::string& subject) {
  for (SplitPatterns& split : splits) {
    std::vector<std::string> expanded;
    for (std::string& pattern : split.patterns) {
      if (!is_url(pattern)) {
        expanded.push_back(std::move(pattern));
        continue;
      }
      auto files = files_of(pattern, sources);
      if (!files) return base::in_context(subject, files.error());
      expanded.insert(expanded.end(), files->begin(), files->end());
    }
    split.patterns = std::move(expanded);
  }
  return {};
}

}  // namespace tare::data
