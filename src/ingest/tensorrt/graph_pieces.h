// Large layer files are read in pieces: documents that contain some of the layers each.
//
// A piece and the parser's index of it stay in the processor's cache, while those of a whole file
// are as large as the file; and two pieces can be read in parallel. The end of a record is guessed
// from how the first one begins. If every piece is JSON with all its brackets closed, the guess is
// right, so everything shown is the same as after reading the file as a whole.
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
  // Smaller files are read as a whole.
  std::size_t min_file_bytes = std::size_t{2} << 20;
  // Fits in a core's own cache together with the parser's index.
  std::size_t piece_bytes = std::size_t{192} << 10;
};

// The file cut at commas between layers: from its beginning to the first cut, from after each cut
// to the next one, and from after the last one to the end. One range if it can't be cut: it is
// small, or does not begin like an engine with a list of layers.
std::vector<ByteRange> pieces_of(std::string_view text, const PieceSizes& sizes);

// Reads pieces into its own builder, whose texts point into the artefact's bytes.
class PieceReader {
 public:
  // Whether the pieces begin with the file's first one.
  enum class From : std::uint8_t { kBegin, kMiddle };

  PieceReader(const Artefact& artefact, model::ModelBuilder& builder, GraphDocuments& documents,
              From from);

  // Returns false if the piece contains something that a reader of the whole file would treat
  // differently: an error, or a message that is reported once per file or with its location in the
  // file. The file must then be read as a whole.
  bool read(ByteRange piece);

 private:
  // Whether a reader of the whole file would also report the diagnostic.
  bool holds_for_whole(std::size_t diagnostic) const;

  // A copy of a piece with the brackets that make it a document.
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
