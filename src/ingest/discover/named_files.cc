#include "ingest/discover/named_files.h"

namespace planex::ingest {

const std::optional<std::string>& named_file(const LoadRequest& request, Part part) {
  switch (part) {
    case Part::kGraph:
      return request.graph;
    case Part::kProfile:
      return request.profile;
    case Part::kTimes:
      return request.times;
    case Part::kMetadata:
      return request.metadata;
    case Part::kLog:
      return request.log;
    case Part::kKernels:
      return request.nsight;
    case Part::kSource:
      return request.source_model;
    case Part::kAccuracy:
      return request.accuracy;
  }
  return request.graph;
}

}  // namespace planex::ingest
