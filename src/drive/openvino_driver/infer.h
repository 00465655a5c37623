// Runs the passes of a job: models side by side, sample by sample.
#pragma once

#include <string>

#include "drive/openvino_driver/measure.h"
#include "planex/error.h"

namespace planex::drive {

// Reads planex.inference-job/1 and writes its result beside it (result_file_of()). `phase` names
// what is being done: read, compile, infer or write; it is valid after an error, too.
// Errors: kNotFound, kBadInput, kUnsupported, kExternalTool (OpenVINO's words), kIo; file is set
// where it is about one.
Result<void> run_inference_job(const std::string& job_file, const Report& report,
                               std::string& phase);

}  // namespace planex::drive
