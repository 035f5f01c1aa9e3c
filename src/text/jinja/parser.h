#pragma once

#include <memory>
#include <string>

#include "text/jinja/ast.h"

namespace tare::text::jinja {

/// Parses and binds a template. Raises TemplateSyntaxError.
std::shared_ptr<const Program> parse_program(std::string_view source, Options options);

/// Gives every name of a parsed program its place and checks filters and tests; the last step of
/// parse_program.
void bind(Program& program);

}  // namespace tare::text::jinja
