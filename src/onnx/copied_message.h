// A protobuf message with some of its fields changed, and the bytes of the others as they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/try.h"
#include "onnx/wire.h"
#include "planex/error.h"

namespace planex::onnx {

// `change(field, text)` may append to `text`; true: that is all of the field. Errors: kBadInput
// (damaged), those of `change`.
template <typename Change>
Result<std::string> copied(std::string_view message, Change change) {
  std::string text;
  WireReader reader({message, 0});
  Field next;
  for (std::uint64_t start = 0; reader.next(next); start = reader.offset()) {
    PLANEX_ASSIGN(const bool is_changed, change(next, text));
    if (!is_changed) text += message.substr(start, reader.offset() - start);
  }
  PLANEX_TRY(reader.status());
  return text;
}

}  // namespace planex::onnx
