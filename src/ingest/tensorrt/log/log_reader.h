// The log of trtexec, or of another program that lets TensorRT or TensorRT-RTX speak.
#pragma once

#include "ingest/reader.h"

namespace planex::ingest::tensorrt {

// By lines that no other program has, wherever they stand: log_sniffer.cc.
Confidence sniff_log(std::string_view head);
// From the command lines in the banners; runs without one are left out.
std::vector<LoggedRun> logged_runs(std::string_view text);
// As --run counts them.
MeasuredRuns measured_runs(std::string_view text);
Result<void> read_log(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
