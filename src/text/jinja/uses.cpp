#include "text/jinja/uses.h"

#include <algorithm>

#include "text/jinja/ast_walk.h"

namespace tare::text::jinja {
namespace {

/// Walks statements in the order of Jinja2's node fields until it knows what happens to the name
/// first.
class FirstUse {
 public:
  explicit FirstUse(std::string_view name) : name_(name) {}
  [[nodiscard]] bool is_load() const { return found_ == Found::load; }

  void block(Block& body) {
    for (Stmt& statement : body) {
      if (found_ != Found::nothing) return;
      std::visit(*this, statement.node);
    }
  }

  void operator()(Output& s) {
    for (auto& piece : s.pieces) expr(piece.expr);
  }
  void operator()(If& s) {
    for (auto& branch : s.branches) {
      expr(branch.test);
      block(branch.body);
    }
    block(s.otherwise);
  }
  void operator()(For& s) {
    target(s.target);
    expr(s.iterable);
    block(s.body);
    block(s.otherwise);
    expr(s.test);
  }
  void operator()(Set& s) {
    target(s.target);
    expr(s.value);
  }
  void operator()(SetBlock& s) {
    target(s.target);
    expr(s.filter);
    block(s.body);
  }
  void operator()(With& s) {
    for (auto& [name, value] : s.assignments) target(name);
    for (auto& [name, value] : s.assignments) expr(value);
    block(s.body);
  }
  void operator()(FilterBlock& s) {
    block(s.body);
    expr(s.filter);
  }
  void operator()(MacroStmt& s) { macro(s.body); }
  void operator()(CallBlock& s) {
    expr(s.call);
    macro(s.body);
  }
  void operator()(Break&) {}
  void operator()(Continue&) {}

 private:
  enum class Found { nothing, load, store };

  void see(std::string_view name, Found what) {
    if (found_ == Found::nothing && name == name_) found_ = what;
  }
  void expr(ExprPtr& e) {
    if (e == nullptr || found_ != Found::nothing) return;
    if (const auto* name = std::get_if<Name>(&e->node)) see(name->name, Found::load);
    for_each_child(*e, [this](ExprPtr& child) { expr(child); });
  }
  void target(Target& t) {
    if (t.kind == Target::Kind::name) see(t.name, Found::store);
    for (Target& item : t.items) target(item);
  }
  void macro(MacroBody& body) {
    for (auto& parameter : body.parameters) see(parameter.name, Found::store);
    for (auto& parameter : body.parameters) expr(parameter.otherwise);
    block(body.body);
  }

  std::string_view name_;
  Found found_ = Found::nothing;
};

class FirstStore {
 public:
  explicit FirstStore(std::string_view name) : name_(name) {}
  [[nodiscard]] int line() const { return line_; }

  void block(Block& body) {
    for (Stmt& statement : body) {
      const int outer = std::exchange(at_, statement.line);
      std::visit(*this, statement.node);
      at_ = outer;
    }
  }
  void target(const Target& t) {
    if (t.kind == Target::Kind::name && t.name == name_ && line_ == 0) line_ = at_;
    for (const Target& item : t.items) target(item);
  }
  void set_line(int line) { at_ = line; }

  void operator()(If& s) {
    for (auto& branch : s.branches) block(branch.body);
    block(s.otherwise);
  }
  void operator()(For& s) {
    target(s.target);
    block(s.body);
    block(s.otherwise);
  }
  void operator()(Set& s) { target(s.target); }
  void operator()(SetBlock& s) {
    target(s.target);
    block(s.body);
  }
  void operator()(With& s) { block(s.body); }
  void operator()(FilterBlock& s) { block(s.body); }
  void operator()(MacroStmt& s) { block(s.body.body); }
  void operator()(CallBlock& s) { block(s.body.body); }
  void operator()(Output&) {}
  void operator()(Break&) {}
  void operator()(Continue&) {}

 private:
  std::string_view name_;
  int at_ = 0;
  int line_ = 0;
};

}  // namespace

bool uses_name(Block& body, std::string_view name) {
  FirstUse use(name);
  use.block(body);
  return use.is_load();
}

int line_of_store(For& loop, int line, std::string_view name) {
  FirstStore store(name);
  store.set_line(line);
  store(loop);
  return store.line();
}

}  // namespace tare::text::jinja
