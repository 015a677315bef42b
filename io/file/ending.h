#pragma once

#include <stdbool.h>

/* True when the path ends in `ending`. The ending is in lower case; the case of the path does not count. */
bool file_has_ending(const char *path, const char *ending);
