// How a request lists its options, one a line:
//
//   OPTION(type, member, initial, "name", "METAVAR", "What it does", ...)
//
// A line is a member of the request here. By its name it is an option of the command line, of
// planex_call() (planex.h) and of the Python package as well: none of them has a list of its own.
// What follows the help says how those read it, and is of no matter to programs in C++.
#pragma once

#define PLANEX_MEMBER(type, member, initial, ...) type member = initial;
