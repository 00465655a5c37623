// Reads a device table: planex.devices/1, the format of data/devices.json.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/files.h"
#include "model/device_table.h"
#include "planex/error.h"

namespace planex::ingest {

// The text of data/devices.json, embedded when planex was built.
std::string_view built_in_devices();

// {"schema": "planex.devices/1",
//  "devices": [{"name", "aliases": [], "compute_capability", "sm_count", "boost_mhz",
//               "memory_gb_per_s", "matrix_tflops": {"FP16": 312, ...}, "vector_tflops": {...},
//               "source", "note"}, ...],
//  "architectures": [{"compute_capability", "name", "matrix_fma": {...}, "vector_fma": {...},
//                     "source", "note"}, ...]}
// Only names are required; unknown keys are skipped, so a table can contain more.
// Errors: kBadInput with file, pointer and offset: not such a document, a rate of an unknown type,
// a rate that is not above zero.
Result<model::DeviceTable> read_device_table(const std::string& file,
                                             std::shared_ptr<const base::Bytes> bytes);

}  // namespace planex::ingest
