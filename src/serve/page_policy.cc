#include "serve/page_policy.h"

#include "base/text.h"

namespace planex::serve {
namespace {

// The head comes before anything that could contain names from an engine.
constexpr std::string_view kTitle = "<title>";

std::string_view head_of(std::string_view page) {
  const std::size_t title = page.find(kTitle);
  return title == page.npos ? std::string_view() : page.substr(0, title);
}

// The position of the policy in the page.
std::string_view policy_in(std::string_view page) {
  constexpr std::string_view kBefore = "http-equiv=\"Content-Security-Policy\" content=\"";
  const std::string_view head = head_of(page);
  const std::size_t at = head.find(kBefore);
  if (at == head.npos) return {};
  const std::string_view rest = head.substr(at + kBefore.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace

std::string policy_of(std::string_view page) {
  const std::string_view policy = policy_in(page);
  return std::string(policy.empty() ? "default-src 'none'" : policy);
}

std::string as_served(std::string_view page, std::string_view version) {
  const std::string_view policy = policy_in(page);
  if (policy.empty()) return std::string(page);
  const auto policy_end = static_cast<std::size_t>(policy.data() - page.data()) + policy.size();
  const std::size_t title = head_of(page).size();
  std::string result;
  constexpr std::size_t kRoom = 512;
  result.reserve(page.size() + kRoom);
  result += page.substr(0, policy_end);
  result += "; connect-src 'self'";
  result += page.substr(policy_end, title - policy_end);
  result += "<meta name=\"planex-index\" content=\"/\">\n";
  result += base::format("<meta name=\"planex-version\" content=\"{}\">\n", version);
  result += page.substr(title);
  return result;
}

}  // namespace planex::serve
