/*
 * The plane of each zone (tetra/mesh/parting.h), and the displacement to it.
 *
 * Why this terminates, and why two meshes end separated: zones never lose anything. A round takes elements into a zone, unites two zones,
 * or widens a gap; each of these happens a bounded number of times; otherwise the round is the last one. Afterwards a plane separates all
 * elements on one side of a zone from all on the other, unless the zone is stuck or torn. Any intersecting pair that is not in one zone
 * would have caused another round. Between two meshes no zone is torn: all of A is on one side, all of B on the other. A plane exists for
 * every zone whose fixed vertices leave room, for instance when only one mesh has any; tetra/mesh/parting_fixed.h tests this. In the worst
 * case a single zone contains both meshes.
 *
 * When a zone grows, the displacement starts again from the initial positions; it does not add to the moves of the smaller zone.
 */
#include "tetra/mesh/zone_parting.h"

#include "base/memory.h"
#include "base/real.h"
#include "tetra/mesh/parting.h"

enum { STARTS = 8, TRIES = 3 };

/* The vertices and links of all zones to be moved, zone after zone. */
typedef struct groups {
    int32_t count;       /* zones */
    int32_t *root;       /* [count] */
    int32_t *vertex;     /* ascending in each zone */
    int64_t *link;       /* indices */
    int32_t *first;      /* [count + 1] vertices */
    int64_t *first_link; /* [count + 1] */
    int32_t *group;      /* [vertex_count] number of a zone by its root, else -1 */
    abut_vec3 *at;       /* parallel to `vertex` */
    double *mass, *height;
    int8_t *side;
} groups;

typedef struct mover {
    zones *zones;
    joint *joint;
    const abut_vec3 *from;
    groups *g;
    zone_limit *limit; /* NULL: none */
} mover;

/* ---- grouping ---- */

static bool allocate(groups *g, const zones *z, const joint *j) {
    size_t vertices = (size_t)j->vertex_count, links = (size_t)z->link_count;
    *g = (groups){.root = memory_allocate(vertices, sizeof *g->root),
                  .vertex = memory_allocate(vertices, sizeof *g->vertex),
                  .link = memory_allocate(links, sizeof *g->link),
                  .first = memory_allocate(vertices + 2, sizeof *g->first),
                  .first_link = memory_allocate(vertices + 2, sizeof *g->first_link),
                  .group = memory_allocate(vertices, sizeof *g->group),
                  .at = memory_allocate(vertices, sizeof *g->at),
                  .mass = memory_allocate(vertices, sizeof *g->mass),
                  .height = memory_allocate(vertices, sizeof *g->height),
                  .side = memory_allocate(vertices, sizeof *g->side)};
    return g->root != NULL && g->vertex != NULL && g->link != NULL && g->first != NULL && g->first_link != NULL && g->group != NULL &&
           g->at != NULL && g->mass != NULL && g->height != NULL && g->side != NULL;
}

static void release(groups *g) {
    memory_release(g->root);
    memory_release(g->vertex);
    memory_release(g->link);
    memory_release(g->first);
    memory_release(g->first_link);
    memory_release(g->group);
    memory_release(g->at);
    memory_release(g->mass);
    memory_release(g->height);
    memory_release(g->side);
}

/* Numbers the zones to be moved by their first vertex and counts their contents; first[k + 2] receives the count of zone k. */
static void number_groups(groups *g, zones *z, const joint *j) {
    uint8_t odd;
    for (int32_t v = 0; v < j->vertex_count; v++) {
        g->group[v] = -1;
    }
    for (int32_t v = 0; v < j->vertex_count; v++) {
        int32_t root = zones_root(z, v, &odd);
        if ((z->state[root] & ZONE_DIRTY) == 0) {
            continue;
        }
        if (g->group[root] < 0) {
            g->root[g->count] = root;
            g->group[root] = g->count++;
        }
        ++g->first[g->group[root] + 2];
    }
    for (int64_t l = 0; l < z->link_count; l++) {
        int32_t c[4];
        joint_corners(j, z->link[l].a, c);
        int32_t group = g->group[zones_root(z, c[0], &odd)];
        if (group >= 0) {
            ++g->first_link[group + 2];
        }
    }
    for (int32_t k = 0; k < g->count; k++) {
        g->first[k + 2] += g->first[k + 1];
        g->first_link[k + 2] += g->first_link[k + 1];
    }
}

