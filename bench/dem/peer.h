#pragma once

#include "dem/measure.h"

/*
 * Programs for granular matter that are run on the same bed, as processes, one core each: their input is written to a folder of its own, and what they print
 * is read. Their processor time is the time of their loop times the share of a processor that they say they had.
 */

typedef struct peer peer;

enum { PEERS = 3 };
extern const peer *const peers[PEERS];

const char *peer_name(const peer *p);
/* Whether it is installed. */
bool peer_is_here(const peer *p);
/* As measure_abut(). */
bool measure_peer(const peer *p, const bed *b, const effort *e, measurement *m);
