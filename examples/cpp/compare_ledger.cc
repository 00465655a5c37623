// Two engines of one model, operation by operation: compare_ledger BEFORE AFTER
#include <planex/session.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::array<planex::OpenRequest, 2> requests = {planex::OpenRequest{.path = argv[1]},
                                                       planex::OpenRequest{.path = argv[2]}};
  const auto session = planex::Session::open(requests);
  if (!session) {
    std::fprintf(stderr, "%s\n", planex::describe(session.error(), false).c_str());
    return 3;
  }

  const auto compared = session->comparison();
  if (!compared) return 3;
  std::printf("verdict: %s\n", compared->differences[0].verdict.judgement.c_str());

  // Whole femtoseconds: they add up to the totals to the last digit.
  const auto print = [](const char* name, const std::vector<std::optional<std::int64_t>>& times) {
    for (const auto& time : times) {
      if (time) {
        std::printf("%lld ", static_cast<long long>(*time));
      } else {
        std::printf("- ");
      }
    }
    std::printf("%s\n", name);
  };
  for (const planex::results::LedgerRow& row : compared->ledger.rows) {
    print(row.name ? row.name->c_str() : row.kind.c_str(), row.time_fs);
  }
  print("total", compared->ledger.total_fs);
}
