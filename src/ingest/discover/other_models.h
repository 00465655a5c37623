// Files that people name although planex can't read them: compiled engines and models of other
// frameworks. What each is, and the command that makes what planex reads of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "planex/error.h"

namespace planex::ingest {

// What such a file is called; empty: it is none. `head`: how it begins, before any decoding.
std::string_view other_model_label(std::string_view path, std::string_view head);

// Bytes of the beginning that other_model_error needs: more than `head` where a long text stands
// before an engine.
std::size_t other_model_head_bytes(std::string_view head);

// The error of a user who named it. Nothing: it is none. `head`: other_model_head_bytes of the
// file, or all of it.
std::optional<Error> other_model_error(const std::string& path, std::string_view head);

// Of an ONNX model that the user named, with no engine beside it.
Error model_alone_error(const std::string& path);

}  // namespace planex::ingest
