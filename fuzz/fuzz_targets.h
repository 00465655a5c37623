// What is fuzzed: the readers of the registry, and what comes before them. The same functions serve
// libFuzzer (planex_fuzz.cc) and the test that replays the corpus (corpus_test.cc).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"

namespace planex::fuzz {

// The readers' ids, in the order of the registry, after those of fuzz_targets.cc, such as
// "archive".
std::vector<std::string_view> target_names();

bool has_target(std::string_view name);

// Feeds one input to a target. The result is what did not hold although it must, or empty; what a
// sanitizer sees ends the program.
std::string run_target(std::string_view name, std::string_view input);

// The targets; each returns as run_target() does.
std::string run_reader(const ingest::ReaderInfo& reader, std::string_view input);
// An archive, each of its members read; then an engine.
std::string run_archive(std::string_view input);
// A trtexec command of an older TensorRT, moved to 11; then once more.
std::string run_trtexec_command(std::string_view input);
// The list of a capsule; then a capsule that has it.
std::string run_capsule(std::string_view input);
// Packed or oddly encoded text.
std::string run_decode(std::string_view input);
// Files of an engine, found and loaded. Pieces of the input lie between lines of "%%". The first
// is the request: path|graph|profile|times|metadata|log|model|profile index|name, where all but the
// path may be missing. Each other one is a file: its path in the first line, then its content.
std::string run_discover(std::string_view input);
// Jobs of planex-openvino, of models and of pictures; and their results.
std::string run_inference_job(std::string_view input);
std::string run_inference_result(std::string_view input);
// TensorRT's layers, read as a whole and in the smallest pieces: with the same result.
std::string run_pieces(std::string_view input);
// A model with another opset, with small floats and with Q/DQ: what is written can be read.
std::string run_onnx_edit(std::string_view input);
// A model whose Q/DQ are placed, for each target, and those that it has judged.
std::string run_placement(std::string_view input);
// Rules of a user, read and checked; their SQL is not run.
std::string run_rules(std::string_view input);
// Saved tensors (src/arrays): read, and what can be written, written and read again.
std::string run_npy(std::string_view input);
std::string run_npz(std::string_view input);
std::string run_polygraphy(std::string_view input);
std::string run_trtexec_output(std::string_view input);
std::string run_sweep(std::string_view input);
// Waivers, and the same input as a baseline.
std::string run_waivers(std::string_view input);

}  // namespace planex::fuzz
