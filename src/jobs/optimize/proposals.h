// What `planex optimize` tries, in this order. Each kind is a file of its own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/optimize/outcome.h"
#include "drive/driver.h"
#include "drive/trtexec_routes.h"
#include "jobs/data_options.h"
#include "jobs/optimize/recipe.h"
#include "jobs/shop.h"
#include "quantize/front.h"
#include "quantize/measured_engine.h"
#include "quantize/placement_rules.h"
#include "quantize/thresholds.h"
#include "tune/data.h"
#include "tune/split.h"

namespace planex::jobs {

// A float model quantized to INT8.
struct MadeInt8 {
  std::string from;
  Recipe recipe;
  quantize::MethodOptions method;
  std::optional<quantize::Score> score;
  std::string reason;  // why there is no model
};

// What earlier steps made and found out, for those that build on it.
struct MadeModels {
  std::optional<MadeInt8> int8;  // the last
  // Layers of a float model that take longer in INT8.
  std::string slower_from;
  std::vector<std::string> slower;
};

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
  // How many samples are held back to judge on.
  std::size_t judge_samples = 64;
  // Of every build.
  const drive::ProcessRequest* process = nullptr;
  // Null: models can't be run here.
  const Shop* shop = nullptr;
  // What the program says of itself; none: it is another engine, or it can't be asked.
  std::optional<drive::TrtexecFacts> trtexec;
  // Builds a recipe, and measures its layers; empty: that can't be done.
  std::function<Result<quantize::MeasuredEngine>(const Recipe&)> measure_layers;
  // When to stop making models; null: never.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::shared_ptr<MadeModels> made = std::make_shared<MadeModels>();
};

// Where models are made, until the deadline.
tune::Workshop workshop_of(const ProposalNeeds& needs);

std::vector<Proposal> clean_proposals(const ProposalNeeds& needs);
// Models in smaller types, quantized or cast, and engines that compute in smaller types.
std::vector<Proposal> precision_proposals(const ProposalNeeds& needs);
std::vector<Proposal> advice_proposals(const ProposalNeeds& needs);
// Options of the engine's program.
std::vector<Proposal> option_proposals(const ProposalNeeds& needs);
std::vector<Proposal> trtexec_proposals(const ProposalNeeds& needs);

// "--streams=2" is "streams".
std::string_view option_name(std::string_view word);
// The best with one word more for the engine's program. An option is given once: a new value
// replaces the old one.
Made with_word(const ProposalNeeds& needs, const Recipe& best, std::string_view word);

// What clean_proposals() does, for those that build on it.
Result<Made> make_clean(const Recipe& best, const std::string& folder);

// Parts of precision_proposals(), which says in which order they are tried.
//
// With Q/DQ: INT8, FP8, INT4 weights.
Result<Made> make_int8(const ProposalNeeds& needs, const Recipe& best, const std::string& folder);
// With the layers in float that are faster so.
Result<Made> make_int8_where_faster(const ProposalNeeds& needs, const Recipe& best,
                                    const std::string& folder);
Result<Made> make_mixed(const ProposalNeeds& needs, const Recipe& best, const std::string& folder);
Result<Made> make_fp8(const ProposalNeeds& needs, const Recipe& best, const std::string& folder);
Result<Made> make_int4(const ProposalNeeds& needs, const Recipe& best, const std::string& folder);
// BF16 and FP16, where there is a way to say it to the engine.
std::vector<Proposal> small_float_proposals(const ProposalNeeds& needs);

// Words that make an engine keep the types that a model has; none, where it does so anyway, or
// `best` has them.
std::vector<std::string> typed_words(const ProposalNeeds& needs, const Recipe& best);

// A model that has nothing of what is to be changed: that is no failure, but a reason.
Result<Made> unchanged(const Error& error);

// Samples to calibrate with, and others, to judge on.
Result<tune::SplitRequest> split_request(const ProposalNeeds& needs);

// All of them; only of these kinds, if there are any.
std::vector<Proposal> proposals(const ProposalNeeds& needs, const std::vector<std::string>& kinds);

}  // namespace planex::jobs
