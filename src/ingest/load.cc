#include "ingest/load.h"

#include "base/text.h"
#include "base/try.h"

namespace planex::ingest {
namespace {

// Facts that a metadata file says of the engine itself.
void take_engine_facts(model::ModelBuilder& builder) {
  model::PlanModel& model = builder.model();
  const base::StringId device_key = builder.strings().intern("Selected Device");
  for (std::size_t row = 0; row < model.metadata.row_count(); ++row) {
    if (model.metadata.key[row] == device_key && model.engine.device.is_null(0)) {
      model.engine.device.set(0, model.metadata.value[row]);
    }
  }
}

}  // namespace

Result<model::PlanModel> load(const LoadRequest& request, const base::FileSource& source) {
  PLANEX_ASSIGN(const Discovery discovery, discover(request, source));
  return load(discovery, source);
}

Result<model::PlanModel> load(const Discovery& discovery, const base::FileSource& source) {
  model::ModelBuilder builder;
  model::EngineTable& engine = builder.model().engine;
  engine.name.set(0, builder.strings().intern(discovery.engine_name));
  engine.profile_index.set(0, discovery.profile_index);
  for (const FoundFile& file : discovery.files) {
    if (!file.used) continue;
    const auto access =
        file.reader->part == Part::kSource ? base::Access::kSparse : base::Access::kWhole;
    PLANEX_ASSIGN(auto bytes, source.read(file.path, access));
    Artefact artefact{.path = file.path, .bytes = std::move(bytes)};
    artefact.file_row =
        builder.add_file(file.path, file.reader->id, file.evidence, artefact.bytes->view().size());
    if (file.is_engine) {
      engine.importer.set(0, builder.strings().intern(file.reader->importer));
    }
    auto read = file.reader->read(artefact, builder);
    if (read) continue;
    Error error = std::move(read).error();
    if (!file.evidence.starts_with("named") && !file.is_engine) {
      // Half of its times would give wrong shares, so there is no going on without a word.
      if (!error.hint.empty()) error.hint += "; ";
      error.hint += "to see the engine without this file, move it away";
    }
    return fail(std::move(error));
  }
  take_engine_facts(builder);
  return builder.finish();
}

}  // namespace planex::ingest
