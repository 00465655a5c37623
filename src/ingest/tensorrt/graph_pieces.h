// Large layer files are read in pieces: documents with some of the layers each.
//
// A piece and the parser's index of it stay in the processor's cache, where those of a whole file
// are as large as the file; and two can be read at once. Where a record ends is guessed from how
// the first one begins. That every piece is JSON with all its brackets closed proves the guess, so
// the result is that of reading the file as a whole, in all that is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ingest/json_input.h"
#include "ingest/tensorrt/graph_documents.h"
#include "model/builder.h"

namespace planex::ingest::tensorrt {

struct PieceSizes {
  // Files below this are read as a whole.
  std::size_t min_file_bytes = std::size_t{2} << 20;
  // Fits a core's own cache together with the parser's index.
  std::size_t piece_bytes = std::size_t{192} << 10;
};

// The file cut at commas between layers: from its begin up to the first cut, from behind each cut
// up to the next one, and from behind the last one to its end. One range where it can't be cut: it
// is small, or does not begin as an engine with a list of layers.
std::vector<ByteRange> pieces_of(std::string_view text, const PieceSizes& sizes);

// Reads pieces into a builder of their own, whose texts point into the artefact's bytes.
class PieceReader {
 public:
  // Whether the pieces begin with the file's first one.
  enum class From : std::uint8_t { kBegin, kMiddle };

  PieceReader(const Artefact& artefact, model::ModelBuilder& builder, GraphDocuments& documents,
              From from);

  // Says no where something is in the piece that a reader of the whole file would treat otherwise:
  // an error, or what is said once a file or with its place in the file. The file must then be
  // read as a whole.
  bool read(ByteRange piece);

 private:
  // Whether a diagnostic is what a reader of the whole file would say too.
  bool holds_for_whole(std::size_t diagnostic) const;

  // A copy of a piece with the brackets that make a document of it.
  class Copy;

  const Artefact& artefact_;
  model::ModelBuilder& builder_;
  GraphDocuments& documents_;
  From from_;
  std::shared_ptr<Copy> copy_;
  Artefact document_;
  JsonInput input_;
};

}  // namespace planex::ingest::tensorrt
