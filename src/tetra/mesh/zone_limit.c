/*
 * The quadratic program of zone_limit.h by C. Hildreth's method: one multiplier after the other becomes what its constraint needs, with
 * over-relaxation for the elements. The plane's constraints come last in each pass, so they hold exactly afterwards; elements aim a little above
 * their ratio, and the passes end when all of them keep it. After each pass the plane gives way towards the side that presses less.
 *
 * Two meshes without fixed vertices can always move apart as they are, which changes no volume. Where the passes do not end, the moves are
 * mixed with that translation: all constraints are linear, so a mixture keeps the ratios that both keep.
 */
#include "tetra/mesh/zone_limit.h"

#include "base/memory.h"
#include "base/real.h"

enum { PASSES = 1000 };
static const double aim = 0.02, enough = 0.002; /* shares of the volume between the ratio and the whole */

bool zone_limit_make(zone_limit *l, const joint *j, const volumes *v) {
    size_t vertices = (size_t)j->vertex_count, elements = (size_t)j->element_count;
    *l = (zone_limit){.volumes = v,
                      .move = memory_allocate(vertices, sizeof *l->move),
                      .push = memory_allocate(vertices, sizeof *l->push),
                      .owner = memory_allocate(vertices, sizeof *l->owner),
                      .touched = memory_allocate(vertices, sizeof *l->touched),
                      .vertex = memory_allocate(vertices, sizeof *l->vertex),
                      .way = memory_allocate(vertices + elements, sizeof *l->way),
                      .rest = memory_allocate(vertices + elements, sizeof *l->rest),
                      .shift = memory_allocate(vertices, sizeof *l->shift),
                      .normal = memory_allocate(vertices, sizeof *l->normal),
                      .listed = memory_allocate(elements, sizeof *l->listed),
                      .element = memory_allocate(elements, sizeof *l->element),
                      .hold = memory_allocate(elements, sizeof *l->hold),
                      .slope = memory_allocate(4 * elements, sizeof *l->slope)};
    if (l->move == NULL || l->push == NULL || l->owner == NULL || l->touched == NULL || l->vertex == NULL || l->way == NULL ||
        l->rest == NULL || l->shift == NULL || l->normal == NULL || l->listed == NULL || l->element == NULL || l->hold == NULL ||
        l->slope == NULL) {
        zone_limit_release(l);
        return false;
    }
    for (int32_t k = 0; k < j->vertex_count; k++) {
        l->owner[k] = -1;
    }
    return true;
}

void zone_limit_release(zone_limit *l) {
    memory_release(l->move);
    memory_release(l->push);
    memory_release(l->owner);
    memory_release(l->touched);
    memory_release(l->vertex);
    memory_release(l->way);
    memory_release(l->rest);
    memory_release(l->shift);
    memory_release(l->normal);
    memory_release(l->listed);
    memory_release(l->element);
    memory_release(l->hold);
    memory_release(l->slope);
}

void zone_limit_reset(zone_limit *l, zones *z, joint *j, const abut_vec3 *from) {
    uint8_t odd;
    for (int32_t v = 0; v < j->vertex_count; v++) {
        if (l->owner[v] >= 0 && (z->state[zones_root(z, l->owner[v], &odd)] & ZONE_DIRTY) != 0) {
            l->owner[v] = -1;
            joint_move(j, v, from[v]);
        }
    }
}

/* ---- vertices and elements that take part ---- */

static void forget(zone_limit *l) {
    for (int32_t i = 0; i < l->vertex_count; i++) {
        l->touched[l->vertex[i]] = 0;
    }
    for (int32_t i = 0; i < l->element_count; i++) {
        l->listed[l->element[i]] = 0;
    }
    l->vertex_count = l->element_count = 0;
}

/* True when another zone moves this vertex, or contains it. */
static bool belongs_elsewhere(zone_limit *l, const zone_problem *p, int32_t v) {
    uint8_t odd;
    int32_t owner = l->owner[v] >= 0 ? l->owner[v] : v, root = zones_root(p->zones, owner, &odd);
    bool other = root != p->root && p->zones->size[root] > 1;
    if (other) {
        l->met[0] = p->root;
        l->met[1] = owner;
    }
    return other;
}

