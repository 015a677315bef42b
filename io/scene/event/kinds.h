#pragma once

#include <stdint.h>

#include <abut/world_events.h>

/* Names of the kinds of events, as recordings and `abut run --events` write them: names[i] is that of bit i of abut_world_event_kind. Bonds that break are no
 * events of a world; their kind comes last. */
enum { EVENT_BOND_BREAKS = 9, EVENT_KINDS };
extern const char *const event_names[EVENT_KINDS];

/* The number of the kind's bit. */
int event_index(abut_world_event_kind kind);

/* The kinds that a recording has: all but touches that persist, which are the contacts of its frames. */
uint32_t event_recorded_kinds(void);
