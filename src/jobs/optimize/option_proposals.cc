// Options of the engines' own programs that can make an engine faster and leave its results alone.
// What they do: docs/reference/drivers.md, and the engines' own documents.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "jobs/optimize/by_hand.h"
#include "jobs/optimize/proposals.h"

namespace planex::jobs {
namespace {

struct EngineOption {
  std::string_view engine;
  std::string_view id;
  std::string_view what;
  std::vector<std::string_view> words;
};

const std::vector<EngineOption>& engine_options() {
  static const std::vector<EngineOption> kOptions = {
      {"openvino",
       "denormals=zero",
       "Treat denormal numbers as zero.",
       {"--config", "CPU_DENORMALS_OPTIMIZATION=YES"}},
      {"openvino", "pinning=on", "Bind threads to cores.", {"--config", "ENABLE_CPU_PINNING=YES"}},
      {"openvino",
       "isa=avx2",
       "Kernels for AVX2, which lower a processor's clock less.",
       {"--isa", "AVX2"}},
      {"onnxruntime",
       "denormals=zero",
       "Treat denormal numbers as zero.",
       {"--config", "session.set_denormal_as_zero=1"}},
      {"onnxruntime",
       "optimization=extended",
       "Leave out the optimizer's changes of layouts.",
       {"--optimization", "extended"}},
      {"onnxruntime",
       "optimization=basic",
       "Leave out the optimizer's fusions.",
       {"--optimization", "basic"}},
      {"onnxruntime",
       "qdq=kept",
       "Don't turn Q/DQ into integer operators.",
       {"--config", "session.disable_quant_qdq=1"}},
      {"tensorrt-rtx", "builder-level=5", "Try more tactics.", {"--optimization-level", "5"}},
      {"tensorrt-rtx",
       "aux-streams=0",
       "Run everything on one stream.",
       {"--max-aux-streams", "0"}},
  };
  return kOptions;
}

// The option for how many inferences run at once.
std::string_view streams_option(std::string_view engine) {
  if (engine == "openvino") return "--streams";
  if (engine == "trtexec") return "--infStreams";
  return {};
}

// 2, 4, 8 … inferences at once, and as many as there are threads for.
std::vector<Proposal> stream_proposals(const ProposalNeeds& needs) {
  const std::string_view name = streams_option(needs.engine);
  if (needs.aim != analyze::Aim::kThroughput || name.empty()) return {};
  const int most = needs.max_threads / std::max(needs.threads, 1);
  std::vector<int> counts;
  for (int count = 2; count < most; count *= 2) counts.push_back(count);
  if (most > 1) counts.push_back(most);
  std::vector<Proposal> proposals;
  for (const int count : counts) {
    const std::string word = base::format("{}={}", name, count);
    proposals.push_back(
        {.id = base::format("streams={}", count),
         .kind = "options",
         .what = base::format("Run {} inferences at once.", count),
         .keeps_model = true,
         .make = [&needs, word](const Recipe& best, const std::string&) -> Result<Made> {
           return with_word(needs, best, word);
         }});
  }
  return proposals;
}

}  // namespace

std::string_view option_name(std::string_view word) {
  const std::size_t start = std::min(word.find_first_not_of('-'), word.size());
  return word.substr(start, word.find('=', start) - start);
}

Made with_word(const ProposalNeeds& needs, const Recipe& best, std::string_view word) {
  Recipe recipe = best;
  const auto old = std::ranges::find(recipe.words, option_name(word), option_name);
  if (old == recipe.words.end()) {
    recipe.words.emplace_back(word);
  } else if (*old == word) {
    return {.reason = "it is set already"};
  } else {
    *old = word;
  }
  std::string command = process_by_hand(*needs.process, recipe);
  return {.recipe = std::move(recipe), .command = std::move(command)};
}

std::vector<Proposal> option_proposals(const ProposalNeeds& needs) {
  // Those of engines on a processor change how they run, not what they keep.
  const bool is_processor = needs.engine == "openvino" || needs.engine == "onnxruntime";
  if (needs.aim == analyze::Aim::kMemory && is_processor) return {};
  std::vector<Proposal> proposals = stream_proposals(needs);
  for (const EngineOption& option : engine_options()) {
    if (option.engine != needs.engine) continue;
    proposals.push_back(
        {.id = std::string(option.id),
         .kind = "options",
         .what = std::string(option.what),
         .keeps_model = true,
         .make = [&option, &needs](const Recipe& best, const std::string&) -> Result<Made> {
           Recipe recipe = best;
           recipe.words.insert(recipe.words.end(), option.words.begin(), option.words.end());
           std::string command = process_by_hand(*needs.process, recipe);
           return Made{.recipe = std::move(recipe), .command = std::move(command)};
         }});
  }
  return proposals;
}

}  // namespace planex::jobs
