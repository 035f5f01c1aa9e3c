#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/document.h"
#include "task/function.h"
#include "text/jinja/jinja.h"

namespace tare::task {

/// What a doc_to_* key says, made ready to be asked for each document: a constant, a column, a
/// template, or a function.
class DocField {
 public:
  /// `columns` are those of the evaluated split. A text that equals one of them means that column,
  /// any other text is a template. `functions` run a !function; none is needed without one.
  static base::Result<DocField> compile(const base::Value& value,
                                        const std::vector<std::string>& columns,
                                        core::Functions* functions);

  struct Answer {
    base::Value value;
    bool rendered = false;  ///< a template's output, which may still stand for a number or a list
  };
  [[nodiscard]] base::Result<Answer> ask(const core::Document& document) const;

 private:
  struct Column {
    std::string name;
  };
  std::variant<base::Value, Column, text::jinja::Template, Callable> form_;
};

/// A description or a few-shot gen_prefix: the value under that key if the document has one, else a
/// template; nothing where the key is null or "".
class OptionalText {
 public:
  static base::Result<OptionalText> compile(const base::Value& value);
  /// The value or the rendered text; none for nothing.
  [[nodiscard]] base::Result<base::Value> ask(const core::Document& document) const;

 private:
  std::string source_;
  std::optional<text::jinja::Template> template_;
};

/// doc_to_text, doc_to_target and doc_to_choice of a task, or of its few-shot examples.
struct DocFields {
  std::optional<DocField> text, target, choice;
  /// The task has a doc_to_choice: rendered digits are an index.
  bool digits_are_index = false;
};

/// One key of a document: an error of `ask` gets the task, the key and the document before it.
struct Place {
  std::string task;
  std::string_view document;  ///< "document" or "few-shot document"
  std::size_t id = 0;

  [[nodiscard]] base::Failure error(std::string_view field, base::Error cause) const;
  [[nodiscard]] base::Failure error(std::string_view field, std::string text) const;
};

/// What a document asks and which answer is right.
struct Question {
  base::Value text;                  ///< a string; an index in multiple-input tasks
  base::Value target;                ///< an index, a string, a list, or whatever the column holds
  std::vector<std::string> choices;  ///< empty without doc_to_choice
};

base::Result<Question> ask_document(const DocFields& fields, const core::Document& document,
                                    const Place& place);

/// The text of the question; in multiple-input tasks that of the choice it names.
base::Result<std::string> question_text(const Question& question, bool multiple_input,
                                        const Place& place);

/// The text, or "" for a value that Python counts as false; any other value is an error.
base::Result<std::string> text_or_nothing(const base::Value& value, std::string_view field,
                                          const Place& place);

/// True for what Python counts as an int: integers and booleans.
bool is_index(const base::Value& value);
std::int64_t as_index(const base::Value& value);

}  // namespace tare::task
