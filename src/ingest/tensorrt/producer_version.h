// Which TensorRT wrote a layer file.
//
// No release writes its version into the file; the keys it uses tell the era. The order of keys
// would tell more, but tools that write JSON again change it.
#pragma once

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Keys and types that not all releases write.
struct Era {
  bool dynamic_filter = false;        // 8.5 on
  bool stream_or_metadata = false;    // 8.6 on
  bool expanded_myelin = false;       // 10 on: the kernels of a Myelin block are records
  bool strides_or_constants = false;  // 11 on
};

struct VersionHints {
  Era era;
  bool saw_io_tensors = false;  // the list of 11 on
  bool saw_records = false;     // more than names of layers
};

// Sets engine.producer_version and version_evidence, where anything is known.
void set_producer_version(const VersionHints& hints, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
