#include "ingest/join_report.h"

#include "base/text.h"

namespace planex::ingest {

using base::format;
using model::Severity;

void JoinReport::finish(const Artefact& artefact, std::size_t joined, std::size_t expected,
                        model::ModelBuilder& builder) const {
  builder.model().files.joined_count.set(artefact.file_row, static_cast<std::int64_t>(joined));
  if (count_ > 0) {
    builder.add_diagnostic(
        {.code = "profile-row-without-layer",
         .message = format("{} of the profile match no layer of the graph, such as {}",
                           base::counted(count_, "row"), base::quoted(example_)),
         .file = artefact.path});
  }
  if (joined < expected) {
    builder.add_diagnostic({.code = "layer-without-time",
                            .severity = joined == 0 ? Severity::kWarning : Severity::kInfo,
                            .message = format("{} of {} have no row in the profile and no time",
                                              expected - joined, base::counted(expected, "record")),
                            .file = artefact.path});
  }
}

}  // namespace planex::ingest
