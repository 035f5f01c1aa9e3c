#include "cli/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "backend/llama/tiers.h"
#include "base/nearest.h"
#include "cli/cache_dir.h"
#include "cli/install_paths.h"
#include "cli/known_backends.h"
#include "cli/unknown_name.h"
#include "task/task.h"

namespace tare::cli {
namespace {

namespace fs = std::filesystem;
using base::Result;
using task::EntryKind;
using Paths = std::vector<fs::path>;

constexpr std::size_t kMostExamples = 3;

Result<task::Index> open_index(const Paths& include_paths) {
  return task::Index::scan(task_roots(include_paths));
}

/// Broken files are many or none: a few of them tell enough.
void warn_of_unreadable(const task::Index& index, Listing& listing) {
  const auto& files = index.unreadable();
  for (std::size_t i = 0; i < std::min(files.size(), kMostExamples); ++i)
    listing.warnings.push_back(files[i] + "; the file defines nothing until that is mended");
  if (files.size() > kMostExamples)
    listing.warnings.push_back(
        fmt::format("and {} more files that define nothing", files.size() - kMostExamples));
}

const char* name_of(EntryKind kind) {
  switch (kind) {
    case EntryKind::task:
      return "task";
    case EntryKind::group:
      return "group";
    case EntryKind::python_task:
      return "python";
    case EntryKind::tag:
      return "tag";
  }
  return "?";
}

Result<Listing> list_names(const Paths& include_paths) {
  TARE_TRY(const task::Index index, open_index(include_paths));
  Listing listing{{"name", "kind", "file"}, {}, {}};
  for (const auto& [name, entry] : index.entries())
    listing.rows.push_back({name, name_of(entry.kind), entry.file.string()});
  warn_of_unreadable(index, listing);
  return listing;
}

Result<Listing> list_kind(const Paths& include_paths, EntryKind kind) {
  TARE_TRY(const task::Index index, open_index(include_paths));
  Listing listing{{"name", "file"}, {}, {}};
  for (const auto& [name, entry] : index.entries())
    if (entry.kind == kind) listing.rows.push_back({name, entry.file.string()});
  warn_of_unreadable(index, listing);
  return listing;
}

Result<Listing> list_subtasks(const Paths& include_paths) {
  return list_kind(include_paths, EntryKind::task);
}

Result<Listing> list_groups(const Paths& include_paths) {
  return list_kind(include_paths, EntryKind::group);
}

Result<Listing> list_tags(const Paths& include_paths) {
  TARE_TRY(const task::Index index, open_index(include_paths));
  Listing listing{{"name", "tasks"}, {}, {}};
  for (const auto& [name, entry] : index.entries())
    if (entry.kind == EntryKind::tag)
      listing.rows.push_back({name, base::List(entry.tasks.begin(), entry.tasks.end())});
  return listing;
}

/// The model files in tare's cache.
Result<Listing> list_models(const Paths& /*include_paths*/) {
  Listing listing{{"model", "bytes"}, {}, {}};
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(cache_dir() / "models", fault))
    if (entry.path().extension() == ".gguf")
      listing.rows.push_back(
          {"gguf:" + entry.path().string(), static_cast<std::size_t>(entry.file_size(fault))});
  std::ranges::sort(listing.rows, {}, [](const base::List& row) { return row[0].as_string(); });
  return listing;
}

Result<Listing> list_tiers(const Paths& /*include_paths*/) {
  Listing listing{{"name", "state"}, {}, {}};
  for (const auto& tier : backend::llama::list_tiers())
    listing.rows.push_back(
        {tier.name, tier.score > 0 ? "runs here" : "needs instructions that this CPU lacks"});
  return listing;
}

Result<Listing> list_backends(const Paths& /*include_paths*/) {
  Listing listing{{"spelling", "meaning", "can", "needs"}, {}, {}};
  for (const KnownBackend& backend : known_backends())
    listing.rows.push_back({std::string(backend.spelling), std::string(backend.meaning),
                            std::string(backend.can), std::string(backend.needs)});
  return listing;
}

struct Kind {
  std::string_view name;
  Result<Listing> (*list)(const Paths&);
};

constexpr std::array kKinds{
    Kind{"tasks", list_names}, Kind{"subtasks", list_subtasks}, Kind{"groups", list_groups},
    Kind{"tags", list_tags},   Kind{"models", list_models},     Kind{"backends", list_backends},
    Kind{"tiers", list_tiers},
};

}  // namespace

Result<Listing> list(const std::string& what, const Paths& include_paths) {
  for (const Kind& kind : kKinds)
    if (kind.name == what) return kind.list(include_paths);
  if (what.empty()) return base::usage_error("ls: wanted " + base::join_or(listing_kinds()));
  return unknown_name("ls", what, listing_kinds());
}

std::vector<std::string> listing_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

}  // namespace tare::cli
