#include "text/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/position.h"
#include "base/python.h"
#include "base/unicode.h"
#include "text/yaml_events.h"
#include "text/yaml_scalar.h"

namespace tare::text::yaml {
namespace {

using base::Dict;
using base::List;
using base::Result;
using base::Status;
using base::Value;

constexpr std::string_view kStandardTag = "tag:yaml.org,2002:";
constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";
constexpr std::size_t kMaxDepth = 300;
/// Aliases may make a file stand for more than it holds, but not for more nodes than this.
constexpr std::size_t kMaxNodes = 10'000'000;

struct Node {
  Value value;
  Mark mark;
  std::size_t nodes = 1;   ///< with aliases expanded
  bool merge_key = false;  ///< a plain "<<" or the tag !!merge
};

/// A list or mapping that is not closed yet.
struct Frame {
  Mark mark;
  std::string anchor;
  bool mapping = false;
  List items;
  std::vector<Value> merged;  ///< the dicts that "<<" named; the own entries come after and win
  std::vector<Dict::Entry> own;
  std::vector<Mark> own_marks;  ///< of the keys
  std::optional<Node> key;
  std::size_t nodes = 1;
};

bool hashable(const Value& key) {
  return !key.is_list() && !key.is_dict();
}

std::string shown_tag(std::string_view tag) {
  if (!tag.starts_with(kStandardTag)) return std::string(tag);
  return fmt::format("!!{}", tag.substr(kStandardTag.size()));
}

std::optional<ScalarType> tagged_type(std::string_view tag) {
  static const std::unordered_map<std::string_view, ScalarType> kTypes = {
      {"null", ScalarType::null},   {"bool", ScalarType::boolean},
      {"int", ScalarType::integer}, {"float", ScalarType::real},
      {"str", ScalarType::string},  {"timestamp", ScalarType::timestamp}};
  if (!tag.starts_with(kStandardTag)) return std::nullopt;
  const auto type = kTypes.find(tag.substr(kStandardTag.size()));
  if (type == kTypes.end()) return std::nullopt;
  return type->second;
}

base::Failure error_at(std::string_view name, Mark mark, std::string_view what) {
  return base::input_error(fmt::format("{}:{}:{}: {}", name, mark.line, mark.column, what));
}

/// Turns events into one value.
class Builder {
 public:
  explicit Builder(std::string_view name) : name_(name) {}

  Status add(Event event) {
    switch (event.kind) {
      case Event::Kind::document_start:
        if (++documents_ > 1) return error(event.mark, "found a second document, wanted one");
        return {};
      case Event::Kind::alias:
        return alias(event);
      case Event::Kind::scalar:
        return scalar(event);
      case Event::Kind::sequence_start:
      case Event::Kind::mapping_start:
        return open(std::move(event));
      case Event::Kind::sequence_end:
      case Event::Kind::mapping_end:
        return close();
      default:
        return {};
    }
  }

  Value root;
  std::map<std::string, Mark, std::less<>> marks;
  std::vector<Repeated> repeated;  ///< inner mappings before outer ones

 private:
  base::Failure error(Mark mark, std::string_view what) const {
    return error_at(name_, mark, what);
  }

  Status alias(const Event& event) {
    if (const auto found = anchors_.find(event.anchor); found != anchors_.end()) {
      Node node = found->second;
      node.mark = event.mark;
      return finish(std::move(node), {});
    }
    const bool open = std::any_of(stack_.begin(), stack_.end(),
                                  [&](const Frame& frame) { return frame.anchor == event.anchor; });
    return error(event.mark, fmt::format("found the alias *{} {}", event.anchor,
                                         open ? "inside the node that it names"
                                              : "of an anchor that does not stand before it"));
  }

