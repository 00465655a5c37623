#include "session/explain/topics.h"

#include <algorithm>
#include <string>

#include "base/text.h"

namespace planex::session {

using base::format;

std::span<const Topic* const> topics() {
  static const std::vector<const Topic*> kTopics = [] {
    const auto found = topics_by_folder();
    std::vector<const Topic*> topics(found.begin(), found.end());
    std::ranges::sort(topics, {}, &Topic::name);
    std::ranges::stable_partition(topics,
                                  [](const Topic* topic) { return topic->explain != nullptr; });
    return topics;
  }();
  return kTopics;
}

Result<const Topic*> find_topic(std::string_view name) {
  const auto found = std::ranges::find(topics(), name, &Topic::name);
  if (found != topics().end()) return *found;
  std::vector<std::string_view> names;
  for (const Topic* topic : topics()) names.push_back(topic->name);
  const auto nearest = base::nearest(name, names);
  return fail(ErrorCode::kUsage,
              format("topic: {} is invalid; expected one of {}", base::quoted(name),
                     base::join_words(names)),
              nearest ? format("did you mean {}?", *nearest) : std::string());
}

std::vector<record::DocumentInfo> topic_documents() {
  std::vector<record::DocumentInfo> documents;
  for (const Topic* topic : topics()) {
    if (topic->document != nullptr) documents.push_back(topic->document());
  }
  return documents;
}

std::vector<record::DocumentInfo> topic_structs() {
  std::vector<record::DocumentInfo> documents;
  for (const Topic* topic : topics()) {
    if (topic->explain != nullptr && !topic->is_table) documents.push_back(topic->document());
  }
  return documents;
}

}  // namespace planex::session