static void add_element(zone_limit *l, const zone_problem *p, int32_t element) {
    int32_t c[4], at = l->element_count++;
    abut_vec3 edge[3], across[3];
    double *a = &l->slope[4 * (int64_t)at];
    l->listed[element] = 1;
    l->element[at] = element;
    l->hold[at] = a[0] = a[1] = a[2] = a[3] = 0.0;
    if (!(l->volumes->least[element] > -INFINITY)) {
        return;
    }
    joint_corners(p->joint, element, c);
    for (int i = 0; i < 3; i++) {
        edge[i] = abut_scale(p->unit, abut_sub(p->from[c[i + 1]], p->from[c[0]]));
    }
    for (int i = 0; i < 3; i++) {
        across[i] = abut_cross(edge[(i + 1) % 3], edge[(i + 2) % 3]);
    }
    double volume = abut_dot(edge[0], across[0]);
    for (int i = 0; i < 3; i++) {
        a[i + 1] = abut_dot(p->plane.normal, across[i]) / volume;
        a[0] -= a[i + 1];
    }
}

/* Lets a vertex take part that has not moved yet. False when a vertex of one of its elements belongs to another zone. */
static bool touch(zone_limit *l, const zone_problem *p, int32_t v) {
    if (l->touched[v] != 0) {
        return true;
    }
    l->touched[v] = 1;
    l->vertex[l->vertex_count++] = v;
    l->move[v] = l->push[v] = 0.0;
    const volumes *all = l->volumes;
    for (int64_t i = all->first[v]; i < all->first[v + 1]; i++) {
        int32_t c[4], element = all->element[i];
        joint_corners(p->joint, element, c);
        for (int k = 0; k < 4; k++) {
            if (belongs_elsewhere(l, p, c[k])) {
                return false;
            }
        }
        if (l->listed[element] == 0) {
            add_element(l, p, element);
        }
    }
    return true;
}

/* ---- the passes ---- */

static double move_of(const zone_limit *l, int32_t v) { return l->touched[v] != 0 ? l->move[v] : 0.0; }

static double ratio_of(const zone_limit *l, const zone_problem *p, int32_t at) {
    int32_t c[4];
    const double *a = &l->slope[4 * (int64_t)at];
    joint_corners(p->joint, l->element[at], c);
    return 1.0 + (a[0] * move_of(l, c[0]) + a[1] * move_of(l, c[1]) + a[2] * move_of(l, c[2]) + a[3] * move_of(l, c[3]));
}

/* The least ratio, and a share of what lies between it and the whole. */
static double wanted(const zone_limit *l, int32_t at, double share) {
    double least = l->volumes->least[l->element[at]];
    return least > -INFINITY ? least + share * (1.0 - least) : -INFINITY;
}

/* Gives an element the multiplier that its ratio needs. False when that moves a vertex of another zone. */
static bool hold_element(zone_limit *l, const zone_problem *p, int32_t at) {
    const double relaxed = 1.5;
    double gap = wanted(l, at, aim) - ratio_of(l, p, at), weight = 0.0;
    if (!(gap > 0.0) && !(l->hold[at] > 0.0)) {
        return true;
    }
    int32_t c[4];
    const double *a = &l->slope[4 * (int64_t)at], *mass = p->joint->mass;
    joint_corners(p->joint, l->element[at], c);
    for (int i = 0; i < 4; i++) {
        weight += a[i] * a[i] / mass[c[i]];
    }
    if (!(weight > 0.0)) {
        return true;
    }
    double more = real_max(relaxed * gap / weight, -l->hold[at]);
    l->hold[at] += more;
    for (int i = 0; i < 4; i++) {
        if (mass[c[i]] < INFINITY && a[i] != 0.0) {
            if (!touch(l, p, c[i])) {
                return false;
            }
            l->move[c[i]] += more * a[i] / mass[c[i]];
        }
    }
    return true;
}

/* How far a vertex of the zone must move to its side; negative where it may move towards the plane. */
static double need_of(const zone_problem *p, int32_t i) {
    const parting_points *points = p->points;
    return points->gap + points->side[i] * (p->plane.offset - abut_dot(p->plane.normal, points->at[i]));
}

/* Brings the zone's vertices to their sides. */
static bool push_vertices(zone_limit *l, const zone_problem *p) {
    for (int32_t i = 0; i < p->points->count; i++) {
        int32_t v = p->vertex[i];
        double mass = p->points->mass[i], side = p->points->side[i], need = need_of(p, i) - side * move_of(l, v);
        if (!(mass < INFINITY) || (!(need > 0.0) && !(l->touched[v] != 0 && l->push[v] > 0.0))) {
            continue;
        }
        if (!touch(l, p, v)) {
            return false;
        }
        double more = real_max(mass * need, -l->push[v]);
        l->push[v] += more;
        l->move[v] += side * more / mass;
    }
    return true;
}

