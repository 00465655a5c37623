// The files between planex and planex-openvino: jobs and their results, as JSON.
// docs/reference/inference-jobs.md describes them for other programs.
#pragma once

#include <string>

#include "base/files.h"
#include "drive/inference.h"

namespace planex::drive {

// Where planex-openvino writes the result of a job: "x/job.json" -> "x/job.result.json".
std::string result_file_of(std::string_view job_file);

// By value: one description of the fields serves writing and reading.
std::string job_json(InferenceJob job);           // planex.inference-job/1
std::string result_json(InferenceResult result);  // planex.inference-result/1
std::string job_json(PictureJob job);             // planex.picture-job/1
std::string result_json(PictureResult result);    // planex.picture-result/1

// Missing fields of a job get their defaults; all fields of a result must be there. Unknown fields
// are ignored. `file` is for messages.
// Errors: kBadInput with json_pointer, kUnsupported (another schema).
// Cost: O(bytes).
Result<InferenceJob> read_inference_job(const base::Bytes& bytes, const std::string& file);
Result<InferenceResult> read_inference_result(const base::Bytes& bytes, const std::string& file);
Result<PictureJob> read_picture_job(const base::Bytes& bytes, const std::string& file);
Result<PictureResult> read_picture_result(const base::Bytes& bytes, const std::string& file);

}  // namespace planex::drive
