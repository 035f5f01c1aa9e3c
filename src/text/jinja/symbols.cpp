#include "text/jinja/symbols.h"

#include <algorithm>

namespace tare::text::jinja {

int VariableTable::variable(const std::string& name, int function, int space, int level) {
  const auto next = static_cast<int>(program_.variables.size());
  const auto [it, is_new] = known_.try_emplace({function, space, level, name}, next);
  if (is_new) program_.variables.push_back({name, function});
  return it->second;
}

int VariableTable::new_function() {
  program_.functions.emplace_back();
  return static_cast<int>(program_.functions.size()) - 1;
}

void VariableTable::place_variables() {
  std::map<std::string, int> context;
  auto context_name = [&](const std::string& name) {
    const auto next = static_cast<int>(program_.context_names.size());
    const auto [it, is_new] = context.try_emplace(name, next);
    if (is_new) program_.context_names.push_back(name);
    return it->second;
  };
  for (Variable& variable : program_.variables) {
    if (variable.stored) {
      variable.slot = program_.functions[static_cast<std::size_t>(variable.function)].slots++;
      continue;
    }
    variable.context = context_name(variable.name);
  }
  for (Scope* scope : scopes_) {
    std::erase_if(*scope, [&](const ScopeLoad& load) { return !at(load.variable).stored; });
    for (ScopeLoad& load : *scope)
      if (load.from == ScopeLoad::From::context)
        load.context = context_name(at(load.variable).name);
  }
}

Symbols::Symbols(const Symbols& parent, int function, int space)
    : table_(parent.table_),
      parent_(&parent),
      function_(function),
      function_depth_(parent.function_depth_ + (function == parent.function_ ? 0 : 1)),
      space_(space),
      level_(parent.level_ + 1) {}

void Symbols::set_load(int variable, Load load) {
  const auto it = std::find_if(loads_.begin(), loads_.end(),
                               [&](const auto& entry) { return entry.first == variable; });
  if (it == loads_.end())
    loads_.emplace_back(variable, load);
  else
    it->second = load;
}

int Symbols::define(const std::string& name, Load load) {
  const int variable = table_.variable(name, function_, space_, level_);
  variables_[name] = variable;
  set_load(variable, load);
  return variable;
}

NameRef Symbols::find(const std::string& name) const {
  for (const Symbols* scope = this; scope != nullptr; scope = scope->parent_)
    if (const auto it = scope->variables_.find(name); it != scope->variables_.end())
      return {it->second, function_depth_ - scope->function_depth_};
  return {};
}

NameRef Symbols::find_outside(const std::string& name) const {
  if (parent_ == nullptr) return {};
  NameRef ref = parent_->find(name);
  ref.hops += function_depth_ - parent_->function_depth_;
  return ref;
}

void Symbols::load(const std::string& name) {
  if (!known(name)) define(name, {From::context, {}});
}

void Symbols::store(const std::string& name) {
  stores_.insert(name);
  if (!variables_.contains(name)) {
    const NameRef outer = find_outside(name);
    define(name, outer.variable >= 0 ? Load{From::outer, outer} : Load{From::nothing, {}});
  }
  table_.mark_stored(variables_.at(name));
}

int Symbols::declare_parameter(const std::string& name) {
  stores_.insert(name);
  const int variable = define(name, {From::parameter, {}});
  table_.mark_stored(variable);
  return variable;
}

void Symbols::merge_branches(std::span<const Symbols> branches) {
  std::set<std::string> stored;
  for (const Symbols& branch : branches)
    for (const std::string& name : branch.stores_)
      if (!stores_.contains(name)) stored.insert(name);
  for (const Symbols& branch : branches) {
    for (const auto& [name, variable] : branch.variables_) variables_[name] = variable;
    for (const auto& [variable, load] : branch.loads_) set_load(variable, load);
    stores_.insert(branch.stores_.begin(), branch.stores_.end());
  }
  // A name that only some branches set keeps its outer value where they are not taken.
  for (const std::string& name : stored) {
    const NameRef outer = find_outside(name);
    set_load(find(name).variable,
             outer.variable >= 0 ? Load{From::outer, outer} : Load{From::context, {}});
  }
}

Scope Symbols::scope() const {
  Scope scope;
  for (const auto& [variable, load] : loads_) {
    if (load.from == From::parameter) continue;
    const auto from = load.from == From::context ? ScopeLoad::From::context
                      : load.from == From::outer ? ScopeLoad::From::outer
                                                 : ScopeLoad::From::nothing;
    scope.push_back({variable, from, load.outer, -1});
  }
  return scope;
}

}  // namespace tare::text::jinja
