/* Regions of coplanar neighbouring faces; see the header. Areas and moments are doubled throughout; the factor cancels. */

#include "shape/build/coplanar.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "geom/area.h"

/* Area vector and area-weighted centre of a face or a region. The fitted plane goes through that centre, orthogonal to that vector. The moment is about a point
 * of the patch: all its terms lie along the plane, so the height of the plane has no rounding errors of sums of many terms. */
typedef struct patch_sum {
    abut_vec3 area;
    abut_vec3 moment, about;
    double weight;
} patch_sum;

typedef struct plane {
    abut_vec3 normal, point;
} plane;

typedef struct sized_face {
    double area;
    int32_t face;
} sized_face;

typedef struct growth {
    const abut_vec3 *points;
    const loops *faces;
    const corners *map;
    double tolerance;
    int32_t *region;
    patch_sum *sums; /* one for each face */
    sized_face *order;
    int32_t *members; /* faces of the growing region */
    int32_t member_count;
} growth;

static patch_sum sum_of_face(const growth *g, int32_t face) {
    patch_sum sum = {0};
    const int32_t *loop = g->faces->vertex + g->faces->first[face];
    int32_t count = g->faces->first[face + 1] - g->faces->first[face];
    abut_vec3 anchor = g->points[loop[0]];
    sum.about = anchor;
    for (int32_t i = 1; i + 1 < count; i++) {
        abut_vec3 b = g->points[loop[i]], c = g->points[loop[i + 1]];
        abut_vec3 area = triangle_area(anchor, b, c);
        double weight = abut_length(area);
        sum.area = abut_add(sum.area, area);
        sum.moment = abut_add_scaled(sum.moment, weight / 3.0, abut_add(abut_sub(b, anchor), abut_sub(c, anchor)));
        sum.weight += weight;
    }
    return sum;
}

static void add(patch_sum *sum, const patch_sum *more) {
    sum->area = abut_add(sum->area, more->area);
    sum->moment = abut_add(sum->moment, abut_add_scaled(more->moment, more->weight, abut_sub(more->about, sum->about)));
    sum->weight += more->weight;
}

static plane plane_of(patch_sum sum) { return (plane){abut_unit(sum.area), abut_add_scaled(sum.about, 1.0 / sum.weight, sum.moment)}; }

static bool lies_in(const growth *g, int32_t face, plane p, double tolerance) {
    for (int32_t c = g->faces->first[face]; c < g->faces->first[face + 1]; c++) {
        if (!(fabs(abut_dot(p.normal, abut_sub(g->points[g->faces->vertex[c]], p.point))) <= tolerance)) {
            return false;
        }
    }
    return true;
}

/* A small face that points back over the region is a fold in its triangulation and joins it. A large one is the other side of a plate thinner than the
 * tolerance. */
static bool continues(const growth *g, int32_t face, const patch_sum *sum, plane p) {
    const double fold = 0.5;
    return abut_dot(g->sums[face].area, p.normal) >= -fold * abut_dot(sum->area, p.normal);
}

/* One sweep over the members, including those that join during the sweep. Returns whether any joined. */
static bool sweep(growth *g, int32_t number, patch_sum *sum, plane *fitted, bool refit) {
    int32_t before = g->member_count;
    for (int32_t i = 0; i < g->member_count; i++) {
        int32_t face = g->members[i];
        for (int32_t c = g->faces->first[face]; c < g->faces->first[face + 1]; c++) {
            int32_t other = g->map->face[g->map->twin[c]];
            if (g->region[other] >= 0 || !lies_in(g, other, *fitted, g->tolerance) || !continues(g, other, sum, *fitted)) {
                continue;
            }
            g->region[other] = number;
            g->members[g->member_count++] = other;
            if (refit) {
                add(sum, &g->sums[other]);
                *fitted = plane_of(*sum);
            }
        }
    }
    return g->member_count > before;
}

static bool all_lie_in(const growth *g, plane p, double tolerance) {
    for (int32_t i = 0; i < g->member_count; i++) {
        if (!lies_in(g, g->members[i], p, tolerance)) {
            return false;
        }
    }
    return true;
}

static void grow(growth *g, int32_t seed, int32_t number) {
    enum { most_sweeps = 16 };
    patch_sum sum = g->sums[seed];
    plane fitted = plane_of(sum);
    g->region[seed] = number;
    g->members[0] = seed;
    g->member_count = 1;
    if (!(sum.weight > 0.0)) {
        return;
    }
    for (int s = 0; s < most_sweeps && sweep(g, number, &sum, &fitted, true); s++) {
    }
    if (all_lie_in(g, fitted, 2.0 * g->tolerance)) {
        return;
    }
    /* The fitted plane drifted away from its first members, as on a very fine round tessellation. The region is grown again with the seed's own plane. */
    for (int32_t i = 1; i < g->member_count; i++) {
        g->region[g->members[i]] = -1;
    }
    g->member_count = 1;
    fitted = plane_of(g->sums[seed]);
    sweep(g, number, &sum, &fitted, false);
}

static int larger_first(const void *left, const void *right) {
    const sized_face *a = left, *b = right;
    if (a->area != b->area) {
        return a->area > b->area ? -1 : 1;
    }
    return a->face < b->face ? -1 : a->face > b->face;
}

abut_status coplanar_regions(const abut_vec3 *points, const loops *faces, const corners *map, double tolerance, int32_t *region,
                             int32_t *seed, int32_t *region_count) {
    size_t count = (size_t)faces->face_count;
    growth g = {.points = points, .faces = faces, .map = map, .tolerance = tolerance, .region = region};
    g.sums = memory_allocate(count, sizeof *g.sums);
    g.order = memory_allocate(count, sizeof *g.order);
    g.members = memory_allocate(count, sizeof *g.members);
    bool ready = g.sums != NULL && g.order != NULL && g.members != NULL;
    if (ready) {
        for (int32_t f = 0; f < faces->face_count; f++) {
            g.sums[f] = sum_of_face(&g, f);
            g.order[f] = (sized_face){abut_length(g.sums[f].area), f};
            region[f] = -1;
        }
        qsort(g.order, count, sizeof *g.order, larger_first);
        *region_count = 0;
        for (int32_t i = 0; i < faces->face_count; i++) {
            int32_t face = g.order[i].face;
            if (region[face] < 0) {
                seed[*region_count] = face;
                grow(&g, face, (*region_count)++);
            }
        }
    }
    memory_release(g.sums);
    memory_release(g.order);
    memory_release(g.members);
    return ready ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}
