// BF16 and FP16. OpenVINO computes in them by an option, in a float model and in what is not
// quantized of another; for the others the types are those of the model, which `planex cast`
// changes.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "drive/cpu_types.h"
#include "jobs/optimize/by_hand.h"
#include "jobs/optimize/proposals.h"
#include "quantize/cast_outcome.h"
#include "tune/cast.h"

namespace planex::jobs {
namespace {

struct SmallFloat {
  std::string_view id;      // and the word of `planex cast`
  std::string_view option;  // OpenVINO's word
  std::string_view label;
  std::string_view processors;  // that have it, for who has another one
};

constexpr std::array kSmallFloats = {
    SmallFloat{"bf16", "bf16", "BF16", "AVX512_BF16, AMX_BF16"},
    SmallFloat{"fp16", "f16", "FP16", "AVX512_FP16, or FP16 of Arm"}};

constexpr std::string_view kOption = "--precision";

bool has(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != std::ranges::end(words);
}

// Behind a launcher is another processor: there the engine itself says what it can.
Result<Made> make_with_option(const ProposalNeeds& needs, const Recipe& best,
                              const SmallFloat& type) {
  if (has(needs.process->flags, kOption)) {
    return Made{.reason = "--flag --precision sets the type already"};
  }
  if (needs.process->launcher.empty() && !drive::has_small_float(type.id)) {
    return Made{.reason =
                    base::format("this processor has no {} ({})", type.label, type.processors)};
  }
  Recipe recipe = best;
  const auto option = std::ranges::find(recipe.words, kOption);
  if (option != recipe.words.end() && option + 1 != recipe.words.end()) {
    *(option + 1) = type.option;
  } else {
    recipe.words.insert(recipe.words.end(), {std::string(kOption), std::string(type.option)});
  }
  std::string command = process_by_hand(*needs.process, recipe);
  return Made{.recipe = std::move(recipe), .command = std::move(command)};
}

Result<Made> make_cast(const ProposalNeeds& needs, const Recipe& best, const std::string& folder,
                       const SmallFloat& type) {
  PLANEX_TRY(make_folder(folder));
  Recipe recipe = best;
  recipe.model = base::join_path(folder, "model.onnx");
  recipe.by_hand = file_by_hand(model_by_hand(best), type.id);
  tune::CastRequest request{
      .model = best.model, .output = recipe.model, .type = quantize::small_type(type.id)};
  PLANEX_ASSIGN(request.data, data_request(*needs.data));
  std::string protects;
  if (needs.goal && needs.goal->kind == quantize::Goal::Kind::kSqnr) {
    request.keep_below_db = needs.goal->least;
    protects = base::format(" --keep-below {}", needs.goal->least);
  }
  const tune::Workshop workshop = workshop_of(needs);
  const auto cast = tune::cast_model(request, &workshop);
  if (!cast) return unchanged(cast.error());
  if (cast->small_nodes == 0) {
    return Made{.reason = base::format("no node can be in {}: planex cast says why", type.label)};
  }
  std::vector<std::string> typed = typed_words(needs, best);
  std::ranges::move(typed, std::back_inserter(recipe.words));
  std::string command =
      base::format("planex cast {} --to {}{}{}", base::shell_word(model_by_hand(best)), type.id,
                   data_by_hand(*needs.data), protects);
  if (const int threads = needs.shop->workshop().threads; threads != 1) {
    command += base::format(" --threads {}", threads);
  }
  command += base::format(" -o {}", base::shell_word(recipe.by_hand));
  return Made{.recipe = std::move(recipe), .command = std::move(command)};
}

// ONNX Runtime's CPU provider converts what is in FP16 to float and back.
bool has_other_provider(const std::vector<std::string>& flags) {
  for (std::size_t place = 0; place < flags.size(); ++place) {
    std::string_view word = flags[place];
    for (const std::string_view option : {"--provider", "--device"}) {
      if (!word.starts_with(option)) continue;
      word.remove_prefix(option.size());
      if (word.starts_with('=')) {
        word.remove_prefix(1);
      } else if (word.empty() && place + 1 < flags.size()) {
        word = flags[place + 1];
      }
      return !base::lower(word).starts_with("cpu");
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> typed_words(const ProposalNeeds& needs, const Recipe& best) {
  // TensorRT-RTX and ONNX Runtime always keep them.
  const std::string word = needs.engine == "trtexec"    ? "stronglyTyped"
                           : needs.engine == "tensorrt" ? "--strongly-typed"
                                                        : "";
  if (word.empty() || has(best.words, word)) return {};
  // The user's own choice of types.
  constexpr std::array<std::string_view, 7> kTypes = {"fp16", "bf16", "int8",         "fp8",
                                                      "int4", "best", "stronglyTyped"};
  for (const std::string& flag : needs.process->flags) {
    std::string_view bare = flag;
    bare.remove_prefix(std::min(bare.find_first_not_of('-'), bare.size()));
    if (has(kTypes, bare) || bare == "precision" || bare == "strongly-typed") {
      return {};
    }
  }
  return {word};
}

std::vector<Proposal> small_float_proposals(const ProposalNeeds& needs) {
  const bool has_option = needs.engine == "openvino";
  const bool is_onnxruntime = needs.engine == "onnxruntime";
  if (is_onnxruntime && !has_other_provider(needs.process->flags)) return {};
  std::vector<Proposal> proposals;
  for (const SmallFloat& type : kSmallFloats) {
    // Few of its providers have BF16.
    if (is_onnxruntime && type.id == "bf16") continue;
    proposals.push_back(
        {.id = std::string(type.id),
         .kind = "precision",
         .what = has_option ? base::format("Compute in {} what is not quantized.", type.label)
                            : base::format("Cast to {} what is not quantized and keeps its range.",
                                           type.label),
         .computes_in = type.id == "bf16" ? model::DType::kBf16 : model::DType::kFp16,
         .keeps_results = false,
         .make = [&needs, &type, has_option](const Recipe& best, const std::string& folder) {
           return has_option ? make_with_option(needs, best, type)
                             : make_cast(needs, best, folder, type);
         }});
  }
  return proposals;
}

}  // namespace planex::jobs
