// Reports which rows of a profile match no layer, and which layers have no time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "ingest/reader.h"

namespace planex::ingest {

// Rows without a layer are reported once, with an example.
class JoinReport {
 public:
  void missed(std::string_view name) {
    if (count_++ == 0) example_ = name;
  }

  // Adds the diagnostics and files.joined_count. `expected` is the number of records for which such
  // a profile has a row.
  void finish(const Artefact& artefact, std::size_t joined, std::size_t expected,
              model::ModelBuilder& builder) const;

 private:
  std::size_t count_ = 0;
  std::string example_;
};

}  // namespace planex::ingest
