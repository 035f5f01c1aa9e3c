#include "text/yaml_events.h"

#include <fmt/format.h>
#include <yaml.h>

namespace tare::text::yaml {
namespace {

Mark mark_of(const yaml_mark_t& mark) {
  return {static_cast<int>(mark.line) + 1, static_cast<int>(mark.column) + 1};
}

std::string text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

Event node(Event::Kind kind, const yaml_char_t* anchor, const yaml_char_t* tag) {
  Event event;
  event.kind = kind;
  event.anchor = text_of(anchor);
  event.tag = text_of(tag);
  return event;
}

Event scalar(const yaml_event_t& raw) {
  const auto& data = raw.data.scalar;
  Event event = node(Event::Kind::scalar, data.anchor, data.tag);
  event.text.assign(reinterpret_cast<const char*>(data.value), data.length);
  event.plain = data.plain_implicit != 0;
  return event;
}

Event convert(const yaml_event_t& raw) {
  using Kind = Event::Kind;
  switch (raw.type) {
    case YAML_STREAM_END_EVENT:
      return node(Kind::stream_end, nullptr, nullptr);
    case YAML_DOCUMENT_START_EVENT:
      return node(Kind::document_start, nullptr, nullptr);
    case YAML_ALIAS_EVENT:
      return node(Kind::alias, raw.data.alias.anchor, nullptr);
    case YAML_SCALAR_EVENT:
      return scalar(raw);
    case YAML_SEQUENCE_START_EVENT:
      return node(Kind::sequence_start, raw.data.sequence_start.anchor,
                  raw.data.sequence_start.tag);
    case YAML_SEQUENCE_END_EVENT:
      return node(Kind::sequence_end, nullptr, nullptr);
    case YAML_MAPPING_START_EVENT:
      return node(Kind::mapping_start, raw.data.mapping_start.anchor, raw.data.mapping_start.tag);
    case YAML_MAPPING_END_EVENT:
      return node(Kind::mapping_end, nullptr, nullptr);
    default:
      return {};
  }
}

}  // namespace

struct EventReader::Parser {
  yaml_parser_t raw;
};

void EventReader::Free::operator()(Parser* parser) const {
  yaml_parser_delete(&parser->raw);
  delete parser;
}

EventReader::EventReader(std::string_view text) : parser_(new Parser) {
  yaml_parser_initialize(&parser_->raw);
  yaml_parser_set_input_string(&parser_->raw, reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
}

base::Result<Event> EventReader::next() {
  yaml_parser_t& parser = parser_->raw;
  yaml_event_t raw;
  if (yaml_parser_parse(&parser, &raw) == 0) {
    const Mark mark = mark_of(parser.problem_mark);
    const std::string_view problem = parser.problem != nullptr ? parser.problem : "out of memory";
    const std::string context = parser.context != nullptr ? fmt::format(" {}", parser.context) : "";
    return base::input_error(fmt::format("{}:{}: {}{}", mark.line, mark.column, problem, context));
  }
  Event event = convert(raw);
  event.mark = mark_of(raw.start_mark);
  yaml_event_delete(&raw);
  return event;
}

}  // namespace tare::text::yaml
