#include "task_hashes.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "base/files.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/python.h"
#include "support/support.h"

namespace tare::test {
namespace fs = std::filesystem;

std::optional<fs::path> lm_eval_tasks() {
  const char* folder = std::getenv("TARE_LM_EVAL");
  if (folder == nullptr || !fs::is_directory(folder)) return std::nullopt;
  return folder;
}

std::vector<base::Value> json_lines(const fs::path& file) {
  const auto text = base::read_file(file);
  REQUIRE_MESSAGE(text.has_value(), text.error().text);
  std::vector<base::Value> values;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    auto value = base::json::parse(std::string_view(*text).substr(at, end - at));
    REQUIRE_MESSAGE(value.has_value(), file.string() << ": " << value.error().text);
    values.push_back(std::move(*value));
    at = end + 1;
  }
  return values;
}

fs::path file_with_prefix(const fs::path& folder, const std::string& prefix) {
  for (const auto& item : fs::directory_iterator(folder))
    if (item.path().filename().string().starts_with(prefix)) return item.path();
  FAIL("no file " << prefix << "* in " << folder.string());
  return {};
}

std::vector<DocumentHashes> hashes_of(const core::BuiltTask& task) {
  std::vector<DocumentHashes> hashes(task.documents.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    hashes[i].document = base::sha256_hex(base::json::dump(task.documents[i], {.indent = 2}));
    hashes[i].target = base::sha256_hex(base::python::str(task.golds[i].target));
  }
  const bool rolling = task.output_type == core::OutputType::loglikelihood_rolling;
  for (const core::Request& request : task.requests)
    if (request.index == 0)
      hashes[request.document].prompt =
          base::sha256_hex(rolling ? request.continuation : request.context);
  return hashes;
}

}  // namespace tare::test
