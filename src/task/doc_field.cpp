#include "task/doc_field.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/python.h"
#include "base/unicode.h"
#include "task/field_table.h"

namespace tare::task {
namespace {

using base::List;
using base::Result;
using base::Value;
using core::Document;
using text::jinja::Template;

std::string missing_column(const Document& document, const std::string& name) {
  std::vector<std::string> columns;
  for (const auto& [key, value] : document.as_dict()) columns.push_back(base::python::str(key));
  return fmt::format("the document has no column '{}', only {}", name, fmt::join(columns, ", "));
}

/// Digits stand for an index where the task has choices.
Result<Value> text_value(DocField::Answer answer, bool digits_are_index) {
  if (!answer.rendered || !digits_are_index || !base::unicode::is_digit(answer.value.as_string()))
    return std::move(answer.value);
  return base::python::parse_literal(answer.value.as_string());
}

/// As text, and "[…]" is a list if Python can read it as a literal.
Result<Value> target_value(DocField::Answer answer, bool digits_are_index) {
  if (!answer.rendered) return std::move(answer.value);
  const std::string& text = answer.value.as_string();
  if (digits_are_index && base::unicode::is_digit(text)) return base::python::parse_literal(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return answer.value;
  auto literal = base::python::parse_literal(text);
  return literal ? std::move(*literal) : answer.value;
}

Result<Value> choice_list(DocField::Answer answer) {
  if (answer.rendered) return base::python::parse_literal(answer.value.as_string());
  return std::move(answer.value);
}

Result<std::vector<std::string>> choice_texts(const Value& list) {
  if (!list.is_sequence())
    return base::input_error(fmt::format("found {}, wanted a list of texts", describe_value(list)));
  std::vector<std::string> texts;
  for (const Value& choice : list.items()) {
    if (!choice.is_string())
      return base::input_error(
          fmt::format("choice {} is {}, wanted a text", texts.size(), describe_value(choice)));
    texts.push_back(choice.as_string());
  }
  return texts;
}

Value choice_constant(const Value& value) {
  if (!value.is_dict()) return value;
  List values;
  for (const auto& [key, item] : value.as_dict()) values.push_back(item);
  return values;
}

}  // namespace

Result<DocField> DocField::compile(const Value& value, const std::vector<std::string>& columns,
                                   core::Functions* functions) {
  DocField field;
  if (auto function = resolved_function(value)) {
    field.form_ = Callable{std::move(*function), functions};
  } else if (!value.is_string()) {
    field.form_ = choice_constant(value);
  } else if (std::ranges::find(columns, value.as_string()) != columns.end()) {
    field.form_ = Column{value.as_string()};
  } else {
    TARE_TRY(field.form_, Template::parse(value.as_string()));
  }
  return field;
}

Result<DocField::Answer> DocField::ask(const Document& document) const {
  if (const auto* constant = std::get_if<Value>(&form_)) return Answer{*constant, false};
  if (const auto* column = std::get_if<Column>(&form_)) {
    const Value* value = document.find(column->name);
    if (value == nullptr) return base::input_error(missing_column(document, column->name));
    return Answer{*value, false};
  }
  if (const auto* callable = std::get_if<Callable>(&form_)) {
    TARE_TRY(Value value, callable->call(core::FunctionUse::document_field, {&document, 1}));
    return Answer{std::move(value), false};
  }
  TARE_TRY(std::string text, std::get<Template>(form_).render(document));
  return Answer{std::move(text), true};
}

Result<OptionalText> OptionalText::compile(const Value& value) {
  OptionalText field;
  if (!value.truthy()) return field;
  if (!value.is_string())
    return base::input_error(
        fmt::format("found {}, wanted a text (no function)", describe_value(value)));
  field.source_ = value.as_string();
  TARE_TRY(field.template_, Template::parse(field.source_));
  return field;
}

Result<Value> OptionalText::ask(const Document& document) const {
  if (!template_) return Value{};
  if (const Value* value = document.find(source_)) return *value;
  TARE_TRY(std::string text, template_->render(document));
  return Value(std::move(text));
}

base::Failure Place::error(std::string_view field, base::Error cause) const {
  return base::in_context(fmt::format("task {}: {}: {} {}", task, field, document, id),
                          std::move(cause));
}

base::Failure Place::error(std::string_view field, std::string text) const {
  return error(field, base::Error{base::ErrorKind::input, std::move(text)});
}

Result<Question> ask_document(const DocFields& fields, const Document& document,
                              const Place& place) {
  Question question;
  const bool index = fields.digits_are_index;
  auto text = fields.text->ask(document).and_then(
      [&](DocField::Answer answer) { return text_value(std::move(answer), index); });
  if (!text) return place.error("doc_to_text", text.error());
  question.text = std::move(*text);
  auto target = fields.target->ask(document).and_then(
      [&](DocField::Answer answer) { return target_value(std::move(answer), index); });
  if (!target) return place.error("doc_to_target", target.error());
  question.target = std::move(*target);
  if (!fields.choice) return question;
  auto choices = fields.choice->ask(document).and_then(choice_list).and_then(choice_texts);
  if (!choices) return place.error("doc_to_choice", choices.error());
  question.choices = std::move(*choices);
  return question;
}

Result<std::string> question_text(const Question& question, bool multiple_input,
                                  const Place& place) {
  const Value& text = question.text;
  if (!multiple_input) {
    if (text.is_string()) return text.as_string();
    return place.error("doc_to_text", fmt::format("found {}, wanted a text", describe_value(text)));
  }
  const bool index = is_index(text) && as_index(text) >= 0 &&
                     static_cast<std::size_t>(as_index(text)) < question.choices.size();
  if (index) return question.choices[static_cast<std::size_t>(as_index(text))];
  return place.error("doc_to_text", fmt::format("found {}, wanted an index of the {} choices",
                                                describe_value(text), question.choices.size()));
}

Result<std::string> text_or_nothing(const Value& value, std::string_view field,
                                    const Place& place) {
  if (!value.truthy()) return std::string();
  if (value.is_string()) return value.as_string();
  return place.error(field, fmt::format("found {}, wanted a text", describe_value(value)));
}

bool is_index(const Value& value) {
  return value.is_int() || value.is_bool();
}

std::int64_t as_index(const Value& value) {
  return value.is_bool() ? std::int64_t(value.as_bool()) : value.as_int();
}

}  // namespace tare::task
