#include "serve/page_policy.h"

#include <gtest/gtest.h>

#include "render/html/template.h"

namespace planex::serve {
namespace {

constexpr std::string_view kPage =
    "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; x\">"
    "<title>t</title></head><title><meta http-equiv=\"Content-Security-Policy\" content=\"y\">";

TEST(PagePolicy, IsThatOfTheHead) {
  EXPECT_EQ(policy_of(kPage), "default-src 'none'; x");
  EXPECT_EQ(policy_of(""), "default-src 'none'");
  EXPECT_EQ(policy_of("<title>t</title> http-equiv=\"Content-Security-Policy\" content=\"y\""),
            "default-src 'none'");
}

TEST(PagePolicy, AServedPageMayAskItsServerAndNobodyElse) {
  EXPECT_EQ(as_served(kPage, "ab12"),
            "<head><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; x; "
            "connect-src 'self'\">"
            "<meta name=\"planex-index\" content=\"/\">\n"
            "<meta name=\"planex-version\" content=\"ab12\">\n"
            "<title>t</title></head>"
            "<title><meta http-equiv=\"Content-Security-Policy\" content=\"y\">");
  EXPECT_EQ(policy_of(as_served(kPage, "")), "default-src 'none'; x; connect-src 'self'");
  EXPECT_EQ(as_served("no head", "ab12"), "no head");
  EXPECT_EQ(as_served("<title>no policy</title>", "ab12"), "<title>no policy</title>");
}

// Where the page was built in, it has a policy.
TEST(PagePolicy, OfTheEmbeddedPages) {
  for (const std::string_view page : {render::report_template(), render::index_template()}) {
    if (page.find("http-equiv") == page.npos) continue;
    EXPECT_TRUE(policy_of(page).find("sha256-") != std::string::npos) << policy_of(page);
    EXPECT_EQ(policy_of(page).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace planex::serve
