#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "base/value.h"
#include "support/support.h"
#include "task/task.h"

namespace tare::test {

/// Runs `check` on each case of a file in tests/cases/task; failures name the case.
void for_each_case(const std::string& file, const std::function<void(const base::Value&)>& check);

/// The entry of a case, or none.
base::Value at(const base::Value& value, std::string_view key);

/// Writes the files of a case's "files": path to text.
void write_files(const TempDir& folder, const base::Value& files);

/// `text` with the folder's path replaced by DIR, so that expectations can hold whole messages.
std::string without_folder(std::string text, const TempDir& folder);

/// JSON on one line: equal texts mean equal values, kinds and order.
std::string dumped(const base::Value& value);

/// Compares the error's text with the case's "error"; true if the case expects an error.
bool expects_error(const base::Value& test, const base::Error* error, const TempDir& folder);

/// A data set from {"split": [rows]}; columns are the keys of the first row.
core::Dataset dataset_of(const base::Value& splits);

}  // namespace tare::test