typedef struct room {
    double lower, upper;
} room;

/* The offsets that the fixed vertices allow. */
static room room_of(const zone_problem *p) {
    room r = {-INFINITY, INFINITY};
    for (int32_t i = 0; i < p->points->count; i++) {
        if (!(p->points->mass[i] < INFINITY)) {
            double offset = p->plane.offset - p->points->side[i] * need_of(p, i);
            r.lower = p->points->side[i] < 0 ? real_max(r.lower, offset) : r.lower;
            r.upper = p->points->side[i] > 0 ? real_min(r.upper, offset) : r.upper;
        }
    }
    return r;
}

/* The cost's derivative by the offset is the difference of the pressures of the two sides. All that moves is at most as stiff as if it moved as
 * a whole. True when the pressures are nearly equal, or fixed vertices take the rest. */
static bool balance(const zone_limit *l, zone_problem *p, room r) {
    const double nearly = 1e-3;
    double difference = 0.0, sum = 0.0, mass = 0.0;
    for (int32_t i = 0; i < p->points->count; i++) {
        double push = l->touched[p->vertex[i]] != 0 ? l->push[p->vertex[i]] : 0.0;
        difference += p->points->side[i] * push;
        sum += push;
    }
    for (int32_t i = 0; i < l->vertex_count; i++) {
        mass += p->joint->mass[l->vertex[i]] < INFINITY ? p->joint->mass[l->vertex[i]] : 0.0;
    }
    double offset = mass > 0.0 ? p->plane.offset - difference / mass : p->plane.offset;
    double allowed = r.lower <= r.upper ? real_max(r.lower, real_min(offset, r.upper)) : p->plane.offset;
    p->plane.offset = allowed;
    return fabs(difference) <= nearly * sum || allowed != offset;
}

/* ---- conjugate directions ---- */

/* Constraints are numbered: listed elements first, then the zone's vertices. */
static int32_t constraint_count(const zone_limit *l, const zone_problem *p) { return l->element_count + p->points->count; }

static double *multiplier_of(zone_limit *l, const zone_problem *p, int32_t i) {
    return i < l->element_count ? &l->hold[i] : &l->push[p->vertex[i - l->element_count]];
}

static bool is_active(zone_limit *l, const zone_problem *p, int32_t i) {
    return (i < l->element_count || l->touched[p->vertex[i - l->element_count]] != 0) && *multiplier_of(l, p, i) > 0.0;
}

/* The part of an active constraint in the product of a direction: adds its moves to `shift`, or returns what the shift changes. */
static void add_shift(zone_limit *l, const zone_problem *p, int32_t i, double by) {
    const double *mass = p->joint->mass;
    if (i >= l->element_count) {
        int32_t v = p->vertex[i - l->element_count];
        l->shift[v] += p->points->side[i - l->element_count] * by / mass[v];
        return;
    }
    int32_t c[4];
    joint_corners(p->joint, l->element[i], c);
    for (int k = 0; k < 4; k++) {
        l->shift[c[k]] += by * l->slope[4 * (int64_t)i + k] / mass[c[k]];
    }
}

static double change_of(const zone_limit *l, const zone_problem *p, int32_t i) {
    if (i >= l->element_count) {
        return p->points->side[i - l->element_count] * l->shift[p->vertex[i - l->element_count]];
    }
    int32_t c[4];
    const double *a = &l->slope[4 * (int64_t)i];
    joint_corners(p->joint, l->element[i], c);
    return a[0] * l->shift[c[0]] + a[1] * l->shift[c[1]] + a[2] * l->shift[c[2]] + a[3] * l->shift[c[3]];
}

/* What the constraint lacks, over what one unit of its multiplier adds. */
static double lack_of(const zone_limit *l, const zone_problem *p, int32_t i) {
    if (i >= l->element_count) {
        int32_t k = i - l->element_count;
        return need_of(p, k) - p->points->side[k] * move_of(l, p->vertex[k]);
    }
    return wanted(l, i, aim) - ratio_of(l, p, i);
}

