// planex.plan/1: a whole engine as JSON that any other tool can read and write, and planex too.
// docs/reference/plan-json.md says what is in it.
#pragma once

#include <string>
#include <vector>

#include "model/plan_model.h"
#include "planex/error.h"
#include "render/words/document_sink.h"

namespace planex::render {

// Writes the model piece by piece, one record per line. The same model gives the same bytes. What
// planex derives from the rest is left out, and so are the tables `files` and `findings`. Bytes
// that are not UTF-8 become U+FFFD, as JSON cannot represent them. `hidden_folders` are those of
// JsonWriter::hide_folders. Errors: those of `sink`. Cost: O(size of the model) time, O(longest
// record) memory.
Result<void> write_plan(const model::PlanModel& model, const DocumentSink& sink,
                        const std::vector<std::string>& hidden_folders = {});

}  // namespace planex::render
