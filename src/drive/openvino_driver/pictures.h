// Makes samples from pictures, in the form that a model expects.
#pragma once

#include <string>

#include "drive/openvino_driver/measure.h"
#include "planex/error.h"

namespace planex::drive {

// Reads planex.picture-job/1 and writes its result beside it (result_file_of()). `phase`: as in
// run_inference_job(), with prepare.
// Errors: kBadInput (the job; no picture could be read), kIo, kExternalTool.
Result<void> run_picture_job(const std::string& job_file, const Report& report, std::string& phase);

}  // namespace planex::drive
