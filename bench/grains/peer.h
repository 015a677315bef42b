#pragma once

#include "grains/heap.h"
#include "grains/measure.h"

/*
 * Other programs that support polyhedra, run as processes on the same heap, one core each. Their input is written to a temporary folder,
 * and their output is parsed. The heap first comes to rest under the program's own forces, with damping; then blocks of steps are timed.
 */

typedef struct peer peer;

enum { PEERS = 2 };
extern const peer *const peers[PEERS];

const char *peer_name(const peer *p);
/* True when it is installed. */
bool peer_is_here(const peer *p);
/* Adds the blocks of one run to m; `steps` per block. False, with a message on stderr, when the run fails. */
bool measure_peer(const peer *p, const heap *h, int32_t warm_up, int32_t steps, measurement *m);
