#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz_model.h"
#include "fuzz_targets.h"
#include "ingest/tensorrt/graph_pieces.h"
#include "ingest/tensorrt/graph_reader.h"
#include "model/builder.h"

namespace planex::fuzz {
namespace {

using ingest::tensorrt::PieceSizes;

constexpr PieceSizes kWhole{.min_file_bytes = static_cast<std::size_t>(-1)};
constexpr PieceSizes kTiny{.min_file_bytes = 0, .piece_bytes = 1};

struct Read {
  model::PlanModel model;
  std::string error;
};

Read read_in_pieces(std::string_view input, const PieceSizes& sizes) {
  model::ModelBuilder builder;
  ingest::Artefact artefact{.path = "input", .bytes = base::make_bytes(input)};
  artefact.file_row = builder.add_file("input", "tensorrt-graph", "fuzzed", input.size());
  const auto done = ingest::tensorrt::read_graph_in_pieces(artefact, builder, sizes);
  if (done) return {.model = builder.finish()};
  const Error& error = done.error();
  return {.error =
              base::format("{} at {}{}", error.message, error.json_pointer,
                           error.byte_offset ? base::format(" ({})", *error.byte_offset) : "")};
}

}  // namespace

std::string run_pieces(std::string_view input) {
  Read whole = read_in_pieces(input, kWhole);
  Read pieces = read_in_pieces(input, kTiny);
  if (whole.error != pieces.error) {
    return base::format("in pieces: {}; as a whole: {}", base::quoted(pieces.error),
                        base::quoted(whole.error));
  }
  if (!whole.error.empty()) return {};
  if (std::string difference = first_difference(whole.model, pieces.model); !difference.empty()) {
    return "in pieces " + difference;
  }
  return use(std::move(pieces.model));
}

}  // namespace planex::fuzz
