#include <gtest/gtest.h>

#include <iostream>
#include "lint/test_dump.h"
#include "support/test_data.h"
namespace planex::lint {
TEST(Dump, One) {
  const char* e = std::getenv("ENGINE");
  if (!e) GTEST_SKIP();
  auto m = test::must(e[0] == '/' ? test::load_completed({.path = e}, base::disk()) : test::load_engine("/work/shared/data", e));
  auto r = run(m);
  for (auto& s : r.rules) if (!std::getenv("RULE") || s.info->id == std::getenv("RULE")) std::cout << dump(r, s.info->id, m) << "\n";
  std::cout << r.warning_count << " warnings " << r.info_count << " infos " << r.estimated_ms.value_or(-1) << "\n";
}
}
