#include <fmt/format.h>

#include <cmath>

#include "base/unicode.h"
#include "text/jinja/format.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"
#include "text/jinja/strings.h"

/// format(value, spec): "[[fill]align][sign][z][#][0][width][grouping][.precision][type]".
namespace tare::text::jinja {
namespace {

struct Spec {
  Padding padding;
  bool has_align = false;
  char sign = '-';
  bool no_negative_zero = false;  ///< z
  bool alternate = false;
  char grouping = '\0';
  std::int64_t precision = -1;
  char type = '\0';
};

class SpecParser {
 public:
  SpecParser(Heap& heap, std::string_view text, const Value& value)
      : heap_(heap), text_(text), value_(value) {}

  Spec run() {
    alignment();
    if (at("+- ")) spec_.sign = take();
    spec_.no_negative_zero = skip('z');
    spec_.alternate = skip('#');
    if (at("0") && !spec_.has_align) {
      spec_.padding.fill = "0";
      spec_.padding.align = value_.is_number() ? '=' : '<';
      spec_.has_align = true;
    }
    spec_.padding.width = static_cast<std::size_t>(std::max(number(), 0));
    if (at(",_")) spec_.grouping = take();
    if (skip('.')) {
      spec_.precision = number();
      if (spec_.precision < 0) value_error("Format specifier missing precision");
    }
    if (pos_ < text_.size()) spec_.type = take();
    if (pos_ < text_.size()) value_error("Invalid format specifier");
    return spec_;
  }

 private:
  [[nodiscard]] bool at(std::string_view one_of) const {
    return pos_ < text_.size() && one_of.find(text_[pos_]) != std::string_view::npos;
  }
  char take() { return text_[pos_++]; }
  bool skip(char c) {
    if (pos_ >= text_.size() || text_[pos_] != c) return false;
    ++pos_;
    return true;
  }

  void alignment() {
    constexpr std::string_view kAligns = "<>=^";
    if (text_.empty()) return;
    std::size_t after_fill = 0;
    base::unicode::decode(text_, after_fill);
    if (after_fill < text_.size() && kAligns.find(text_[after_fill]) != std::string_view::npos) {
      spec_.padding.fill = text_.substr(0, after_fill);
      pos_ = after_fill;
    }
    if (!at(kAligns)) return;
    spec_.padding.align = take();
    spec_.has_align = true;
  }

  int number() {
    if (!at("0123456789")) return -1;
    std::int64_t value = 0;
    while (at("0123456789") && value < 10'000'000) value = value * 10 + (take() - '0');
    return checked_size(heap_, value);
  }

  Heap& heap_;
  std::string_view text_;
  const Value& value_;
  std::size_t pos_ = 0;
  Spec spec_;
};

[[noreturn]] void unknown_type(char type, const Value& value) {
  value_error(fmt::format("Unknown format code '{}' for object of type '{}'", type,
                          value.is_bool() ? "int" : type_name(value)));
}

std::string format_string(Heap& heap, const Value& value, Spec spec) {
  if (spec.type != '\0' && spec.type != 's') unknown_type(spec.type, value);
  if (spec.padding.align == '=')
    value_error("'=' alignment not allowed in string format specifier");
  if (spec.no_negative_zero)
    value_error("Negative zero coercion (z) not allowed in string format specifier");
  if (spec.sign != '-') value_error("Sign not allowed in string format specifier");
  if (spec.alternate) value_error("Alternate form (#) not allowed in string format specifier");
  if (spec.grouping != '\0')
    value_error(fmt::format("Cannot specify '{}' with 's'.", spec.grouping));
  std::string_view text = value.str();
  if (spec.precision >= 0)
    text = text.substr(0, byte_offset(text, static_cast<std::size_t>(spec.precision)));
  return pad_text(heap, text, spec.padding);
}

/// Puts a separator between groups of digits, counted from the right.
std::string grouped(std::string_view digits, char separator, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % size == 0) out += separator;
    out += digits[i];
  }
  return out;
}

/// `digits` (with `rest` after them: a fraction) with separators; filled up by zeros, these get
/// separators too.
std::string number_body(std::string digits, std::string_view rest, const Spec& spec,
                        std::size_t lead, std::size_t group) {
  if (spec.grouping == '\0') return digits.append(rest);
  const bool zeros = spec.padding.fill == "0" && spec.padding.align == '=';
  auto whole = [&] { return grouped(digits, spec.grouping, group).append(rest); };
  while (zeros && lead + whole().size() < spec.padding.width) digits.insert(0, "0");
  return whole();
}

std::string format_whole(Heap& heap, std::int64_t number, Spec spec, const Value& value) {
  static constexpr std::string_view kTypes = "bdoxXn";
  if (spec.type == '\0' || spec.type == 'n') spec.type = 'd';
  if (spec.precision >= 0) value_error("Precision not allowed in integer format specifier");
  if (spec.no_negative_zero)
    value_error("Negative zero coercion (z) not allowed in format specifier with integer format");
  if (spec.type == 'c') {
    if (number < 0 || number > 0x10FFFF)
      fail(FailureKind::overflow, "%c arg not in range(0x110000)");
    std::string text;
    base::unicode::append(text, static_cast<char32_t>(number));
    return pad_text(heap, text, spec.padding);
  }
  if (kTypes.find(spec.type) == std::string_view::npos) unknown_type(spec.type, value);
  if (spec.grouping == ',' && spec.type != 'd')
    value_error(fmt::format("Cannot specify ',' with '{}'.", spec.type));
  std::string lead = sign_text(number < 0, spec.sign);
  if (spec.alternate) lead += integer_prefix(spec.type);
  const std::size_t group = spec.type == 'd' ? 3 : 4;
  return pad_number(heap, lead,
                    number_body(integer_digits(number, spec.type), "", spec, lead.size(), group),
                    spec.padding);
}

std::string format_fraction(Heap& heap, double number, Spec spec, const Value& value) {
  static constexpr std::string_view kTypes = "eEfFgG%";
  if (spec.type == '\0') spec.type = 'r';
  if (spec.type == 'n') spec.type = 'g';
  if (spec.type != 'r' && kTypes.find(spec.type) == std::string_view::npos)
    unknown_type(spec.type, value);
  const std::string text = format_real(number, {.type = spec.type,
                                                .precision = static_cast<int>(spec.precision),
                                                .alternate = spec.alternate});
  const bool zero = text.find_first_of("123456789n") == std::string::npos;
  const bool negative = std::signbit(number) && !std::isnan(number);
  const std::string lead = sign_text(negative && !(zero && spec.no_negative_zero), spec.sign);
  const std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
  return pad_number(heap, lead,
                    number_body(text.substr(0, whole), text.substr(whole), spec, lead.size(), 3),
                    spec.padding);
}

}  // namespace

std::string format_value(Heap& heap, const Value& value, std::string_view spec) {
  if (spec.empty()) return str(heap, value);
  if (value.is_string()) return format_string(heap, value, SpecParser(heap, spec, value).run());
  require_defined(value);
  if (!value.is_number())
    type_error(fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
  Spec parsed = SpecParser(heap, spec, value).run();
  if (!parsed.has_align) parsed.padding.align = '>';
  const bool real_type = std::string_view("eEfFgG%").find(parsed.type) != std::string_view::npos &&
                         parsed.type != '\0';
  if (value.is_real() || real_type) return format_fraction(heap, value.as_real(), parsed, value);
  return format_whole(heap, value.as_int(), parsed, value);
}

}  // namespace tare::text::jinja
