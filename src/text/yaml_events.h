#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "text/yaml.h"

/// libyaml, the parser behind PyYAML's CSafeLoader, as a source of plain values.
namespace tare::text::yaml {

struct Event {
  enum class Kind {
    stream_end,
    document_start,
    alias,
    scalar,
    sequence_start,
    sequence_end,
    mapping_start,
    mapping_end,
    other,
  };
  Kind kind = Kind::other;
  Mark mark;
  std::string anchor;  ///< of a node, or what an alias names; empty: none
  std::string tag;     ///< in full ("tag:yaml.org,2002:str"); empty: none
  std::string text;    ///< of a scalar
  bool plain = false;  ///< the scalar has neither quotes nor a tag
};

/// Reads the events of a text, which has to outlive it.
class EventReader {
 public:
  explicit EventReader(std::string_view text);
  /// The error is "LINE:COL: what".
  base::Result<Event> next();

 private:
  struct Parser;
  struct Free {
    void operator()(Parser* parser) const;
  };
  std::unique_ptr<Parser, Free> parser_;
};

}  // namespace tare::text::yaml
