// Messages of TensorRT that planex knows, as a reference page.
#pragma once

#include <string>

namespace planex::render {

std::string known_messages_markdown();

}  // namespace planex::render
