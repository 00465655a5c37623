// Models in smaller types, and engines that compute in smaller types: which of them, and in which
// order. How each is made: quantized_models.cc, small_float_proposals.cc.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/files.h"
#include "base/text.h"
#include "base/try.h"
#include "jobs/optimize/proposals.h"

namespace planex::jobs {
namespace {

using Make = Result<Made> (*)(const ProposalNeeds&, const Recipe&, const std::string&);

// Alone, a simpler graph may be no faster; it often is where more of it can be quantized.
Result<Made> make_clean_int8(const ProposalNeeds& needs, const Recipe& best,
                             const std::string& folder) {
  PLANEX_ASSIGN(const Made cleaned, make_clean(best, base::join_path(folder, "clean")));
  if (!cleaned.recipe) return cleaned;
  PLANEX_ASSIGN(Made made, make_int8(needs, *cleaned.recipe, base::join_path(folder, "int8")));
  made.command = cleaned.command + "\n" + made.command;
  made.said = base::format("{}; {}", cleaned.said, made.said);
  return made;
}

Proposal proposal(const ProposalNeeds& needs, std::string_view id, std::string_view what, Make make,
                  model::DType type = model::DType::kNull) {
  return {.id = std::string(id),
          .kind = "precision",
          .what = std::string(what),
          .computes_in = type,
          .keeps_results = false,
          .make = [&needs, make](const Recipe& best, const std::string& folder) {
            return make(needs, best, folder);
          }};
}

}  // namespace

std::vector<Proposal> precision_proposals(const ProposalNeeds& needs) {
  if (!needs.target || needs.shop == nullptr || !needs.data->is_given()) return {};
  using quantize::NumberFormat;
  std::vector<Proposal> proposals = {
      proposal(needs, "clean+int8", "Simplify the graph, and quantize it to INT8.", make_clean_int8,
               model::DType::kInt8),
      proposal(needs, "int8", "Quantize to INT8 where the engine gains by it.", make_int8,
               model::DType::kInt8),
      proposal(needs, "int8-where-faster",
               "Quantize to INT8, and keep the layers in float that are faster so.",
               make_int8_where_faster, model::DType::kInt8)};
  if (quantize::takes(*needs.target, NumberFormat::kFp8)) {
    proposals.push_back(proposal(needs, "fp8", "Quantize to FP8 where the engine gains by it.",
                                 make_fp8, model::DType::kFp8));
  }
  proposals.push_back(proposal(needs, "int4-weights",
                               "Store the weights of products in INT4, and compute in float.",
                               make_int4));
  // What is left in float by those before.
  std::ranges::move(small_float_proposals(needs), std::back_inserter(proposals));
  // Takes longer than all of those before.
  proposals.push_back(proposal(
      needs, "int8-mixed",
      "Quantize to INT8, and keep the few layers in float that the goal needs.", make_mixed));
  return proposals;
}

}  // namespace planex::jobs
