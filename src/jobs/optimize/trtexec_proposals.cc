// Options of trtexec, and the knobs of TensorRT's build routes. Both are many, so each kind is a
// group: a tournament finds those that are worth a race.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "drive/trtexec_routes.h"
#include "jobs/optimize/proposals.h"

namespace planex::jobs {
namespace {

using base::format;

struct TrtexecOption {
  std::string_view word;  // without dashes
  std::string_view what;
};

// Results stay the same but for the order of sums.
constexpr TrtexecOption kTrtexecOptions[] = {
    {"builderOptimizationLevel=5", "Try more tactics."},
    {"builderOptimizationLevel=4", "Try some more tactics."},
    {"useCudaGraph", "Launch the engine as one CUDA graph."},
    {"tilingOptimizationLevel=3", "Look for tilings across layers."},
    {"tilingOptimizationLevel=1", "Look for tilings across layers, quickly."},
    {"maxAuxStreams=0", "Run everything on one stream."},
    {"maxAuxStreams=4", "Allow four more streams."},
    {"avgTiming=16", "Time each tactic 16 times."},
    {"tacticSources=-CUBLAS,-CUBLAS_LT,-CUDNN", "Only TensorRT's own kernels."},
    {"tacticSources=+CUBLAS,+CUBLAS_LT,+CUDNN", "Also kernels of cuBLAS and cuDNN."},
    {"sparsity=enable", "Use kernels for sparse weights, where weights are."},
};

constexpr std::string_view kRouteWord = "setBuildRoute";

// All knobs that were kept stand in one word.
Made with_knob(const ProposalNeeds& needs, const Recipe& best, const std::string& knob,
               const std::string& value) {
  const auto old = std::ranges::find(best.words, kRouteWord, option_name);
  const std::string_view route = old == best.words.end()
                                     ? std::string_view()
                                     : std::string_view(*old).substr(old->find('=') + 1);
  return with_word(needs, best, format("{}={}", kRouteWord, drive::route_with(route, knob, value)));
}

std::vector<Proposal> option_group(const ProposalNeeds& needs) {
  std::vector<Proposal> proposals;
  for (const TrtexecOption& option : kTrtexecOptions) {
    if (needs.trtexec && !acts_on(*needs.trtexec, option_name(option.word))) continue;
    proposals.push_back({.id = std::string(option.word),
                         .kind = "options",
                         .what = std::string(option.what),
                         .group = "trtexec",
                         .keeps_model = true,
                         .make = [&needs, word = option.word](const Recipe& best,
                                                              const std::string&) -> Result<Made> {
                           return with_word(needs, best, word);
                         }});
  }
  return proposals;
}

std::string about_knob(const drive::BuildKnob& knob, const std::string& value) {
  std::string what = format("Build with {}={} instead of {}", knob.name, value,
                            knob.standard.empty() ? "the default" : knob.standard);
  return knob.help.empty() ? what + "." : format("{}: {}", what, knob.help);
}

std::vector<Proposal> route_group(const ProposalNeeds& needs) {
  std::vector<Proposal> proposals;
  if (!needs.trtexec) return proposals;
  for (const drive::BuildKnob& knob : needs.trtexec->knobs) {
    for (const std::string& value : knob.values) {
      if (value == knob.standard) continue;
      proposals.push_back({.id = format("{}={}", knob.name, value),
                           .kind = "options",
                           .what = about_knob(knob, value),
                           .group = "route",
                           .keeps_model = true,
                           .make = [&needs, name = knob.name, value](
                                       const Recipe& best, const std::string&) -> Result<Made> {
                             return with_knob(needs, best, name, value);
                           }});
    }
  }
  return proposals;
}

}  // namespace

std::vector<Proposal> trtexec_proposals(const ProposalNeeds& needs) {
  if (needs.engine != "trtexec") return {};
  std::vector<Proposal> proposals = option_group(needs);
  std::ranges::move(route_group(needs), std::back_inserter(proposals));
  return proposals;
}

}  // namespace planex::jobs