/* Fills in the contents. first[k + 1] is the next free place of zone k, and at the end the end of zone k. */
static void fill_groups(groups *g, zones *z, const joint *j) {
    uint8_t odd;
    for (int32_t v = 0; v < j->vertex_count; v++) {
        int32_t group = g->group[zones_root(z, v, &odd)];
        if (group >= 0) {
            int32_t place = g->first[group + 1]++;
            g->vertex[place] = v;
            g->side[place] = odd ? 1 : -1;
        }
    }
    for (int64_t l = 0; l < z->link_count; l++) {
        int32_t c[4];
        joint_corners(j, z->link[l].a, c);
        int32_t group = g->group[zones_root(z, c[0], &odd)];
        if (group >= 0) {
            g->link[g->first_link[group + 1]++] = l;
        }
    }
}

/* ---- one zone ---- */

/* The frame of a zone: origin in its middle, unit about its extent. */
typedef struct view {
    abut_vec3 middle;
    double unit, far; /* far: the largest coordinate in the caller's frame */
} view;

static view view_of(const mover *m, int32_t first, int32_t end) {
    abut_vec3 lower = m->from[m->g->vertex[first]], upper = lower;
    for (int32_t i = first; i < end; i++) {
        abut_vec3 v = m->from[m->g->vertex[i]];
        lower = abut_vec3_make(real_min(lower.x, v.x), real_min(lower.y, v.y), real_min(lower.z, v.z));
        upper = abut_vec3_make(real_max(upper.x, v.x), real_max(upper.y, v.y), real_max(upper.z, v.z));
    }
    abut_vec3 middle = abut_add(abut_scale(0.5, lower), abut_scale(0.5, upper));
    double extent = real_max(upper.x - middle.x, real_max(upper.y - middle.y, upper.z - middle.z)), far = 0.0;
    far = real_max(real_max(fabs(lower.x), fabs(upper.x)), real_max(fabs(lower.y), fabs(upper.y)));
    far = real_max(far, real_max(fabs(lower.z), fabs(upper.z)));
    int exponent = 0;
    (void)frexp(extent, &exponent);
    exponent = exponent < -1000 ? -1000 : exponent;
    return (view){middle, ldexp(1.0, -exponent), far};
}

/* Start normals: that of the deepest pair, the mean of all pairs, the direction from one side's middle to the other's, and the axes. */
static void set_starts(const mover *m, int32_t k, const parting_points *p, abut_vec3 start[STARTS]) {
    const groups *g = m->g;
    double deepest = -INFINITY, mass[2] = {0.0, 0.0};
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    abut_vec3 mean[2] = {zero, zero};
    start[1] = start[2] = zero;
    for (int64_t i = g->first_link[k]; i < g->first_link[k + 1]; i++) {
        const zone_link *link = &m->zones->link[g->link[i]];
        int32_t c[4];
        uint8_t odd;
        joint_corners(m->joint, link->a, c);
        (void)zones_root(m->zones, c[0], &odd);
        abut_vec3 normal = abut_scale(odd ? 1.0 : -1.0, link->normal);
        if (link->depth > deepest) {
            deepest = link->depth;
            start[0] = normal;
        }
        start[1] = abut_add(start[1], normal);
        start[2] = abut_add_scaled(start[2], link->depth, normal);
    }
    for (int32_t i = 0; i < p->count; i++) {
        int above = p->side[i] > 0;
        double weight = p->mass[i] < INFINITY ? p->mass[i] : 1.0;
        mass[above] += weight;
        mean[above] = abut_add_scaled(mean[above], weight, p->at[i]);
    }
    start[3] = mass[0] > 0.0 && mass[1] > 0.0 ? abut_sub(abut_scale(1.0 / mass[1], mean[1]), abut_scale(1.0 / mass[0], mean[0])) : zero;
    start[4] = abut_vec3_make(1, 0, 0);
    start[5] = abut_vec3_make(0, 1, 0);
    start[6] = abut_vec3_make(0, 0, 1);
    start[7] = abut_vec3_make(1, 1, 1);
}

