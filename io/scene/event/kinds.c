#include "io/scene/event/kinds.h"

const char *const event_names[EVENT_KINDS] = {"touch begins", "touch persists", "touch ends", "hit",          "sensor begins",
                                              "sensor ends",  "sleep",          "wake",       "joint breaks", "bond breaks"};

_Static_assert(ABUT_EVENT_ALL == (1 << EVENT_BOND_BREAKS) - 1, "a name for each kind");

int event_index(abut_world_event_kind kind) {
    int index = 0;
    while (index < EVENT_BOND_BREAKS - 1 && (unsigned)kind >> index != 1) {
        index++;
    }
    return index;
}

uint32_t event_recorded_kinds(void) { return ABUT_EVENT_ALL & ~(uint32_t)ABUT_EVENT_TOUCH_PERSIST; }
