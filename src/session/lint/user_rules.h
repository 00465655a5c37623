// Rules that a user wrote: SQL that finds layers, and a message made from its columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ingest/lint_files.h"
#include "lint/run.h"
#include "model/plan_model.h"
#include "planex/error.h"

namespace planex::session {

// Maximum findings of one rule; more are an error, as nobody would read them.
inline constexpr std::size_t kMaxUserFindings = 200'000;

// A file of rules (planex.rules/1).
struct UserRulesFile {
  std::string path;
  std::vector<ingest::RuleRecord> records;
  std::vector<lint::UserRule> rules;  // parallel; without findings
};

// Errors: those of the file; kBadInput with the place: an id that is invalid or taken, a pack or a
// severity that does not exist, a message with an unmatched brace.
Result<UserRulesFile> read_user_rules(const std::string& path);
// The same for an open file.
Result<UserRulesFile> check_user_rules(const ingest::Artefact& file);

// Runs those that are selected and apply to the engine.
// Errors: kBadInput with the file and the place: an error in the SQL, no column layer_id, values
// that are not a layer or not a time, a column that the message names but the SQL does not return,
// too many rows, too slow.
Result<std::shared_ptr<const lint::UserRules>> run_user_rules(UserRulesFile file,
                                                              const model::PlanModel& model,
                                                              const lint::Selection& selection,
                                                              double max_seconds);

}  // namespace planex::session