/* Half of the gap between the two sides, in the zone's frame. It is above the rounding error of moved vertices and increases each time it
 * was too small. */
static double gap_of(const view *seen, uint8_t level) {
    return ldexp(8.0 * 2.220446049250313e-16 * real_max(1.0, seen->far * seen->unit), 3 * level);
}

/* False when another zone needs the same vertices: nothing has moved then. */
static bool part_zone(const mover *m, int32_t k) {
    groups *g = m->g;
    int32_t first = g->first[k], end = g->first[k + 1], root = g->root[k];
    view seen = view_of(m, first, end);
    for (int32_t i = first; i < end; i++) {
        g->at[i] = abut_scale(seen.unit, abut_sub(m->from[g->vertex[i]], seen.middle));
        g->mass[i] = m->joint->mass[g->vertex[i]];
    }
    parting_points points = {.count = end - first,
                             .at = g->at + first,
                             .mass = g->mass + first,
                             .side = g->side + first,
                             .gap = gap_of(&seen, m->zones->level[root]),
                             .height = g->height + first};
    parting_plane plane = {.cost = INFINITY};
    if ((m->zones->state[root] & ZONE_STUCK) == 0) {
        abut_vec3 start[STARTS];
        set_starts(m, k, &points, start);
        plane = parting_best(&points, start, STARTS, TRIES);
    }
    bool stuck = !(plane.cost < INFINITY);
    if (m->limit != NULL && !stuck) {
        zone_problem problem = {m->zones, m->joint, m->from, g->vertex + first, &points, plane, seen.unit, root};
        zone_end result = zone_limit_part(m->limit, &problem);
        if (result == ZONE_MET) {
            return false;
        }
        stuck = result == ZONE_HELD;
    }
    for (int32_t i = first; i < end && (m->limit == NULL || stuck); i++) {
        double move = stuck || !(g->mass[i] < INFINITY) ? 0.0 : parting_move(&plane, g->at[i], g->side[i], points.gap) / seen.unit;
        joint_move(m->joint, g->vertex[i], abut_add_scaled(m->from[g->vertex[i]], move, stuck ? seen.middle : plane.normal));
    }
    m->zones->state[root] = (uint8_t)((m->zones->state[root] & ZONE_TORN) | (stuck ? ZONE_STUCK : 0));
    return true;
}

static void part_zones(void *argument, int32_t begin, int32_t end) {
    const mover *m = argument;
    for (int32_t k = begin; k < end; k++) {
        (void)part_zone(m, k);
    }
}

/* One zone after the other. Those that need the same vertices become one, and the rest is done anew; that ends because zones become fewer. */
static bool part_in_turn(mover *m) {
    bool met = false;
    zone_limit_reset(m->limit, m->zones, m->joint, m->from);
    for (int32_t k = 0; k < m->g->count && !met; k++) {
        met = !part_zone(m, k);
    }
    if (met) {
        zone_limit_unite(m->limit, m->zones, m->joint);
    }
    return met;
}

bool zones_part(zones *z, joint *j, const abut_vec3 *from, zone_limit *limit) {
    groups g;
    bool ok, again = true;
    for (ok = true; ok && again; release(&g)) {
        again = false;
        ok = allocate(&g, z, j);
        if (ok) {
            number_groups(&g, z, j);
            fill_groups(&g, z, j);
            mover m = {z, j, from, &g, limit};
            if (limit == NULL) {
                abut_parallel_for(j->parallel, g.count, 1, part_zones, &m);
            } else {
                again = part_in_turn(&m);
            }
        }
    }
    return ok;
}
