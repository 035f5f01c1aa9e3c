#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace tare::data {

struct Field;

/// The type of a column: the part of Arrow's type system that rows of Values can tell apart.
struct Type {
  enum class Kind {
    null,  ///< nothing but None so far
    boolean,
    integer,
    real,
    timestamp,  ///< seconds without a time zone
    string,
    list,
    structure,
    json,  ///< values of mixed types, each as it stands in the file
  };

  Kind kind = Kind::null;
  std::vector<Field> fields;        ///< structure: its fields; list: one, the items
  std::vector<std::string> labels;  ///< integer: what the numbers stand for, where a card says so

  [[nodiscard]] const Type& item() const;
  [[nodiscard]] const Field* find(std::string_view name) const;
};

struct Field {
  base::Value name;  ///< a string; every row shares it as its key
  Type type;
};

inline const Type& Type::item() const {
  return fields.front().type;
}

bool operator==(const Type& a, const Type& b);

Type list_of(Type item);

/// "int64", "list of string", "struct of a: int64, b: null": Arrow's words, for error texts.
std::string describe(const Type& type);

/// Rows whose columns got their types together: a file, or as much of one as `datasets` types at
/// once.
struct Batch {
  Type schema;  ///< a structure
  base::List rows;
  std::vector<std::string> left_out;  ///< "name: type" of columns that no Value can hold
};

}  // namespace tare::data
