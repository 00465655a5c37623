#include "ingest/discover/parts.h"

namespace planex::ingest {

std::string_view noun_of(Part part) {
  switch (part) {
    case Part::kGraph:
      return "layer file";
    case Part::kProfile:
      return "profile";
    case Part::kTimes:
      return "times file";
    case Part::kMetadata:
      return "metadata file";
    case Part::kLog:
      return "log";
    case Part::kKernels:
      return "trace";
    case Part::kSource:
      return "model";
    case Part::kAccuracy:
      return "record of quantizing";
  }
  return "file";
}

std::string_view option_of(Part part) {
  switch (part) {
    case Part::kGraph:
      return "--graph";
    case Part::kProfile:
      return "--profile";
    case Part::kTimes:
      return "--times";
    case Part::kMetadata:
      return "--metadata";
    case Part::kLog:
      return "--log";
    case Part::kKernels:
      return "--nsight";
    case Part::kSource:
      return "--model";
    case Part::kAccuracy:
      return "--accuracy";
  }
  return {};
}

}  // namespace planex::ingest
