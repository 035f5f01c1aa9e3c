#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/python.h"
#include "text/jinja/ast_walk.h"
#include "text/jinja/failure.h"
#include "text/jinja/parser.h"
#include "text/jinja/symbols.h"
#include "text/jinja/uses.h"

namespace tare::text::jinja {
namespace {

/// First pass over a scope: records which names it loads and stores. It does not go into the scopes
/// inside: what those do with names is their own affair.
class Collector {
 public:
  explicit Collector(Symbols& symbols) : symbols_(symbols) {}

  void block(Block& body) {
    for (Stmt& statement : body) std::visit(*this, statement.node);
  }
  void expr(ExprPtr& e) {
    if (e == nullptr) return;
    if (const auto* name = std::get_if<Name>(&e->node)) symbols_.load(name->name);
    for_each_child(*e, [this](ExprPtr& child) { expr(child); });
  }
  void target(Target& t) {
    if (t.kind == Target::Kind::name) symbols_.store(t.name);
    if (t.kind == Target::Kind::attribute) symbols_.load(t.name);
    for (Target& item : t.items) target(item);
  }
  void parameters(Target& t) {
    if (t.kind == Target::Kind::name) symbols_.declare_parameter(t.name);
    for (Target& item : t.items) parameters(item);
  }

  void operator()(Output& s) {
    for (auto& piece : s.pieces) expr(piece.expr);
  }
  void operator()(If& s) { branches(s, 0); }
  void operator()(For& s) { expr(s.iterable); }
  void operator()(Set& s) {
    expr(s.value);
    target(s.target);
  }
  void operator()(SetBlock& s) {
    target(s.target);
    expr(s.filter);
  }
  void operator()(With& s) {
    for (auto& [name, value] : s.assignments) expr(value);
  }
  void operator()(FilterBlock& s) { expr(s.filter); }
  void operator()(MacroStmt& s) { symbols_.store(s.body.name); }
  void operator()(CallBlock& s) { expr(s.call); }
  void operator()(Break&) {}
  void operator()(Continue&) {}

 private:
  /// The first branch is visited here; the later ones are, as in Jinja2, an if statement within.
  void branches(If& s, std::size_t first) {
    expr(s.branches[first].test);
    std::vector<Symbols> found(2, symbols_);
    Collector(found[0]).block(s.branches[first].body);
    if (first != 0) {
      symbols_.merge_branches(found);
      return;
    }
    Collector later(found[1]);
    for (std::size_t i = 1; i < s.branches.size(); ++i) later.branches(s, i);
    found.push_back(symbols_);
    Collector(found[2]).block(s.otherwise);
    symbols_.merge_branches(found);
  }

  Symbols& symbols_;
};

/// Second pass: puts the variables into the names of a scope and opens the scopes inside.
class Binder {
 public:
  Binder(Program& program, VariableTable& table, Symbols& symbols, bool soft)
      : program_(program), table_(table), symbols_(symbols), soft_(soft) {}

  void block(Block& body) {
    for (Stmt& statement : body) {
      line_ = statement.line;
      std::visit(*this, statement.node);
    }
  }

  void expr(ExprPtr& e) {
    if (e == nullptr) return;
    if (auto* name = std::get_if<Name>(&e->node)) name->ref = symbols_.find(name->name);
    if (auto* filter = std::get_if<FilterExpr>(&e->node)) bind_filter(*filter, e->line);
    if (auto* test = std::get_if<TestExpr>(&e->node)) bind_test(*test, e->line);
    const bool outer = std::exchange(soft_, soft_ || std::holds_alternative<Conditional>(e->node));
    for_each_child(*e, [this](ExprPtr& child) { expr(child); });
    soft_ = outer;
  }

  void target(Target& t) {
    if (t.kind != Target::Kind::tuple) t.ref = symbols_.find(t.name);
    for (Target& item : t.items) target(item);
  }

  void operator()(Output& s) {
    for (auto& piece : s.pieces) expr(piece.expr);
  }
  void operator()(If& s) {
    const bool outer = std::exchange(soft_, true);
    for (auto& branch : s.branches) {
      expr(branch.test);
      block(branch.body);
    }
    block(s.otherwise);
    soft_ = outer;
  }
  void operator()(For& s);
  void operator()(Set& s) {
    expr(s.value);
    target(s.target);
  }
  void operator()(SetBlock& s);
  void operator()(With& s);
  void operator()(FilterBlock& s);
  void operator()(MacroStmt& s) {
    macro(s.body);
    s.ref = symbols_.find(s.body.name);
  }
  void operator()(CallBlock& s) {
    macro(s.body);
    expr(s.call);
  }
  void operator()(Break&) {}
  void operator()(Continue&) {}

 private:
  Binder inner(Symbols& symbols) { return {program_, table_, symbols, false}; }

  void keep_scope(Scope& scope, const Symbols& symbols) {
    scope = symbols.scope();
    table_.add_scope(scope);
  }
  FunctionInfo& function_around() {
    return program_.functions[static_cast<std::size_t>(symbols_.function())];
  }

