// The files that a user writes for lint: waivers, baselines, rules of their own. They are read
// unchanged; the code that uses them checks their meaning. JSON Schemas: docs/reference/json/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

// planex.waivers/1. Missing texts are empty.
struct WaiverRecord {
  std::string rule, layer, layer_regex, fingerprint, reason, by, expires;
};

// planex.baseline/1.
struct BaselineRecord {
  std::string rule, fingerprint, layer, message;
};
struct BaselineFile {
  std::string reason;
  std::vector<BaselineRecord> findings;
};

// planex.rules/1. `sql` can be a text, or a list of lines.
struct RuleRecord {
  std::string id, pack, severity, summary, rationale, fix, source, sql, message;
};

// Errors: kBadInput with file, pointer and offset; also for an unknown key, because a misspelled
// one would go unnoticed. kUnsupported: a later version. Cost: O(size).
Result<std::vector<WaiverRecord>> read_waivers(const Artefact& artefact);
// The offset of the bracket that closes the list of waivers: further ones are inserted before it,
// so that the user's own text stays unchanged.
Result<std::size_t> end_of_waivers(const Artefact& artefact);
Result<BaselineFile> read_baseline(const Artefact& artefact);
Result<std::vector<RuleRecord>> read_rules(const Artefact& artefact);

}  // namespace planex::ingest
