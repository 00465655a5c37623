// Reads a device table: planex.devices/1, as data/devices.json is.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/files.h"
#include "model/device_table.h"
#include "planex/error.h"

namespace planex::ingest {

// The text of data/devices.json, as it was when planex was built.
std::string_view built_in_devices();

// {"schema": "planex.devices/1",
//  "devices": [{"name", "aliases": [], "compute_capability", "sm_count", "boost_mhz",
//               "memory_gb_per_s", "matrix_tflops": {"FP16": 312, ...}, "vector_tflops": {...},
//               "source", "note"}, ...],
//  "architectures": [{"compute_capability", "name", "matrix_fma": {...}, "vector_fma": {...},
//                     "source", "note"}, ...]}
// Only names are needed; other keys are skipped, so that a table can carry more.
// Errors: kBadInput with file, pointer and offset: no such document, a rate of a type that is not
// known, a rate that is not above zero.
Result<model::DeviceTable> read_device_table(const std::string& file,
                                             std::shared_ptr<const base::Bytes> bytes);

}  // namespace planex::ingest
