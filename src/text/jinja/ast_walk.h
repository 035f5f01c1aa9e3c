#pragma once

#include <variant>

#include "text/jinja/ast.h"

namespace tare::text::jinja {

/// Calls `visit(ExprPtr&)` for the parts of an expression, in the order in which Jinja2's visitors
/// meet them; parts that are not there are left out.
template <class Visit>
class Children {
 public:
  explicit Children(Visit& visit) : visit_(visit) {}

  void operator()(Literal&) {}
  void operator()(Name&) {}
  void operator()(GetAttribute& e) { one(e.object); }
  void operator()(GetItem& e) { one(e.object), one(e.index); }
  void operator()(GetSlice& e) { one(e.object), one(e.start), one(e.stop), one(e.step); }
  void operator()(Unary& e) { one(e.operand); }
  void operator()(Binary& e) { one(e.left), one(e.right); }
  void operator()(Not& e) { one(e.operand); }
  void operator()(Logic& e) { one(e.left), one(e.right); }
  void operator()(Comparison& e) {
    one(e.first);
    for (auto& link : e.links) one(link.right);
  }
  void operator()(Concat& e) { all(e.parts); }
  void operator()(Conditional& e) { one(e.test), one(e.then), one(e.otherwise); }
  void operator()(Sequence& e) { all(e.items); }
  void operator()(DictLiteral& e) {
    for (auto& [key, value] : e.entries) one(key), one(value);
  }
  void operator()(CallExpr& e) { one(e.callee), arguments(e.arguments); }
  void operator()(FilterExpr& e) { one(e.input), arguments(e.arguments); }
  void operator()(TestExpr& e) { one(e.input), arguments(e.arguments); }

 private:
  void one(ExprPtr& part) {
    if (part != nullptr) visit_(part);
  }
  void all(std::vector<ExprPtr>& parts) {
    for (ExprPtr& part : parts) one(part);
  }
  void arguments(CallArguments& a) {
    all(a.positional);
    for (auto& [name, value] : a.named) one(value);
    one(a.star);
    one(a.double_star);
  }

  Visit& visit_;
};

template <class Visit>
void for_each_child(Expr& expr, Visit visit) {
  std::visit(Children<Visit>(visit), expr.node);
}

}  // namespace tare::text::jinja
