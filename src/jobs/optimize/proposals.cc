#include "jobs/optimize/proposals.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace planex::jobs {

tune::Workshop workshop_of(const ProposalNeeds& needs) {
  tune::Workshop workshop = needs.shop->workshop();
  if (needs.deadline) workshop.cancellation = workshop.cancellation.until(*needs.deadline);
  return workshop;
}

std::vector<Proposal> proposals(const ProposalNeeds& needs, const std::vector<std::string>& kinds) {
  std::vector<Proposal> all;
  for (auto* const of : {clean_proposals, precision_proposals, advice_proposals, option_proposals,
                         trtexec_proposals}) {
    std::vector<Proposal> more = of(needs);
    std::ranges::move(more, std::back_inserter(all));
  }
  if (kinds.empty()) return all;
  std::erase_if(all, [&](const Proposal& proposal) {
    return std::ranges::find(kinds, proposal.kind) == kinds.end();
  });
  return all;
}

}  // namespace planex::jobs
