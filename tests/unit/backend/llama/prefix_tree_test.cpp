#include "backend/llama/prefix_tree.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "support/support.h"

namespace tare::backend::llama {
namespace {

using base::Value;

std::size_t number(const Value& value) {
  return static_cast<std::size_t>(value.as_int());
}

std::vector<ScoreItem> items_of(const Value& list) {
  std::vector<ScoreItem> items;
  for (const Value& entry : list.items()) {
    ScoreItem item{items.size(), {}, number(*entry.find("first_scored"))};
    for (const Value& token : entry.find("tokens")->items())
      item.tokens.push_back(static_cast<core::Token>(token.as_int()));
    items.push_back(std::move(item));
  }
  return items;
}

void print(const PrefixTree& tree, std::vector<std::size_t> ids, const std::string& indent,
           std::vector<std::string>& lines) {
  std::ranges::sort(ids, {}, [&](std::size_t id) { return tree.segments[id].item; });
  for (const std::size_t id : ids) {
    const Segment& segment = tree.segments[id];
    std::string line = fmt::format("{}{}..{}", indent, segment.begin, segment.end);
    if (!segment.reads.empty()) line += " reads";
    for (const Read& read : segment.reads) line += fmt::format(" {}:{}", read.position, read.item);
    lines.push_back(line);
    print(tree, segment.children, indent + "  ", lines);
  }
}

TEST_CASE("prefix trees of prefix_tree.json") {
  const Value cases = test::load_cases("backend/prefix_tree.json");
  for (const Value& entry : cases.items()) {
    CAPTURE(entry.find("name")->as_string());
    const auto items = items_of(*entry.find("items"));
    const Value* share = entry.find("share");
    const PrefixTree tree = build_prefix_tree(items, share == nullptr || share->as_bool());
    std::vector<std::string> lines, wanted;
    print(tree, tree.roots, "", lines);
    for (const Value& line : entry.find("segments")->items()) wanted.push_back(line.as_string());
    CHECK(lines == wanted);
  }
}

TEST_CASE("no items make an empty tree") {
  CHECK(build_prefix_tree({}).segments.empty());
}

TEST_CASE("a thousand nested branches need no stack") {
  std::vector<ScoreItem> items;
  for (std::size_t i = 0; i < 1000; ++i) {
    ScoreItem item{i, std::vector<core::Token>(40 * i + 1, 7), 1};
    item.tokens.back() = 8;
    item.tokens.push_back(9);
    item.first_scored = item.tokens.size() - 1;
    items.push_back(std::move(item));
  }
  const PrefixTree tree = build_prefix_tree(items);
  std::size_t reads = 0;
  for (const Segment& segment : tree.segments) reads += segment.reads.size();
  CHECK(reads == 1000);
}

}  // namespace
}  // namespace tare::backend::llama
