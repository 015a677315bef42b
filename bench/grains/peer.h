#pragma once

#include "grains/heap.h"
#include "grains/measure.h"

/*
 * Programs that have polyhedra, run on the same heap, as processes, one core each: their input is written to a folder of its own, and what they print is read.
 * First they come to rest again under their own forces, with damping, and then blocks of steps are timed.
 */

typedef struct peer peer;

enum { PEERS = 2 };
extern const peer *const peers[PEERS];

const char *peer_name(const peer *p);
/* Whether it is installed. */
bool peer_is_here(const peer *p);
/* Adds to m the blocks of one run, each of so many steps. False, with a message on stderr, when it fails. */
bool measure_peer(const peer *p, const heap *h, int32_t warm_up, int32_t steps, measurement *m);
