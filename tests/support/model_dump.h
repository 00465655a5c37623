// A model as text: what goldens hold and what properties compare.
#pragma once

#include <string>

#include "model/plan_model.h"

namespace planex::test {

enum class AttributeOrder { kAsWritten, kSorted };

struct DumpOptions {
  // Of attributes, metadata and events, where the order of keys in the input must not matter.
  AttributeOrder attributes = AttributeOrder::kAsWritten;
  // JSON kept as written loses the blanks between its tokens, and its keys are sorted.
  bool canonical_json = false;
  // JSON kept as written shows values: 1, not 1.0 or 10e-1.
  bool canonical_scalars = false;
  // Leaves out what tells the bytes of a file apart: sizes and offsets.
  bool without_byte_places = false;
};

// All tables with rows, one line a row: `key=value` of every cell that is not null, in the schema's
// order. The same model gives the same text on every machine.
std::string dump(const model::PlanModel& model, const DumpOptions& options = {});

}  // namespace planex::test
