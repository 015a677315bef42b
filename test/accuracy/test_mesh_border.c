/*
 * Convex bodies that have sunk into a flat plate, over its border or beside it. The surface is the top of a solid with upright sides, so the ways out are the
 * normals of a plate of endless thickness. Upwards always counts. A way over an edge counts if the body meets that edge, one over a corner if it contains that
 * corner. The oracle tries all normals of such a plate and the body, made from all pairs and triples of the body's vertices, and takes the least depth.
 */
#include <abut/collide.h>
#include <abut/mesh.h>

#include <math.h>

#include "accuracy/flat_mesh.h"
#include "accuracy/sunk_body.h"
#include "support/oracle.h"

enum { ROOM = 1024, POINTS_MOST = 12, PLANES_MOST = 512 };

/* The body's vertices in the plate's frame, extended by a radius, and the planes about them. */
typedef struct cloud {
    abut_vec3 point[POINTS_MOST], plane[PLANES_MOST];
    double offset[PLANES_MOST], radius, size;
    int32_t points, planes;
} cloud;

static double highest(const cloud *c, abut_vec3 m) {
    double most = -INFINITY;
    for (int32_t i = 0; i < c->points; i++) {
        most = fmax(most, abut_dot(m, c->point[i]));
    }
    return most;
}

static cloud make_cloud(const sunk_body *b) {
    const sunk_piece *p = &b->piece[0];
    cloud c = {.points = 0};
    if (p->kind == SUNK_CAPSULE) {
        c.point[c.points++] = abut_vec3_make(0, 0, -p->half.y);
        c.point[c.points++] = abut_vec3_make(0, 0, p->half.y);
        c.radius = p->half.x;
    } else if (p->kind == SUNK_BOX) {
        for (int k = 0; k < 8; k++) {
            c.point[c.points++] =
                abut_vec3_make(k & 1 ? p->half.x : -p->half.x, k & 2 ? p->half.y : -p->half.y, k & 4 ? p->half.z : -p->half.z);
        }
    } else {
        for (int32_t i = 0; i < p->points; i++) {
            c.point[c.points++] = p->point[i];
        }
    }
    for (int32_t i = 0; i < c.points; i++) {
        c.point[i] = abut_pose_apply(b->pose, c.point[i]);
        c.size = fmax(c.size, 2.0 * (abut_distance_between(c.point[i], b->pose.position) + c.radius));
    }
    for (int32_t i = 0; i < c.points && c.points > 2; i++) {
        for (int32_t j = 0; j < i; j++) {
            for (int32_t k = 0; k < c.points; k++) {
                abut_vec3 m = abut_cross(abut_sub(c.point[i], c.point[k]), abut_sub(c.point[j], c.point[k]));
                if (k == i || k == j || !(abut_length(m) > 1e-9 * c.size * c.size)) {
                    continue;
                }
                m = abut_unit(m);
                double offset = abut_dot(m, c.point[k]);
                if (k < j && highest(&c, abut_neg(m)) <= -offset + 1e-12 * c.size) {
                    m = abut_neg(m);
                    offset = -offset;
                }
                if (k < j && highest(&c, m) <= offset + 1e-12 * c.size && c.planes < PLANES_MOST) {
                    c.plane[c.planes] = m;
                    c.offset[c.planes++] = offset;
                }
            }
        }
    }
    return c;
}

/* How far a segment is from being in the body: at most 0 if it meets the body. */
static double outside(const cloud *c, abut_vec3 from, abut_vec3 to) {
    if (c->points == 2) {
        return oracle_segment_distance(from, to, c->point[0], c->point[1]) - c->radius;
    }
    double least = INFINITY; /* the largest of the linear functions, minimised by a ternary search: it is convex */
    double a = 0.0, b = 1.0;
    for (int round = 0; round < 120; round++) {
        double at[2] = {a + (b - a) / 3, b - (b - a) / 3}, value[2];
        for (int i = 0; i < 2; i++) {
            value[i] = -INFINITY;
            for (int32_t k = 0; k < c->planes; k++) {
                value[i] = fmax(value[i], abut_dot(c->plane[k], abut_lerp(from, to, at[i])) - c->offset[k]);
            }
        }
        *(value[0] < value[1] ? &b : &a) = value[0] < value[1] ? at[1] : at[0];
        least = fmin(least, fmin(value[0], value[1]));
    }
    return least;
}

