// What `planex optimize` tries, in this order. Each kind is a file of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "drive/trtexec_routes.h"
#include "jobs/data_options.h"
#include "jobs/optimize/recipe.h"
#include "jobs/shop.h"
#include "quantize/front.h"
#include "quantize/placement_rules.h"

namespace planex::jobs {

// What proposals are made of; it must outlive them.
struct ProposalNeeds {
  std::string engine;
  // None: nothing is known of how that engine takes Q/DQ.
  std::optional<quantize::Target> target;
  const DataOptions* data = nullptr;
  std::optional<quantize::Goal> goal;
  analyze::Aim aim = analyze::Aim::kLatency;
  // Of all inferences that run at once, and of one.
  int max_threads = 1, threads = 1;
  // Null: models can't be run here.
  const Shop* shop = nullptr;
  // What the program says of itself; none: it is another engine, or it can't be asked.
  std::optional<drive::TrtexecFacts> trtexec;
};

std::vector<Proposal> clean_proposals(const ProposalNeeds& needs);
std::vector<Proposal> precision_proposals(const ProposalNeeds& needs);
std::vector<Proposal> advice_proposals(const ProposalNeeds& needs);
// Options of the engine's program.
std::vector<Proposal> option_proposals(const ProposalNeeds& needs);
std::vector<Proposal> trtexec_proposals(const ProposalNeeds& needs);

// What clean_proposals() does, for those that build on it.
Result<Made> make_clean(const Recipe& best, const std::string& folder);

// All of them; only of these kinds, if there are any.
std::vector<Proposal> proposals(const ProposalNeeds& needs, const std::vector<std::string>& kinds);

}  // namespace planex::jobs
