// The source model of an engine, in ONNX.
#ifndef PLANEX_INGEST_ONNX_ONNX_READER_H_
#define PLANEX_INGEST_ONNX_ONNX_READER_H_

#include "ingest/reader.h"

namespace planex::ingest::onnx {

Confidence sniff_model(std::string_view head);
Result<void> read_model(const Artefact& artefact, model::ModelBuilder& builder);

}  // namespace planex::ingest::onnx

#endif  // PLANEX_INGEST_ONNX_ONNX_READER_H_