  /// An unknown name is an error at once, unless it stands where it may never be reached.
  void require(const Builtin* builtin, std::string_view what, const std::string& name, int line) {
    if (builtin == nullptr && !soft_)
      fail_at(line, FailureKind::syntax,
              fmt::format("No {} named {}.", what, base::python::repr(name)));
  }
  void bind_filter(FilterExpr& filter, int line) {
    filter.builtin = find_filter(filter.name, program_.options.chat);
    require(filter.builtin, "filter", filter.name, line);
  }
  void bind_test(TestExpr& test, int line) {
    test.builtin = find_test(test.name);
    require(test.builtin, "test", test.name, line);
  }

  void loop_condition(For& s, int function);
  void macro(MacroBody& body);
  NameRef special_parameter(MacroBody& body, Symbols& symbols, const std::string& name);

  Program& program_;
  VariableTable& table_;
  Symbols& symbols_;
  bool soft_;  ///< inside an if statement or expression, which may never be reached
  int line_ = 0;
};

void Binder::loop_condition(For& s, int function) {
  Symbols symbols(symbols_, function, table_.new_space());
  Collector collector(symbols);
  collector.parameters(s.test_target);
  collector.expr(s.test);
  keep_scope(s.test_scope, symbols);
  Binder binder = inner(symbols);
  binder.target(s.test_target);
  binder.expr(s.test);
}

void Binder::operator()(For& s) {
  const int function = s.recursive ? table_.new_function() : symbols_.function();
  if (s.recursive) function_around().has_inner = true;
  if (const int line = line_of_store(s, line_, "loop"); line != 0)
    fail_at(line, FailureKind::syntax, "Can't assign to special loop variable in for-loop target");
  s.function = s.recursive ? function : -1;
  expr(s.iterable);
  if (s.test != nullptr) {
    loop_condition(s, function);
    program_.functions[static_cast<std::size_t>(function)].has_inner = true;
  }

  Symbols body_symbols(symbols_, function);
  const bool uses_loop = s.recursive || uses_name(s.body, "loop");
  if (uses_loop) s.loop = {body_symbols.declare_parameter("loop"), 0};
  Collector collector(body_symbols);
  collector.parameters(s.target);
  collector.block(s.body);
  keep_scope(s.scope, body_symbols);
  Binder body = inner(body_symbols);
  body.target(s.target);
  body.block(s.body);

  Symbols else_symbols(symbols_, function);
  Collector(else_symbols).block(s.otherwise);
  keep_scope(s.else_scope, else_symbols);
  inner(else_symbols).block(s.otherwise);
}

void Binder::operator()(SetBlock& s) {
  Symbols symbols(symbols_, symbols_.function());
  Collector(symbols).block(s.body);
  keep_scope(s.scope, symbols);
  Binder binder = inner(symbols);
  binder.block(s.body);
  binder.expr(s.filter);
  target(s.target);
}

void Binder::operator()(With& s) {
  Symbols symbols(symbols_, symbols_.function());
  Collector collector(symbols);
  for (auto& [name, value] : s.assignments) collector.parameters(name);
  collector.block(s.body);
  keep_scope(s.scope, symbols);
  Binder binder = inner(symbols);
  for (auto& [name, value] : s.assignments) {
    expr(value);
    binder.target(name);
  }
  binder.block(s.body);
}

void Binder::operator()(FilterBlock& s) {
  Symbols symbols(symbols_, symbols_.function());
  Collector collector(symbols);
  collector.block(s.body);
  collector.expr(s.filter);
  keep_scope(s.scope, symbols);
  Binder binder = inner(symbols);
  binder.block(s.body);
  binder.expr(s.filter);
}

/// `caller`, `kwargs` and `varargs` are parameters of a macro whose body uses them.
NameRef Binder::special_parameter(MacroBody& body, Symbols& symbols, const std::string& name) {
  if (!uses_name(body.body, name)) return {};
  for (const auto& parameter : body.parameters) {
    if (parameter.name != name) continue;
    if (name == "caller" && parameter.otherwise == nullptr)
      fail_at(line_, FailureKind::syntax,
              "When defining macros or call blocks the special \"caller\" argument must be omitted "
              "or be given a default.");
    return {};
  }
  return {symbols.declare_parameter(name), 0};
}

void Binder::macro(MacroBody& body) {
  function_around().has_inner = true;
  body.function = table_.new_function();
  Symbols symbols(symbols_, body.function);
  Collector collector(symbols);
  for (auto& parameter : body.parameters) {
    parameter.ref = {symbols.declare_parameter(parameter.name), 0};
    if (parameter.name == "caller") body.explicit_caller = true;
  }
  body.caller = special_parameter(body, symbols, "caller");
  body.kwargs = special_parameter(body, symbols, "kwargs");
  body.varargs = special_parameter(body, symbols, "varargs");
  for (auto& parameter : body.parameters) collector.expr(parameter.otherwise);
  collector.block(body.body);
  keep_scope(body.scope, symbols);
  Binder binder = inner(symbols);
  for (auto& parameter : body.parameters) binder.expr(parameter.otherwise);
  binder.block(body.body);
}

}  // namespace

void bind(Program& program) {
  VariableTable table(program);
  table.new_function();
  Symbols symbols(table);
  if (uses_name(program.body, "self")) program.self = {symbols.declare_parameter("self"), 0};
  Collector(symbols).block(program.body);
  program.scope = symbols.scope();
  table.add_scope(program.scope);
  Binder(program, table, symbols, false).block(program.body);
  table.place_variables();
}

}  // namespace tare::text::jinja
