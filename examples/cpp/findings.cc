// What is worth changing in an engine: findings ENGINE
#include <planex/session.h>

#include <cstdio>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto session = planex::Session::open(argv[1]);
  if (!session) {
    std::fprintf(stderr, "%s\n", planex::describe(session.error(), false).c_str());
    return 3;
  }

  const auto lint = session->engine().lint();
  if (!lint) return 3;
  for (const planex::results::Finding& finding : lint->findings) {
    // What folds into another finding, or is waived, is no news.
    if (finding.folded_into || finding.suppressed) continue;
    std::printf("%s %s", finding.severity.c_str(), finding.rule.c_str());
    if (finding.layer_id) std::printf(" layer %lld", static_cast<long long>(*finding.layer_id));
    if (finding.estimated_ms) std::printf(" saves %.4f ms", *finding.estimated_ms);
    std::printf(": %s\n", finding.message.c_str());
  }
}
