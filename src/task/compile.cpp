#include "task/compile.h"

#include <fmt/format.h>

namespace tare::task {
namespace {

using base::Result;
using base::Value;

Result<DocField> compile_field(const TaskConfig& config, std::string_view name, const Value& value,
                               const std::vector<std::string>& columns,
                               core::Functions* functions) {
  if (value.is_none())
    return base::input_error(fmt::format("task {}: {} is missing", config.task, name));
  auto field = DocField::compile(value, columns, functions);
  if (!field) return base::in_context(field_place(config, name), field.error());
  return field;
}

}  // namespace

std::string field_place(const TaskConfig& config, std::string_view field) {
  const auto origin = config.origins.find(field.substr(0, field.find_first_of(".[")));
  if (origin == config.origins.end()) return fmt::format("task {}: {}", config.task, field);
  return fmt::format("task {}: {}:{}: {}", config.task, origin->second.file.string(),
                     origin->second.line, field);
}

Result<DocFields> compile_fields(const TaskConfig& config, const std::vector<std::string>& columns,
                                 core::Functions* functions) {
  DocFields fields;
  fields.digits_are_index = !config.doc_to_choice.is_none();
  TARE_TRY(fields.text,
           compile_field(config, "doc_to_text", config.doc_to_text, columns, functions));
  TARE_TRY(fields.target,
           compile_field(config, "doc_to_target", config.doc_to_target, columns, functions));
  if (config.doc_to_choice.is_none()) return fields;
  TARE_TRY(fields.choice,
           compile_field(config, "doc_to_choice", config.doc_to_choice, columns, functions));
  return fields;
}

Result<DocFields> compile_fewshot_fields(const TaskConfig& config,
                                         const std::vector<std::string>& columns,
                                         core::Functions* functions) {
  TaskConfig shots = config;
  if (!config.fewshot.doc_to_text.is_none()) shots.doc_to_text = config.fewshot.doc_to_text;
  if (!config.fewshot.doc_to_target.is_none()) shots.doc_to_target = config.fewshot.doc_to_target;
  shots.doc_to_choice =
      config.fewshot.doc_to_choice.truthy() ? config.fewshot.doc_to_choice : Value{};
  TARE_TRY(DocFields fields, compile_fields(shots, columns, functions));
  fields.digits_are_index = !config.doc_to_choice.is_none();
  return fields;
}

Result<OptionalText> compile_text(const TaskConfig& config, std::string_view field,
                                  const Value& value) {
  auto text = OptionalText::compile(value);
  if (!text) return base::in_context(field_place(config, field), text.error());
  return text;
}

}  // namespace tare::task