typedef struct least_way {
    double depth;
    abut_vec3 normal;
} least_way;

/* The ways over the plate's corner `p`, or over its edge with the direction `along`. */
typedef struct rim {
    abut_vec3 point, along; /* along: zero for a corner */
    abut_vec3 away[2];      /* outward, of the edges */
} rim;

static void try(least_way *best, const cloud *c, const rim *r, abut_vec3 m) {
    for (int sign = 0; sign < 2; sign++, m = abut_neg(m)) {
        bool edge = abut_length(r->along) > 0.0;
        double x = abut_dot(m, r->away[0]), y = edge ? 0.0 : abut_dot(m, r->away[1]),
               depth = highest(c, abut_neg(m)) + c->radius + abut_dot(m, r->point);
        if (m.z >= -1e-12 && x >= -1e-12 && y >= -1e-12 && (!edge || fabs(abut_dot(m, r->along)) < 1e-12) && depth < best->depth) {
            *best = (least_way){depth, m};
        }
    }
}

static void try_across(least_way *best, const cloud *c, const rim *r, abut_vec3 edge) {
    for (int32_t i = 0; i < c->points; i++) {
        for (int32_t k = 0; k < i; k++) {
            abut_vec3 m = abut_cross(edge, abut_sub(c->point[i], c->point[k]));
            if (abut_length(m) > 1e-9 * c->size) {
                try(best, c, r, abut_unit(m));
            }
        }
    }
}

/* The normals along which the edge or the corner is nearest to an end of a capsule's axis. */
static void try_ends(least_way *best, const cloud *c, const rim *r) {
    for (int i = 0; i < c->points && c->points == 2; i++) {
        abut_vec3 away = abut_sub(r->point, c->point[i]), level = abut_vec3_make(away.x, away.y, 0.0);
        abut_vec3 across = abut_add_scaled(away, -abut_dot(away, r->along), r->along);
        try(best, c, r, abut_unit(across));
        if (abut_length(r->along) == 0.0) {
            try(best, c, r, abut_unit(level));
        }
    }
}

static void try_edge(least_way *best, const cloud *c, const rim *r) {
    try_ends(best, c, r);
    try(best, c, r, r->away[0]);
    try_across(best, c, r, r->along);
}

static void try_corner(least_way *best, const cloud *c, const rim *r) {
    for (int32_t k = 0; k < c->planes; k++) {
        try(best, c, r, c->plane[k]);
    }
    if (c->points == 2) {
        abut_vec3 nearest = oracle_on_segment(r->point, c->point[0], c->point[1]);
        try(best, c, r, abut_unit(abut_sub(r->point, nearest)));
    }
    try_ends(best, c, r);
    try_across(best, c, r, abut_vec3_make(0, 0, 1));
    try_across(best, c, r, r->away[0]);
    try_across(best, c, r, r->away[1]);
}

