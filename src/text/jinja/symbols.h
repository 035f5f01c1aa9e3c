#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "text/jinja/ast.h"

namespace tare::text::jinja {

/// Hands out the variables of a program. Two sibling scopes of one function and depth share the
/// variables of equal names, as Jinja2's generated Python functions do.
class VariableTable {
 public:
  explicit VariableTable(Program& program) : program_(program) {}

  /// The variable `name` of `function` at nesting depth `level`; `space` keeps scopes apart that
  /// live side by side (the condition of a loop and its body).
  int variable(const std::string& name, int function, int space, int level);
  void mark_stored(int variable) { at(variable).stored = true; }
  [[nodiscard]] Variable& at(int variable) {
    return program_.variables[static_cast<std::size_t>(variable)];
  }
  int new_function();
  int new_space() { return ++spaces_; }
  /// Remembers a scope of the program, for place_variables.
  void add_scope(Scope& scope) { scopes_.push_back(&scope); }
  /// The last step: variables that are set get a slot in the frame of their function, the others
  /// are names of the context, and scopes need not fill those.
  void place_variables();

 private:
  Program& program_;
  std::map<std::tuple<int, int, int, std::string>, int> known_;
  int spaces_ = 0;
  std::vector<Scope*> scopes_;
};

/// What one scope knows about names: which variable each name stands for, and where the variables
/// that belong to the scope get their value when it is entered. The rules are those of Jinja2's
/// identifier tracking: a name belongs to the innermost scope that assigns to it, from the start of
/// that scope on.
class Symbols {
 public:
  /// The scope of the whole template.
  explicit Symbols(VariableTable& table) : table_(table) {}
  /// A scope inside `parent`; in the same function unless one is given.
  Symbols(const Symbols& parent, int function, int space = 0);

  void load(const std::string& name);
  void store(const std::string& name);
  /// A name that whoever enters the scope sets: a loop variable, a parameter.
  int declare_parameter(const std::string& name);
  /// Merges what the branches of an if statement, begun as copies of this scope, have found.
  void merge_branches(std::span<const Symbols> branches);

  /// The variable of `name`, seen from this scope. The name has been loaded or stored before.
  [[nodiscard]] NameRef find(const std::string& name) const;
  /// The variables to fill on entry.
  [[nodiscard]] Scope scope() const;
  [[nodiscard]] int function() const { return function_; }
  [[nodiscard]] int function_depth() const { return function_depth_; }

 private:
  enum class From { parameter, context, outer, nothing };
  struct Load {
    From from = From::nothing;
    NameRef outer;
  };

  int define(const std::string& name, Load load);
  void set_load(int variable, Load load);
  [[nodiscard]] bool known(const std::string& name) const { return find(name).variable >= 0; }
  [[nodiscard]] NameRef find_outside(const std::string& name) const;

  VariableTable& table_;
  const Symbols* parent_ = nullptr;
  int function_ = 0;
  int function_depth_ = 0;  ///< functions around this one
  int space_ = 0;
  int level_ = 0;
  std::map<std::string, int> variables_;
  std::vector<std::pair<int, Load>> loads_;
  std::set<std::string> stores_;
};

}  // namespace tare::text::jinja
