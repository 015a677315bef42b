#pragma once

#include "dem/measure.h"

/*
 * Other programs for granular matter, run as processes on the same bed, one core each. Their input is written to a temporary folder, and
 * their output is parsed. Their processor time is the time of their loop multiplied by the share of a processor that they report.
 */

typedef struct peer peer;

enum { PEERS = 3 };
extern const peer *const peers[PEERS];

const char *peer_name(const peer *p);
/* True when it is installed. */
bool peer_is_here(const peer *p);
/* As measure_abut(). */
bool measure_peer(const peer *p, const bed *b, const effort *e, measurement *m);
