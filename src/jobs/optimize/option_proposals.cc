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

// Words that make several inferences run at once, with {} for how many.
std::string_view streams_word(std::string_view engine) {
  if (engine == "openvino") return "--streams={}";
  if (engine == "trtexec") return "--infStreams={}";
  return {};
}

// 2, 4, 8 … inferences at once, and as many as there are threads for.
std::vector<Proposal> stream_proposals(const ProposalNeeds& needs) {
  const std::string_view pattern = streams_word(needs.engine);
  if (needs.aim != analyze::Aim::kThroughput || pattern.empty()) return {};
  const int most = needs.max_threads / std::max(needs.threads, 1);
  std::vector<int> counts;
  for (int count = 2; count < most; count *= 2) counts.push_back(count);
  if (most > 1) counts.push_back(most);
  std::vector<Proposal> proposals;
  for (const int count : counts) {
    const std::string_view name = pattern.substr(0, pattern.find('{'));
    const std::string word = base::format("{}{}", name, count);
    proposals.push_back(
        {.id = base::format("streams={}", count),
         .kind = "options",
         .what = base::format("Run {} inferences at once.", count),
         .keeps_model = true,
         .make = [&needs, name, word](const Recipe& best, const std::string&) -> Result<Made> {
           Recipe recipe = best;
           std::erase_if(recipe.words,
                         [&](const std::string& old) { return old.starts_with(name); });
           recipe.words.push_back(word);
           return Made{.recipe = std::move(recipe),
                       .command = base::format("planex process {} --engine {} -- {}",
                                               base::shell_word(best.model), needs.engine, word)};
         }});
  }
  return proposals;
}

}  // namespace

std::vector<Proposal> option_proposals(const ProposalNeeds& needs) {
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