  Status scalar(const Event& event) {
    Node node{.value = Value(event.text), .mark = event.mark};
    node.merge_key = (event.plain && event.text == "<<") || event.tag == kMergeTag;
    if (node.merge_key) return finish(std::move(node), event.anchor);
    if (event.tag == kFunctionKey) {
      Dict function;
      function.set(kFunctionKey, event.text);
      node.value = Value(std::move(function));
      return finish(std::move(node), event.anchor);
    }
    TARE_TRY(const ScalarType type, scalar_type(event));
    auto value = construct(type, event.text);
    if (!value) return error(event.mark, value.error().text);
    node.value = *std::move(value);
    return finish(std::move(node), event.anchor);
  }

  Result<ScalarType> scalar_type(const Event& event) const {
    if (event.plain) return implicit_type(event.text);
    if (event.tag.empty() || event.tag == "!") return ScalarType::string;
    if (const auto type = tagged_type(event.tag)) return *type;
    return error(event.mark,
                 fmt::format("found the tag {} on a scalar, wanted !!str, !!int, !!float, !!bool, "
                             "!!null, !!timestamp or !function",
                             shown_tag(event.tag)));
  }

  Status open(Event event) {
    const bool mapping = event.kind == Event::Kind::mapping_start;
    const std::string_view type = mapping ? "map" : "seq";
    const bool standard = event.tag.empty() || event.tag == "!" ||
                          event.tag == fmt::format("{}{}", kStandardTag, type);
    if (!standard)
      return error(event.mark, fmt::format("found the tag {}, wanted !!{} or none",
                                           shown_tag(event.tag), type));
    if (stack_.size() == kMaxDepth)
      return error(event.mark, fmt::format("nested deeper than {} levels", kMaxDepth));
    Frame& frame = stack_.emplace_back();
    frame.mark = event.mark;
    frame.anchor = std::move(event.anchor);
    frame.mapping = mapping;
    return {};
  }

  Status close() {
    Frame frame = std::move(stack_.back());
    stack_.pop_back();
    note_repeated(frame);
    Node node{.value = frame.mapping ? dict_of(frame) : Value(std::move(frame.items)),
              .mark = frame.mark,
              .nodes = frame.nodes};
    return finish(std::move(node), frame.anchor);
  }

  void note_repeated(const Frame& frame) {
    Dict places;
    for (std::size_t i = 0; i < frame.own.size(); ++i) {
      const Value& key = frame.own[i].first;
      if (const Value* before = places.find(key))
        repeated.push_back({base::python::str(key), frame.own_marks[i],
                            frame.own_marks[static_cast<std::size_t>(before->as_int())]});
      else
        places.set(key, i);
    }
  }

  static Value dict_of(Frame& frame) {
    Dict dict;
    for (const Value& source : frame.merged)
      for (const auto& [key, value] : source.as_dict()) dict.set(key, value);
    for (auto& [key, value] : frame.own) dict.set(std::move(key), std::move(value));
    return Value(std::move(dict));
  }

  Status finish(Node node, const std::string& anchor) {
    if (!anchor.empty()) anchors_[anchor] = node;
    if (stack_.empty()) {
      root = std::move(node.value);
      return {};
    }
    Frame& parent = stack_.back();
    parent.nodes += node.nodes;
    if (parent.nodes > kMaxNodes)
      return error(node.mark, fmt::format("the aliases stand for more than {} nodes", kMaxNodes));
    if (!parent.mapping) {
      parent.items.push_back(std::move(node.value));
      return {};
    }
    return parent.key ? set_entry(parent, std::move(node)) : set_key(parent, std::move(node));
  }

  Status set_key(Frame& mapping, Node node) {
    if (!hashable(node.value))
      return error(node.mark,
                   fmt::format("found a {} as a key, wanted a scalar", node.value.type_name()));
    if (stack_.size() == 1 && node.value.is_string() && !node.merge_key)
      marks[node.value.as_string()] = node.mark;
    mapping.key = std::move(node);
    return {};
  }

