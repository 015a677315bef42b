#include "narrow/mesh/bulge.h"

#include <math.h>

#include "base/real.h"

static double gap_of(const mesh_bulge *of, const mesh_corner *q) { return of->contacts[q->contact].gap; }

static int32_t deepest_of(const mesh_bulge *of) {
    int32_t deepest = 0;
    for (int32_t i = 1; i < of->count; ++i) {
        deepest = gap_of(of, &of->all[i]) < gap_of(of, &of->all[deepest]) ? i : deepest;
    }
    return deepest;
}

static bool is_below_ring(const mesh_bulge *of, const mesh_corner *q) {
    double least = INFINITY;
    for (int32_t i = 0; i < of->corners; ++i) {
        least = real_min(least, gap_of(of, &of->ring[i]));
    }
    return gap_of(of, q) < least - of->same;
}

/* How far a corner is from another one along a direction in the plane. */
static double ahead(const mesh_corner *q, const mesh_corner *from, const double along[2]) {
    return along[0] * (q->x - from->x) + along[1] * (q->y - from->y);
}

/* The slope at which a body that tilts about its deepest corner touches with a corner of the ring; infinite if no such corner is ahead. */
static double slope_of_ring(const mesh_bulge *of, const mesh_corner *deepest, const double along[2]) {
    double slope = INFINITY;
    for (int32_t i = 0; i < of->corners; ++i) {
        double way = ahead(&of->ring[i], deepest, along);
        slope = way > 2.0 * of->weld ? real_min(slope, (gap_of(of, &of->ring[i]) - gap_of(of, deepest)) / way) : slope;
    }
    return slope;
}

/* The corner that is deepest at this tilt, if it is deeper than the deepest one by more than rounding error; -1: none. */
static int32_t touches_before(const mesh_bulge *of, const mesh_corner *deepest, const double along[2], double slope) {
    int32_t best = -1;
    double least = -4.0 * of->same;
    for (int32_t i = 0; i < of->count; ++i) {
        double height = gap_of(of, &of->all[i]) - gap_of(of, deepest) - slope * ahead(&of->all[i], deepest, along);
        if (height < least) {
            least = height;
            best = i;
        }
    }
    return best;
}

bool mesh_bulge_mark(const mesh_bulge *of, bool *first) {
    enum { DIRECTIONS = 8 }; /* and those against them */
    static const double directions[DIRECTIONS][2] = {{1.0, 0.0},
                                                     {0.92387953251128674, 0.38268343236508977},
                                                     {0.70710678118654752, 0.70710678118654752},
                                                     {0.38268343236508977, 0.92387953251128674},
                                                     {0.0, 1.0},
                                                     {-0.38268343236508977, 0.92387953251128674},
                                                     {-0.70710678118654752, 0.70710678118654752},
                                                     {-0.92387953251128674, 0.38268343236508977}};
    for (int32_t i = 0; i < of->count; ++i) {
        first[i] = false;
    }
    int32_t lowest = deepest_of(of);
    const mesh_corner *deepest = &of->all[lowest];
    bool any = first[lowest] = is_below_ring(of, deepest);
    for (int i = 0; i < 2 * DIRECTIONS; ++i) {
        double sign = i < DIRECTIONS ? 1.0 : -1.0;
        const double along[2] = {sign * directions[i % DIRECTIONS][0], sign * directions[i % DIRECTIONS][1]};
        double slope = slope_of_ring(of, deepest, along);
        int32_t best = slope < INFINITY ? touches_before(of, deepest, along, slope) : -1;
        if (best >= 0) {
            any = first[best] = true;
        }
    }
    return any;
}
