// Which layer file a profile belongs to, by their contents: the names of the layers and their
// order. File names only break ties.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "ingest/discover/discover.h"

namespace planex::ingest {

// The names of layers in the head of a layer file, a profile or samples, in order, unchanged.
std::vector<std::string> layer_names_in(std::string_view head);

// How well a profile's names fit a layer file's, from 0 (not at all) to 1 (all that are visible).
double fit_of_names(std::span<const std::string> profile, std::span<const std::string> layers);

// A name without the words that say which of an engine's files it is: "profile_net-a.json" and
// "layers_net-a.json" both belong to "net-a".
std::string name_without_kind(std::string_view path);

// Among the engines of a folder, the layer file whose layers a profile has although its name
// matches none; null if none fits, or several do and no name decides. Reads only heads, so the cost
// does not grow with the files.
FoundFile* layer_file_of(const FoundFile& profile, std::span<FoundFile* const> engines,
                         const base::FileSource& source);

// "times_net.json" beside "layers_net.json": a times file contains nothing that a layer file could
// be matched with.
bool is_times_of(const FoundFile& times, const FoundFile& layers);

}  // namespace planex::ingest