  Status set_entry(Frame& mapping, Node node) {
    Node key = *std::exchange(mapping.key, std::nullopt);
    if (key.merge_key) return merge(mapping, node);
    mapping.own.emplace_back(std::move(key.value), std::move(node.value));
    mapping.own_marks.push_back(key.mark);
    return {};
  }

  Status merge(Frame& mapping, const Node& node) {
    if (node.value.is_dict()) {
      mapping.merged.push_back(node.value);
      return {};
    }
    const List sources = node.value.is_list() ? node.value.items() : List{node.value};
    if (!std::all_of(sources.begin(), sources.end(), [](const Value& v) { return v.is_dict(); }))
      return error(node.mark, "found something else after <<, wanted a mapping or a list of them");
    mapping.merged.insert(mapping.merged.end(), sources.rbegin(), sources.rend());
    return {};
  }

  std::string_view name_;
  int documents_ = 0;
  std::vector<Frame> stack_;
  std::unordered_map<std::string, Node> anchors_;
};

/// Characters that YAML lets through.
bool allowed(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0x7F || c == 0x85 || (c >= 0xA0 && c != 0xFFFE && c != 0xFFFF);
}

/// The offset of the first character that no YAML file may hold, or npos.
std::size_t find_forbidden(std::string_view text) {
  const std::size_t invalid = base::unicode::find_invalid(text);
  const std::string_view readable = text.substr(0, invalid);
  for (std::size_t pos = 0; pos < readable.size();) {
    const std::size_t start = pos;
    if (!allowed(base::unicode::decode(readable, pos))) return start;
  }
  return invalid;
}

Status check_characters(std::string_view text, std::string_view name) {
  const std::size_t bad = find_forbidden(text);
  if (bad == text.npos) return {};
  const base::Position at = base::position_of(text, bad);
  return error_at(name, {at.line, at.column},
                  fmt::format("found {}, wanted printable UTF-8", base::found_at(text, bad)));
}

Status build(std::string_view text, std::string_view name, Builder& builder) {
  TARE_CHECK(check_characters(text, name));
  EventReader reader(text);
  while (true) {
    auto event = reader.next();
    if (!event) return base::input_error(fmt::format("{}:{}", name, event.error().text));
    if (event->kind == Event::Kind::stream_end) return {};
    TARE_CHECK(builder.add(*std::move(event)));
  }
}

}  // namespace

bool is_function(const Value& value) {
  return value.is_dict() && value.as_dict().size() == 1 && value.find(kFunctionKey) != nullptr;
}

std::string text_of(const Repeated& repeated, std::string_view name) {
  return fmt::format("{}:{}:{}: the key '{}' stands in line {} already", name, repeated.mark.line,
                     repeated.mark.column, repeated.key, repeated.before.line);
}

const std::string& function_name(const Value& value) {
  return value.find(kFunctionKey)->as_string();
}

Result<File> parse(std::string_view text, std::string_view name) {
  Builder builder(name);
  TARE_CHECK(build(text, name, builder));
  if (!builder.root.is_dict())
    return error_at(
        name, {1, 1},
        fmt::format(
            "found {} at the top, wanted a mapping of keys to values",
            builder.root.is_none() ? "nothing" : fmt::format("a {}", builder.root.type_name())));
  std::ranges::sort(builder.repeated, {},
                    [](const Repeated& r) { return std::pair(r.mark.line, r.mark.column); });
  return File{std::move(builder.root), std::move(builder.marks), std::move(builder.repeated)};
}

Result<File> parse_strictly(std::string_view text, std::string_view name) {
  TARE_TRY(File file, parse(text, name));
  if (file.repeated.empty()) return file;
  return base::input_error(text_of(file.repeated.front(), name) + "; wanted it once");
}

Result<Value> parse_any(std::string_view text, std::string_view name) {
  Builder builder(name);
  TARE_CHECK(build(text, name, builder));
  return std::move(builder.root);
}

}  // namespace tare::text::yaml
