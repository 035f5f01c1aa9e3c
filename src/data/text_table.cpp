#include "data/text_table.h"

#include <algorithm>
#include <string>

#include "data/utf8.h"

namespace tare::data {
namespace {

using base::Result;
using base::Value;

std::string with_line_feeds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  return out;
}

std::vector<std::string_view> lines(std::string_view text, bool keep_breaks) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t next = std::min(end, text.size() - 1) + 1;
    found.push_back(text.substr(0, keep_breaks ? next : std::min(end, next)));
    text.remove_prefix(next);
  }
  return found;
}

std::vector<std::string_view> paragraphs(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    if (end > 0) found.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return found;
}

std::vector<std::string_view> samples(std::string_view text, const TextOptions& options) {
  switch (options.sample_by) {
    case TextOptions::SampleBy::line:
      return lines(text, options.keep_line_breaks);
    case TextOptions::SampleBy::paragraph:
      return paragraphs(text);
    case TextOptions::SampleBy::document:
      break;
  }
  return {text};
}

}  // namespace

Result<std::vector<Batch>> read_text_table(std::string_view text, std::string_view name,
                                           const TextOptions& options) {
  if (auto checked = check_utf8(text); !checked)
    return base::in_context(std::string(name), checked.error());
  const std::string unified = with_line_feeds(text);
  const Value key("text");
  Batch batch;
  batch.schema.kind = Type::Kind::structure;
  batch.schema.fields.push_back({key, {Type::Kind::string, {}, {}}});
  for (const std::string_view sample : samples(unified, options)) {
    base::Dict row;
    row.set(key, sample);
    batch.rows.push_back(std::move(row));
  }
  std::vector<Batch> batches;
  if (!batch.rows.empty()) batches.push_back(std::move(batch));
  return batches;
}

}  // namespace tare::data
