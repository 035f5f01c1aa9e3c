#include <fmt/format.h>

#include <array>
#include <chrono>

#include "text/jinja/builtin.h"
#include "text/jinja/datetime.h"
#include "text/jinja/dicts.h"
#include "text/jinja/operators.h"
#include "text/jinja/output.h"

namespace tare::text::jinja {
namespace {

Value range(Call& call) {
  if (call.args.empty() || call.args.size() > 3 || !call.named.empty())
    type_error("range expected 1 to 3 positional arguments");
  const std::int64_t first = call.integer(0, 0);
  if (call.args.size() == 1) return call.heap.make<Range>(0, first, 1);
  const std::int64_t stop = call.integer(1, 0), step = call.integer(2, 1);
  if (step == 0) value_error("range() arg 3 must not be zero");
  return call.heap.make<Range>(first, stop, step);
}

Dict* new_dict(Call& call) {
  if (call.args.size() > 1)
    type_error(fmt::format("{} expected at most 1 argument, got {}", call.name, call.args.size()));
  auto* made = call.heap.make<Dict>();
  update_dict(call.heap, *made, call.args.empty() ? Value() : call.args[0], call.named);
  return made;
}

Value dict(Call& call) {
  return new_dict(call);
}

Value name_space(Call& call) {
  return call.heap.make<Namespace>(new_dict(call));
}

Value cycler(Call& call) {
  if (call.args.empty()) fail(FailureKind::runtime, "at least one item has to be provided");
  if (!call.named.empty()) type_error("cycler() takes no keyword arguments");
  return call.heap.make<Cycler>(call.args);
}

Value joiner(Call& call) {
  return call.heap.make<Joiner>(call.has(0) ? call.args[0] : call.heap.text(", "));
}

Value lipsum(Call&) {
  unsupported("lipsum() is not built in: its text is random");
}

Value raise_exception(Call& call) {
  fail(FailureKind::runtime, str(call.heap, call.args[0]));
}

Value strftime_now(Call& call) {
  const auto& now = call.heap.options().now;
  if (!now) unsupported("strftime_now() needs a clock, and this rendering has none");
  const auto since = now().time_since_epoch();
  const auto microseconds = std::chrono::duration_cast<std::chrono::microseconds>(since).count();
  return call.heap.text(format_time({microseconds}, call.string(0)));
}

constexpr unsigned kClass = Builtin::is_class;

constexpr std::array<Builtin, 6> kGlobals = {{
    {"range", range, 0, {}, Builtin::variadic | kClass},
    {"dict", dict, 0, {}, Builtin::variadic | kClass},
    {"namespace", name_space, 0, {}, Builtin::variadic | kClass},
    {"cycler", cycler, 0, {}, Builtin::variadic | kClass},
    {"joiner", joiner, 0, {"sep"}, kClass},
    {"lipsum", lipsum, 0, {}, Builtin::variadic},
}};

constexpr std::array<Builtin, 2> kChatGlobals = {{
    {"raise_exception", raise_exception, 1, {"message"}},
    {"strftime_now", strftime_now, 1, {"format"}},
}};

}  // namespace

const Builtin* find_global(std::string_view name, bool chat) {
  if (const Builtin* found = find_builtin(kGlobals, name)) return found;
  return chat ? find_builtin(kChatGlobals, name) : nullptr;
}

std::string function_repr(const Builtin& builtin) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kClasses = {
      {{"namespace", "jinja2.utils.Namespace"},
       {"cycler", "jinja2.utils.Cycler"},
       {"joiner", "jinja2.utils.Joiner"}}};
  if (!builtin.has(Builtin::is_class))
    unsupported("printing a function: in Python its text is a memory address");
  for (const auto& [name, shown] : kClasses)
    if (name == builtin.name) return fmt::format("<class '{}'>", shown);
  return fmt::format("<class '{}'>", builtin.name);
}

}  // namespace tare::text::jinja
