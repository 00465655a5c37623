// Which TensorRT wrote a layer file.
//
// No release writes its version into the file; the keys it uses show the era. The order of keys
// would show more, but tools that rewrite JSON change it.
#pragma once

#include "model/builder.h"

namespace planex::ingest::tensorrt {

// Keys and types that only some releases write.
struct Era {
  bool dynamic_filter = false;        // since 8.5
  bool stream_or_metadata = false;    // since 8.6
  bool expanded_myelin = false;       // since 10: the kernels of a Myelin block are records
  bool strides_or_constants = false;  // since 11
};

struct VersionHints {
  Era era;
  bool saw_io_tensors = false;  // the list introduced in 11
  bool saw_records = false;     // more than names of layers
};

// Sets engine.producer_version and version_evidence, if anything is known.
void set_producer_version(const VersionHints& hints, model::ModelBuilder& builder);

}  // namespace planex::ingest::tensorrt
