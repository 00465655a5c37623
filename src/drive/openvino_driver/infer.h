// Runs the passes of a job: models in parallel, sample by sample.
#pragma once

#include <string>

#include "drive/openvino_driver/measure.h"
#include "planex/error.h"

namespace planex::drive {

// Reads planex.inference-job/1 and writes its result beside it (result_file_of()). `phase` names
// the current step: read, compile, infer or write; it is also valid after an error.
// Errors: kNotFound, kBadInput, kUnsupported, kExternalTool (OpenVINO's words), kIo; file is set if
// the error is about a file.
Result<void> run_inference_job(const std::string& job_file, const Report& report,
                               std::string& phase);

}  // namespace planex::drive