static double weight_of(const zone_limit *l, const zone_problem *p, int32_t i) {
    double weight = 0.0;
    int32_t c[4];
    if (i >= l->element_count) {
        return 1.0 / p->points->mass[i - l->element_count];
    }
    joint_corners(p->joint, l->element[i], c);
    for (int k = 0; k < 4; k++) {
        weight += l->slope[4 * (int64_t)i + k] * l->slope[4 * (int64_t)i + k] / p->joint->mass[c[k]];
    }
    return weight;
}

/* Sets the shift of the direction; returns the product of the direction with what it changes. */
static double product_along(zone_limit *l, const zone_problem *p) {
    double product = 0.0;
    int32_t count = constraint_count(l, p);
    for (int32_t i = 0; i < l->vertex_count; i++) {
        l->shift[l->vertex[i]] = 0.0;
    }
    for (int32_t i = 0; i < count; i++) {
        if (l->way[i] != 0.0) {
            add_shift(l, p, i, l->way[i]);
        }
    }
    for (int32_t i = 0; i < count; i++) {
        product += l->way[i] != 0.0 ? l->way[i] * change_of(l, p, i) : 0.0;
    }
    return product;
}

/* The longest step along the direction that leaves all multipliers positive. */
static double longest_step(zone_limit *l, const zone_problem *p) {
    double most = INFINITY;
    for (int32_t i = 0, count = constraint_count(l, p); i < count; i++) {
        most = l->way[i] < 0.0 ? real_min(most, *multiplier_of(l, p, i) / -l->way[i]) : most;
    }
    return most;
}

static void go_along(zone_limit *l, const zone_problem *p, double step) {
    for (int32_t i = 0, count = constraint_count(l, p); i < count; i++) {
        if (l->way[i] != 0.0) {
            double *multiplier = multiplier_of(l, p, i);
            *multiplier = real_max(0.0, *multiplier + step * l->way[i]);
        }
    }
    for (int32_t i = 0; i < l->vertex_count; i++) {
        l->move[l->vertex[i]] += step * l->shift[l->vertex[i]];
    }
}

/* The squared lack of the active constraints, each over its weight; sets `rest` to lack over weight. */
static double lack_of_active(zone_limit *l, const zone_problem *p) {
    double sum = 0.0;
    for (int32_t i = 0, count = constraint_count(l, p); i < count; i++) {
        double weight = is_active(l, p, i) ? weight_of(l, p, i) : 0.0, lack = weight > 0.0 ? lack_of(l, p, i) : 0.0;
        l->rest[i] = weight > 0.0 ? lack / weight : 0.0;
        sum += lack * l->rest[i];
    }
    return sum;
}

/* Conjugate gradients on the constraints with positive multipliers, as if they were equalities, until a multiplier reaches zero. Single
 * multipliers converge slowly where constraints are nearly parallel, as those of flat elements; this does not. */
static bool go_conjugate(zone_limit *l, const zone_problem *p) {
    enum { STEPS = 500 };
    const double done = 1e-10;
    double lack = lack_of_active(l, p), first = lack;
    int32_t count = constraint_count(l, p);
    for (int32_t i = 0; i < count; i++) {
        l->way[i] = l->rest[i];
    }
    for (int k = 0; k < STEPS && lack > done * first; k++) {
        double product = product_along(l, p), most = longest_step(l, p);
        if (!(product > 0.0)) {
            return false;
        }
        go_along(l, p, real_min(lack / product, most));
        if (lack / product >= most) {
            return true;
        }
        double before = lack;
        lack = lack_of_active(l, p);
        for (int32_t i = 0; i < count; i++) {
            l->way[i] = l->rest[i] + lack / before * l->way[i];
        }
    }
    return false;
}

/* The largest deficit of the listed elements' ratios. */
static double deficit(const zone_limit *l, const zone_problem *p) {
    double most = -INFINITY;
    for (int32_t at = 0; at < l->element_count; at++) {
        most = real_max(most, wanted(l, at, enough) - ratio_of(l, p, at));
    }
    return most;
}

/* ---- a mixture with a translation ---- */

/* The distance by which all vertices of one side must move when they move together. */
static double far_of(const zone_problem *p, int side) {
    double far = 0.0;
    for (int32_t i = 0; i < p->points->count; i++) {
        far = p->points->side[i] == side ? real_max(far, need_of(p, i)) : far;
    }
    return far;
}

