#pragma once

#include <abut/world_query.h>

#include "bytes.h"

/*
 * One query of a world, read from bytes, beside asking all its bodies one by one. twin: an equal world with other threads, asked the same; NULL for none.
 */
void ask_check(bytes *in, const abut_world *world, const abut_world *twin);
