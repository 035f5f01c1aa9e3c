#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"
#include "text/jinja/attributes.h"
#include "text/jinja/format.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"
#include "text/jinja/strings.h"

namespace tare::text::jinja {
namespace {

constexpr auto npos = std::string_view::npos;

/// str.format: replaces {field!conversion:spec}; a spec may hold fields itself, one level deep.
class BraceFormatter {
 public:
  BraceFormatter(Heap& heap, const std::vector<Value>& args,
                 const std::vector<NamedArgument>& named)
      : heap_(heap), args_(args), named_(named) {}

  std::string run(std::string_view text, int depth) {
    if (depth < 0) value_error("Max string recursion exceeded");
    std::string out;
    while (!text.empty()) {
      const std::size_t brace = text.find_first_of("{}");
      out += text.substr(0, brace);
      if (brace == npos) break;
      text.remove_prefix(brace);
      if (text.size() > 1 && text[1] == text[0]) {
        out += text[0];
        text.remove_prefix(2);
        continue;
      }
      if (text[0] == '}') value_error("Single '}' encountered in format string");
      const std::size_t end = field_end(text);
      out += field(text.substr(1, end - 1), depth);
      text.remove_prefix(end + 1);
    }
    heap_.charge(out.size());
    return out;
  }

 private:
  /// Where the brace that closes the field at the start of `text` stands.
  static std::size_t field_end(std::string_view text) {
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '{') ++open;
      if (text[i] == '}' && --open == 0) return i;
    }
    value_error(text.size() == 1 ? "Single '{' encountered in format string"
                                 : "expected '}' before end of string");
  }

  std::string field(std::string_view text, int depth) {
    // A ! or : inside of [] belongs to the key.
    std::size_t end = 0;
    for (bool bracket = false; end < text.size(); ++end) {
      if (text[end] == '[') bracket = true;
      if (text[end] == ']') bracket = false;
      if (!bracket && (text[end] == '!' || text[end] == ':')) break;
    }
    Value value = lookup(text.substr(0, end));
    text.remove_prefix(end);
    if (text.starts_with('!')) value = convert(value, text);
    if (!text.empty() && text[0] != ':') value_error("expected ':' after conversion specifier");
    const std::string spec = text.empty() ? "" : run(text.substr(1), depth - 1);
    return format_value(heap_, value, spec);
  }

  /// Applies !r, !s or !a and takes it off `text`.
  Value convert(const Value& value, std::string_view& text) {
    if (text.size() < 2) value_error("end of string while looking for conversion specifier");
    const char conversion = text[1];
    text.remove_prefix(2);
    if (conversion == 's') return heap_.text(str(heap_, value));
    if (conversion == 'r') return heap_.text(repr(heap_, value));
    if (conversion == 'a') return heap_.text(ascii_repr(heap_, value));
    value_error(fmt::format("Unknown conversion specifier '{}'", conversion));
  }

  Value lookup(std::string_view name) {
    const std::size_t end = std::min(name.find_first_of(".["), name.size());
    Value value = first(name.substr(0, end));
    name.remove_prefix(end);
    while (!name.empty()) value = step(value, name);
    return value;
  }

  Value first(std::string_view name) {
    if (name.empty()) {
      numbering(true);
      return positional(next_++);
    }
    if (const auto index = index_of(name)) {
      numbering(false);
      return positional(*index);
    }
    const auto it = std::find_if(named_.begin(), named_.end(),
                                 [&](const NamedArgument& a) { return a.first == name; });
    if (it == named_.end()) fail(FailureKind::key, base::python::repr(name));
    return it->second;
  }

  void numbering(bool automatic) {
    if (decided_ && automatic_ != automatic)
      value_error("cannot switch between manual field specification and automatic field numbering");
    decided_ = true;
    automatic_ = automatic;
  }

  static std::optional<std::size_t> index_of(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789") != npos) return std::nullopt;
    const auto index = parse_python_int(text, 10);
    return static_cast<std::size_t>(*index);
  }

  [[nodiscard]] Value positional(std::size_t index) const {
    if (index >= args_.size())
      fail(FailureKind::index,
           fmt::format("Replacement index {} out of range for positional args tuple", index));
    return args_[index];
  }

  /// One .attribute or [item], taken off `name`.
  Value step(const Value& value, std::string_view& name) {
    if (name[0] == '.') {
      const std::size_t end = std::min(name.find_first_of(".[", 1), name.size());
      const Value attribute = heap_.text(std::string(name.substr(1, end - 1)));
      name.remove_prefix(end);
      if (attribute.str().empty()) value_error("Empty attribute in format string");
      Value found = get_attribute_only(heap_, value, attribute);
      if (const auto* none = as<Undefined>(found)) fail(FailureKind::attribute, none->message);
      return found;
    }
    const std::size_t close = name.find(']');
    if (name[0] != '[') value_error("Only '.' or '[' may follow ']' in format field specifier");
    if (close == npos) value_error("Missing ']' in format string");
    const std::string_view key = name.substr(1, close - 1);
    if (key.empty()) value_error("Empty attribute in format string");
    const auto index = index_of(key);
    const Value item =
        index ? Value(static_cast<std::int64_t>(*index)) : heap_.text(std::string(key));
    name.remove_prefix(close + 1);
    return item_of(value, item);
  }

  Value item_of(const Value& value, const Value& item) {
    const bool keyed = as<Dict>(value) != nullptr;
    if (!keyed && !item.is_int()) type_error("indices must be integers");
    Value found = get_item(heap_, value, item);
    if (as<Undefined>(found) == nullptr) return found;
    fail(keyed ? FailureKind::key : FailureKind::index, repr(heap_, item));
  }

  Heap& heap_;
  const std::vector<Value>& args_;
  const std::vector<NamedArgument>& named_;
  std::size_t next_ = 0;
  bool decided_ = false;
  bool automatic_ = false;
};

}  // namespace

std::string ascii_repr(Heap& heap, const Value& value) {
  const std::string text = repr(heap, value);
  std::string out;
  for (std::size_t pos = 0; pos < text.size();) {
    const auto c = static_cast<std::uint32_t>(base::unicode::decode(text, pos));
    if (c < 0x80)
      out += static_cast<char>(c);
    else if (c <= 0xFF)
      out += fmt::format("\\x{:02x}", c);
    else if (c <= 0xFFFF)
      out += fmt::format("\\u{:04x}", c);
    else
      out += fmt::format("\\U{:08x}", c);
  }
  return out;
}

std::string format_braces(Heap& heap, std::string_view text, const std::vector<Value>& args,
                          const std::vector<NamedArgument>& named) {
  return BraceFormatter(heap, args, named).run(text, 2);
}

}  // namespace tare::text::jinja
