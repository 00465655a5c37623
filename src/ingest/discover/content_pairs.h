// Which layer file a profile belongs to, by what both say: the names of the layers and their order.
// Names of files only break ties.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "ingest/discover/discover.h"

namespace planex::ingest {

// The names of layers in the head of a layer file, a profile or samples, in order, as written.
std::vector<std::string> layer_names_in(std::string_view head);

// How well a profile's names fit a layer file's, from 0 (not at all) to 1 (all that can be seen).
double fit_of_names(std::span<const std::string> profile, std::span<const std::string> layers);

// A name without the words that say which of an engine's files it is: "profile_net-a.json" and
// "layers_net-a.json" are both of "net-a".
std::string name_without_kind(std::string_view path);

// The layer file, of the engines of a folder, whose layers a profile has that is called as none of
// them; null where none fits, or several do and no name tells which. Reads heads alone, so the cost
// does not grow with the files.
FoundFile* layer_file_of(const FoundFile& profile, std::span<FoundFile* const> engines,
                         const base::FileSource& source);

// "times_net.json" beside "layers_net.json": times say nothing that a layer file says.
bool is_times_of(const FoundFile& times, const FoundFile& layers);

}  // namespace planex::ingest
