// Which files a program has read, so that it writes over none of them.
#pragma once

#include <sys/stat.h>

#include <string>

namespace planex::base {

// For programs, once, before any file is read: disk() remembers from then on which files were read
// whole. A head that says what a file is does not count. A process that others own lives on and may
// well write what it read long ago; there it stays off.
void remember_read_files();

// Called by who reads.
void note_read(const struct stat& info);

// Whether the path leads to a file that was read. False where nobody remembers.
bool was_read(const std::string& path);

}  // namespace planex::base
