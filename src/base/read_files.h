// Records which files a program has read, so that it does not overwrite them.
#pragma once

#include <sys/stat.h>

#include <string>

namespace planex::base {

// For programs, once, before any file is read: disk() records from then on which files were read
// whole. Reading the head to recognize a file does not count. A long-lived process that others own
// may well write what it read long ago; there it stays off.
void remember_read_files();

// Called by code that reads a file.
void note_read(const struct stat& info);

// Whether the path leads to a file that was read. False where recording is off.
bool was_read(const std::string& path);

}  // namespace planex::base
