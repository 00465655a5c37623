// The log of trtexec, or of another program that passes on messages of TensorRT or TensorRT-RTX.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

// Recognized by lines that no other program has, anywhere in the log: log_sniffer.cc.
Confidence sniff_log(std::string_view head);
// From the command lines in the banners; runs without one are left out.
std::vector<LoggedRun> logged_runs(std::string_view text);
// Counted like --run.
MeasuredRuns measured_runs(std::string_view text);
Result<void> read_log(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
