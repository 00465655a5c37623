// The files that a user writes for lint: waivers, baselines, rules of their own. As written; what
// they mean is checked by those who use them. JSON Schemas: docs/reference/json/.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader.h"
#include "planex/error.h"

namespace planex::ingest {

// planex.waivers/1. Texts that are not there are empty.
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

// planex.rules/1. `sql` may be a text, or a list of lines.
struct RuleRecord {
  std::string id, pack, severity, summary, rationale, fix, source, sql, message;
};

// Errors: kBadInput with file, pointer and offset; also for a key that does not exist, as a
// misspelt one would go unnoticed. kUnsupported: of a later version.
// Cost: O(size).
Result<std::vector<WaiverRecord>> read_waivers(const Artefact& artefact);
// Where the bracket stands that closes the list of waivers, as an offset into the file: further
// ones are put before it, so that what people wrote stays as they wrote it.
Result<std::size_t> end_of_waivers(const Artefact& artefact);
Result<BaselineFile> read_baseline(const Artefact& artefact);
Result<std::vector<RuleRecord>> read_rules(const Artefact& artefact);

}  // namespace planex::ingest