/* The least share of the translation with which all listed elements keep their ratios. */
static double share_of_translation(const zone_limit *l, const zone_problem *p) {
    double share = 0.0;
    for (int32_t at = 0; at < l->element_count; at++) {
        double ratio = ratio_of(l, p, at), gap = wanted(l, at, enough) - ratio;
        share = gap > 0.0 ? real_max(share, gap / (1.0 - ratio)) : share;
    }
    return share;
}

/* Possible for two meshes without fixed vertices. Since everything moves, every other zone is met. */
static zone_end mix(zone_limit *l, zone_problem *p) {
    const joint *j = p->joint;
    bool free = !j->self;
    for (int32_t v = 0; v < j->vertex_count && free; v++) {
        free = j->mass[v] < INFINITY;
    }
    if (!free) {
        return ZONE_HELD;
    }
    int32_t first_b = j->mesh[0].vertex_count;
    int side_a = p->vertex[0] < first_b ? p->points->side[0] : -p->points->side[0];
    double share = share_of_translation(l, p), a = side_a * far_of(p, side_a), b = -side_a * far_of(p, -side_a);
    for (int32_t v = 0; v < j->vertex_count; v++) {
        if (!touch(l, p, v)) {
            return ZONE_MET;
        }
        l->move[v] += share * ((v < first_b ? a : b) - l->move[v]);
    }
    return ZONE_MOVED;
}

/* ---- all ---- */

/* Puts the vertices where they belong, and tests the volumes of what rounding made of them. */
static zone_end settle(zone_limit *l, const zone_problem *p) {
    joint *j = p->joint;
    bool kept = true;
    for (int32_t i = 0; i < l->vertex_count; i++) {
        int32_t v = l->vertex[i];
        joint_move(j, v, abut_add_scaled(p->from[v], l->move[v] / p->unit, p->plane.normal));
    }
    for (int32_t at = 0; at < l->element_count && kept; at++) {
        kept = volumes_ratio(l->volumes, j, l->element[at]) >= l->volumes->least[l->element[at]];
    }
    for (int32_t i = 0; i < l->vertex_count; i++) {
        int32_t v = l->vertex[i];
        l->owner[v] = kept ? p->root : -1;
        if (!kept) {
            joint_move(j, v, p->from[v]);
        }
    }
    return kept ? ZONE_MOVED : ZONE_HELD;
}

static zone_end find_moves(zone_limit *l, zone_problem *p) {
    const room within = room_of(p);
    for (int32_t i = 0; i < p->points->count; i++) {
        if (belongs_elsewhere(l, p, p->vertex[i])) {
            return ZONE_MET;
        }
    }
    if (!push_vertices(l, p)) {
        return ZONE_MET;
    }
    bool kept = false, balanced = false;
    for (int pass = 0; pass < PASSES && !(kept && balanced); pass++) {
        for (int32_t at = 0; at < l->element_count; at++) {
            if (!hold_element(l, p, at)) {
                return ZONE_MET;
            }
        }
        if (pass % 4 == 3) {
            for (int again = 0; again < 30 && go_conjugate(l, p); again++) {
            }
        }
        balanced = balance(l, p, within);
        if (!push_vertices(l, p)) {
            return ZONE_MET;
        }
        kept = !(deficit(l, p) > 0.0);
    }
    return kept ? ZONE_MOVED : mix(l, p);
}

zone_end zone_limit_part(zone_limit *l, zone_problem *p) {
    zone_end end = find_moves(l, p);
    end = end == ZONE_MOVED ? settle(l, p) : end;
    /* The root has the side -1: see fill_groups() of zone_parting.c. */
    l->normal[p->root] = abut_neg(p->plane.normal);
    forget(l);
    return end;
}

/* Two meshes lie on opposite sides of every plane. Within one mesh the two planes' normals decide. */
void zone_limit_unite(zone_limit *l, zones *z, const joint *j) {
    uint8_t odd_p, odd_q;
    int32_t p = l->met[0], q = l->met[1], first_b = j->mesh[0].vertex_count;
    int32_t root_p = zones_root(z, p, &odd_p), root_q = zones_root(z, q, &odd_q);
    bool against = abut_dot(l->normal[root_p], l->normal[root_q]) < 0.0;
    uint8_t opposite = j->self ? (uint8_t)(odd_p ^ odd_q ^ against) : (uint8_t)((p < first_b) != (q < first_b));
    zones_unite(z, p, q, opposite);
}
