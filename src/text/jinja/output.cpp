#include "text/jinja/output.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/python.h"
#include "text/jinja/builtin.h"
#include "text/jinja/loop.h"
#include "text/jinja/macro.h"
#include "text/jinja/operators.h"

namespace tare::text::jinja {
namespace {

/// Writes repr(); knows the containers it is inside of, to print a list within itself as [...].
class Writer {
 public:
  Writer(Heap& heap, std::string& out) : heap_(heap), out_(out) {}

  void write(const Value& value) {
    if (Object* object = value.object()) return write_object(*object);
    const std::size_t before = out_.size();
    if (value.is_string())
      write_string(value);
    else
      write_scalar(value);
    heap_.charge(out_.size() - before);
  }

 private:
  void write_scalar(const Value& value) {
    if (value.is_bool())
      out_ += value.as_bool() ? "True" : "False";
    else if (value.is_int())
      fmt::format_to(std::back_inserter(out_), "{}", value.as_int());
    else if (value.is_real())
      out_ += base::python::repr(value.as_real());
    else
      out_ += "None";
  }

  void write_string(const Value& value) {
    if (value.is_markup()) out_ += "Markup(";
    out_ += base::python::repr(std::string_view(value.str()));
    if (value.is_markup()) out_ += ')';
  }

  void write_object(Object& object) {
    using Kind = Object::Kind;
    const Heap::Level level(heap_);
    switch (object.kind) {
      case Kind::undefined:
        out_ += "Undefined";
        return;
      case Kind::list:
        return write_items(object, static_cast<const List&>(object).items, '[', ']', "[...]");
      case Kind::tuple:
        return write_items(object, static_cast<const Tuple&>(object).items, '(', ')', "(...)");
      case Kind::dict:
        return write_dict(static_cast<const Dict&>(object));
      case Kind::range:
        return write_range(static_cast<const Range&>(object));
      case Kind::view:
        return write_view(static_cast<const View&>(object));
      default:
        write_other(object);
    }
  }

  void write_other(Object& object) {
    switch (object.kind) {
      case Object::Kind::datetime:
        out_ += base::python::repr(base::Value(static_cast<const DateTime&>(object).time));
        return;
      case Object::Kind::name_space:
        out_ += "<Namespace ";
        write(static_cast<const Namespace&>(object).attributes);
        out_ += '>';
        return;
      case Object::Kind::function:
        out_ += function_repr(*static_cast<const Function&>(object).builtin);
        return;
      case Object::Kind::macro:
        out_ += macro_repr(static_cast<const Macro&>(object));
        return;
      case Object::Kind::loop:
        out_ += loop_repr(heap_, static_cast<Loop&>(object));
        return;
      case Object::Kind::template_self:
        out_ += "<TemplateReference None>";
        return;
      default:
        unsupported(fmt::format(
            "printing a '{}' object: in Python its text is a memory address; apply |list or |join",
            type_name(object)));
    }
  }

  /// False, with `again` written, when `object` is already being written further out.
  bool enter(const Object& object, std::string_view again) {
    if (std::find(inside_.begin(), inside_.end(), &object) != inside_.end()) {
      out_ += again;
      return false;
    }
    inside_.push_back(&object);
    return true;
  }

  void write_items(const Object& object, const std::vector<Value>& items, char open, char close,
                   std::string_view again) {
    if (!enter(object, again)) return;
    heap_.step(items.size());
    out_ += open;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i != 0) out_ += ", ";
      write(items[i]);
    }
    if (open == '(' && items.size() == 1) out_ += ',';
    out_ += close;
    inside_.pop_back();
  }

  void write_dict(const Dict& dict) {
    if (!enter(dict, "{...}")) return;
    heap_.step(dict.entries().size());
    out_ += '{';
    bool first = true;
    for (const auto& [key, value] : dict.entries()) {
      if (!first) out_ += ", ";
      first = false;
      write(key);
      out_ += ": ";
      write(value);
    }
    out_ += '}';
    inside_.pop_back();
  }

  void write_range(const Range& range) {
    fmt::format_to(std::back_inserter(out_), "range({}, {}", range.start, range.stop);
    if (range.step != 1) fmt::format_to(std::back_inserter(out_), ", {}", range.step);
    out_ += ')';
  }

  void write_view(const View& view) {
    if (!enter(view, "...")) return;
    out_ += type_name(view);
    out_ += "([";
    for (std::size_t i = 0; i < view.dict->entries().size(); ++i) {
      if (i != 0) out_ += ", ";
      write(view.at(heap_, i));
    }
    out_ += "])";
    inside_.pop_back();
  }

  Heap& heap_;
  std::string& out_;
  std::vector<const Object*> inside_;
};

}  // namespace

void append_str(Heap& heap, std::string& out, const Value& value) {
  if (value.is_string()) {
    out += value.str();
  } else if (as<Undefined>(value) != nullptr) {
    require_strictly_defined(value);
  } else if (const auto* time = as<DateTime>(value)) {
    out += base::python::str(base::Value(time->time));
  } else {
    Writer(heap, out).write(value);
  }
}

std::string str(Heap& heap, const Value& value) {
  if (value.is_string()) return value.str();
  std::string out;
  append_str(heap, out, value);
  return out;
}

std::string repr(Heap& heap, const Value& value) {
  std::string out;
  Writer(heap, out).write(value);
  return out;
}

}  // namespace tare::text::jinja
