// Passes a document on in pieces: large enough that the cost of a write does not matter, small
// enough that their memory does not.
#pragma once

#include <cstddef>
#include <string>

#include "render/words/document_sink.h"

namespace planex::render {

class Pieces {
 public:
  explicit Pieces(const DocumentSink& sink) : sink_(sink) {}

  // What has not been passed on yet; append to it.
  std::string& text() { return text_; }

  // After each record. Errors: those of the sink.
  Result<void> end_record() { return text_.size() < kPieceBytes ? Result<void>() : hand_on(); }
  // At the end.
  Result<void> finish() { return text_.empty() ? Result<void>() : hand_on(); }

 private:
  static constexpr std::size_t kPieceBytes = 256 * 1024;

  Result<void> hand_on() {
    auto written = sink_(text_);
    text_.clear();
    return written;
  }

  const DocumentSink& sink_;
  std::string text_;
};

}  // namespace planex::render
