#include "render/fields/documents.h"

#include <vector>

#include "render/fields/blocks.h"
#include "render/fields/compare.h"
#include "render/fields/kernels.h"
#include "render/fields/memory.h"
#include "render/fields/precision.h"
#include "render/fields/quantization.h"
#include "render/fields/reformats.h"
#include "render/fields/speed.h"

namespace planex::render {

std::span<const record::DocumentInfo> described_documents() {
  static const std::vector<record::DocumentInfo> kDocuments = {
      compare_document(),   blocks_document(),       kernels_document(),   memory_document(),
      precision_document(), quantization_document(), reformats_document(), speed_document(),
  };
  return kDocuments;
}

}  // namespace planex::render
