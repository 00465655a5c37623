#include "ingest/openvino/version.h"

#include "base/text.h"

namespace planex::ingest::openvino {

void set_producer_version(std::string_view written, model::ModelBuilder& builder) {
  const std::string_view release = written.substr(0, written.find('-'));
  model::EngineTable& engine = builder.model().engine;
  if (release.empty() || !engine.producer_version.is_null(0)) return;
  engine.producer_version.set(0, builder.strings().intern(release));
  engine.version_evidence.set(0, builder.strings().add(base::format("OpenVINO says {}", written)));
}

}  // namespace planex::ingest::openvino
