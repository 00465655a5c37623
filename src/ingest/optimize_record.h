// optimize.json: the record of `planex optimize` (planex.optimize/1), for reports that show it.
#pragma once

#include <string>

#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

struct OptimizeRecord {
  // The record as JSON without blanks. It is passed on and not taken apart: what a report shows of
  // it is said once, where it is written (render/fields/optimize.cc).
  std::string json;
  // Path of the model that was optimized; empty: it names none.
  std::string model;
  // Of that model, in hexadecimal digits; empty: an older record.
  std::string model_sha256;
};

// Errors: kBadInput (not JSON, another schema), kUnsupported (a newer one).
Result<OptimizeRecord> read_optimize_record(const Artefact& artefact);

}  // namespace planex::ingest