/* meets: how far outside of the body an edge or a corner may be, and still count as met. */
static least_way wanted_way(const cloud *c, flat_area a, double meets) {
    const abut_vec3 corner[4] = {{a.x0, a.y0, 0}, {a.x1, a.y0, 0}, {a.x1, a.y1, 0}, {a.x0, a.y1, 0}},
                    away[4] = {{0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
    least_way best = {highest(c, abut_vec3_make(0, 0, -1)) + c->radius, {0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        rim edge = {corner[i], abut_cross(abut_vec3_make(0, 0, 1), away[i]), {away[i], away[i]}};
        rim at = {corner[i], {0, 0, 0}, {away[i], away[(i + 3) % 4]}};
        if (outside(c, corner[i], corner[(i + 1) % 4]) <= meets) {
            try_edge(&best, c, &edge);
        }
        if (outside(c, corner[i], corner[i]) <= meets) {
            try_corner(&best, c, &at);
        }
    }
    return best;
}

/* ---- one sample ---- */

static double pick(random_state *random, double lower, double upper) {
    switch (random_below(random, 4)) {
    case 0:
        return lower;
    case 1:
        return upper;
    default:
        return random_range(random, lower, upper);
    }
}

static void place(random_state *random, sunk_body *b, flat_area a) {
    abut_vec3 on = abut_vec3_make(pick(random, a.x0, a.x1), pick(random, a.y0, a.y1), 0.0), in = {0, 0, 0};
    const sunk_piece *p = &b->piece[0];
    if (p->kind == SUNK_BOX) {
        in = random_vec3(random, -0.95, 0.95);
        in = abut_vec3_make(in.x * p->half.x, in.y * p->half.y, in.z * p->half.z);
    } else if (p->kind == SUNK_CAPSULE) {
        in = abut_vec3_make(0.6 * p->half.x * random_range(random, -1, 1), 0.6 * p->half.x * random_range(random, -1, 1),
                            p->half.y * random_range(random, -1, 1));
    } else {
        double sum = 0.0;
        for (int32_t i = 0; i < p->points; i++) {
            double weight = random_range(random, 0.01, 1.0);
            weight *= weight * weight;
            in = abut_add_scaled(in, weight, p->point[i]);
            sum += weight;
        }
        in = abut_scale(1.0 / sum, in);
    }
    b->pose.position = abut_sub(on, abut_quat_rotate(b->pose.rotation, in));
}

static void sample(accuracy *row, uint64_t seed) {
    static flat_mesh mesh;
    random_state random = random_make(seed);
    sunk_body b = sunk_body_random(&random, false);
    sunk_piece *p = &b.piece[0];
    p->kind = p->kind == SUNK_ELLIPSOID ? SUNK_HULL : p->kind;
    p->points = p->points < POINTS_MOST ? p->points : POINTS_MOST;
    double x = sunk_number(&random, 0.05, 2.0), y = sunk_number(&random, 0.05, 2.0);
    x = fmax(x, 0.05);
    y = fmax(y, 0.05);
    flat_area a = {-x, -y, x, y};
    flat_mesh_fill(&mesh, &random, a, random_below(&random, 7));
    place(&random, &b, a);
    if (random_below(&random, 3) == 0) {
        b.pose.position = abut_vec3_make(0.01 * round(100 * b.pose.position.x), 0.01 * round(100 * b.pose.position.y),
                                         0.01 * round(100 * b.pose.position.z));
    }
    cloud c = make_cloud(&b);
    accuracy_next(row, seed);
    if (outside(&c, abut_vec3_make(a.x0, a.y0, 0), abut_vec3_make(a.x1, a.y1, 0)) > -1e-3 &&
        outside(&c, abut_vec3_make(a.x0, a.y0, 0), abut_vec3_make(a.x1, a.y0, 0)) > -1e-3 &&
        outside(&c, abut_vec3_make(a.x0, a.y1, 0), abut_vec3_make(a.x1, a.y1, 0)) > -1e-3 &&
        outside(&c, abut_vec3_make(a.x0, a.y0, 0), abut_vec3_make(a.x0, a.y1, 0)) > -1e-3 &&
        outside(&c, abut_vec3_make(a.x1, a.y0, 0), abut_vec3_make(a.x1, a.y1, 0)) > -1e-3 &&
        outside(&c, abut_vec3_make(a.x0, 0, 0), abut_vec3_make(a.x1, 0, 0)) > -1e-3) {
        return; /* it may not reach the plate at all */
    }
    abut_shape *body = sunk_body_shape(&b), *plate = flat_mesh_shape(&mesh, 0, mesh.triangles, 1.0, abut_pose_identity(), false);
    abut_contact contacts[ROOM];
    bool swapped = random_below(&random, 2) == 0;
    abut_pair pair =
        swapped ? (abut_pair){plate, abut_pose_identity(), body, b.pose} : (abut_pair){body, b.pose, plate, abut_pose_identity()};
    int32_t count;
    assert_ok(abut_collide(&pair, NULL, NULL, contacts, ROOM, &count));
    least_way wanted = wanted_way(&c, a, 1e-9 * c.size), without = wanted_way(&c, a, -1e-9 * c.size);
    double least = INFINITY, along = INFINITY, lean = 0.0, upward = highest(&c, abut_vec3_make(0, 0, -1)) + c.radius;
    bool nearly =
        wanted.normal.z > 1.0 - 1.5231e-4 || without.normal.z > 1.0 - 1.5231e-4; /* within a degree of upwards counts as upwards */
    for (int32_t i = 0; i < count; i++) {
        abut_contact k = swapped ? abut_contact_swap(contacts[i]) : contacts[i];
        least = fmin(least, k.gap);
        lean = fmin(lean, k.normal.z);
        /* Every normal given is a way out with the depth wanted. */
        double plate_top = fabs(k.normal.x) * x + fabs(k.normal.y) * y, depth = highest(&c, abut_neg(k.normal)) + c.radius + plate_top;
        nearly = nearly && depth > fmin(wanted.depth, without.depth) - 1e-9 && depth < upward + 1e-9;
        along = fmin(along, fmin(fabs(depth - wanted.depth), fabs(depth - without.depth)) < 1e-6 ? INFINITY : depth);
    }
    if (nearly && count > 0 && -least < upward + 1e-9) {
        accuracy_error(row, 0.0, "upwards");
    } else if (count == 0) {
        accuracy_wrong(row, "kind %d: no contact, right (%g %g %g), %g", p->kind, wanted.normal.x, wanted.normal.y, wanted.normal.z,
                       -wanted.depth);
    } else {
        abut_vec3 n = swapped ? abut_neg(contacts[0].normal) : contacts[0].normal;
        accuracy_error(row, fmin(fabs(least + wanted.depth), fabs(least + without.depth)) / c.size,
                       "kind %d, %d contacts: gap %.12g along (%g %g %g), right %.12g along (%g %g %g)", p->kind, (int)count, least, n.x,
                       n.y, n.z, -wanted.depth, wanted.normal.x, wanted.normal.y, wanted.normal.z);
        if (lean < -1e-6 || along < INFINITY) {
            accuracy_wrong(row, "kind %d: another normal among %d, depth %g, right %g along (%g %g %g)", p->kind, (int)count, along,
                           wanted.depth, wanted.normal.x, wanted.normal.y, wanted.normal.z);
        }
    }
    abut_shape_release(body);
    abut_shape_release(plate);
}

static void over_the_border(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("bodies sunk in over the border of a plate", "all normals of the plate and the body",
                                   "gap, against the body's size", 1e-10);
    static const uint64_t held[] = {UINT64_C(180200000004), UINT64_C(180200000024), UINT64_C(180200000380), UINT64_C(180200000528),
                                    UINT64_C(180200001600), UINT64_C(180200003980), UINT64_C(180200004870), UINT64_C(180200033767),
                                    UINT64_C(180200049799), UINT64_C(180200057390), UINT64_C(180200072553), UINT64_C(180200072991),
                                    UINT64_C(180200078674), UINT64_C(180200118025), UINT64_C(180200185264), UINT64_C(180200208809),
                                    UINT64_C(180200312238), UINT64_C(180200321365), UINT64_C(180200331844), UINT64_C(180200421169),
                                    UINT64_C(180200451349)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i]);
    }
    for (int32_t i = 0; i < accuracy_samples(100000); i++) {
        sample(row, UINT64_C(180200000000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(over_the_border)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
