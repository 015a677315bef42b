/* The goals and their verdicts. See goals.h. */
#include "goals.h"

#include <string.h>

#define MINIMUM "abut collide"
#define GROWTH "abut collide, growth normal"
#define CACHED ", cached"
#define PLACED ", placed"
#define BATCH ", batch"
#define ODE_GOALS(set, alone, placed, batch)                                                                                             \
    {set, set, MINIMUM, GROWTH, {"ODE dBoxBox", NULL}, alone}, {set PLACED, set, MINIMUM PLACED, NULL, {"ODE dBoxBox", NULL}, placed}, { \
        set BATCH, set, MINIMUM BATCH, NULL, {"ODE dBoxBox", NULL}, batch                                                                \
    }
#define BATCH_GOAL(set, limit) \
    { set BATCH, set, MINIMUM BATCH, NULL, {MINIMUM, NULL}, limit }
#define CCD_GOAL(set, limit) \
    { set, set, MINIMUM, GROWTH, {"libccd MPR", NULL}, limit }
#define CCD_CACHED_GOAL(set, limit) \
    { set CACHED, set, MINIMUM CACHED, GROWTH CACHED, {"libccd MPR", NULL}, limit }
#define FCL_GOAL(set, limit) \
    { set, set, "abut distance", NULL, {"FCL distance, libccd", "FCL distance, indep"}, limit }
#define OWN_GOAL(set, limit) \
    { set CACHED, set, "abut distance" CACHED, NULL, {"abut distance", NULL}, limit }

static const goal goals[] = {
    ODE_GOALS("boxes, overlapping", 1.0, 0.7, 0.45),
    ODE_GOALS("boxes, stacked", 1.2, 1.0, 0.8),
    ODE_GOALS("boxes, near", 0.9, 0.5, 0.2),
    BATCH_GOAL("boxes, near", 1.0 / 3.0),
    BATCH_GOAL("spheres, overlapping", 1.0 / 8.0),
    CCD_GOAL("hulls of 8, overlapping", 1.4),
    CCD_GOAL("hulls of 32, overlapping", 0.8),
    CCD_GOAL("hulls of 128, overlapping", 0.35),
    CCD_CACHED_GOAL("hulls of 8, overlapping, coherent", 0.6),
    CCD_CACHED_GOAL("hulls of 32, overlapping, coherent", 0.25),
    CCD_CACHED_GOAL("hulls of 128, overlapping, coherent", 0.1),
    FCL_GOAL("hulls of 8, apart", 0.4),
    FCL_GOAL("hulls of 32, apart", 0.3),
    FCL_GOAL("hulls of 128, apart", 0.15),
    OWN_GOAL("hulls of 8, apart, coherent", 0.35),
    OWN_GOAL("hulls of 32, apart, coherent", 0.35),
    OWN_GOAL("hulls of 128, apart, coherent", 0.35),
};

int32_t goals_count(void) { return (int32_t)(sizeof goals / sizeof goals[0]); }

static const measured_set *find_set(const measured_set *sets, int32_t count, const char *name) {
    for (int32_t i = 0; i < count; i++) {
        if (strcmp(sets[i].name, name) == 0) {
            return &sets[i];
        }
    }
    return NULL;
}

static const measurement *fastest_reference(const measured_set *set, const goal *g) {
    const measurement *fastest = NULL;
    for (int i = 0; i < 2; i++) {
        const measurement *m = g->reference[i] ? measure_find(set, g->reference[i]) : NULL;
        fastest = m != NULL && (fastest == NULL || m->median < fastest->median) ? m : fastest;
    }
    return fastest;
}

verdict goals_judge(int32_t index, const measured_set *sets, int32_t count, int32_t rounds) {
    const goal *g = &goals[index];
    verdict v = {g, NULL, 0.0, 0.0, false, false};
    const measured_set *set = find_set(sets, count, g->set);
    if (set == NULL) {
        return v;
    }
    const measurement *subject = measure_find(set, g->subject), *reference = fastest_reference(set, g);
    const measurement *shown = g->shown ? measure_find(set, g->shown) : NULL;
    if (subject == NULL || reference == NULL) {
        return v;
    }
    v.reference = reference->of->name;
    v.ratio = measure_ratio(subject, reference, rounds);
    v.shown_ratio = shown != NULL ? measure_ratio(shown, reference, rounds) : 0.0;
    v.fast = v.ratio <= g->limit;
    v.right = subject->missed == 0 && subject->wrong == 0 && subject->unfounded == 0;
    return v;
}
