#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "core/document.h"
#include "core/task.h"

/// The parts that filters.cpp is made of.
namespace tare::score {

using Responses = std::vector<base::Value>;

/// One filter. An error does not name it: the caller does.
struct Filter {
  /// Checks the arguments. The task is not read, so nothing here depends on responses.
  using Check = base::Status (*)(const base::Value& arguments);
  using Apply = base::Result<Responses> (*)(const base::Value& arguments, Responses responses,
                                            std::span<const core::Document> documents);
  std::string_view name;
  Apply apply;
  Check check = nullptr;
  std::array<std::string_view, 6> arguments = {};  ///< the empty ones do not exist
  bool ignores_others = false;                     ///< other arguments are taken and not used
};

std::span<const Filter> selection_filters();
std::span<const Filter> text_filters();
std::span<const Filter> regex_filters();
std::span<const Filter> choice_filters();
std::span<const Filter> letter_filters();
std::span<const Filter> tagging_filters();

/// What a Python loop over the value sees: the items of a list or tuple, the characters of a str.
base::Result<base::List> elements(const base::Value& value);

/// "request 3: " before an error.
base::Failure at_request(std::size_t request, base::Error error);

/// Makes a list of each response by applying `make` to its elements.
base::Result<Responses> map_elements(
    Responses responses, const std::function<base::Result<base::Value>(const base::Value&)>& make);

/// The argument, or what stands for it when it is not given.
base::Value argument(const base::Value& arguments, std::string_view name,
                     const base::Value& otherwise);

/// Whether Python could use the value as a key.
bool hashable(const base::Value& value);

}  // namespace tare::score
