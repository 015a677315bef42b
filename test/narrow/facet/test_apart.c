/*
 * Distances of bodies of rounded triangles. Closed forms: meshed balls are balls. Oracles: bodies of flat triangles have the distances of the same triangles as
 * a mesh; for round ones a dense sample of both surfaces bounds the distance from above, and the planes through both points, across the normal, bound that of
 * the nearest pair of facets from below. Then what holds for every pair: exchange of A and B, scale, and one decision with abut_collide() and abut_overlap().
 */
#include "narrow/facet/apart.h"

#include <stdio.h>
#include <stdlib.h>

#include <abut/abut.h>

#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"
#include "support/shapes.h"

enum { ROOM = 30000 };

static abut_contact contacts[ROOM];
static tally t;

static int begin(void **state) {
    (void)state;
    t = (tally){.kinds = 0};
    return 0;
}

static abut_shape *ball(int level, double radius) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, abut_vec3_make(radius, radius, radius));
    abut_shape *shape = facet_body_round(&body, radius);
    facet_body_free(&body);
    return shape;
}

static abut_separation distance(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    abut_separation s;
    assert_ok(abut_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, &s));
    return s;
}

/* ---- closed forms ---- */

static void expect(const char *what, int32_t sample, double found, double expected, double tolerance) {
    if (!(fabs(found - expected) <= tolerance)) {
        tally_fail(&t, what, "sample %d: %.15g instead of %.15g", (int)sample, found, expected);
    }
}

/* Balls of any fineness, spheres and planes. */
static void test_balls(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet distance balls", 1));
    int32_t count = random_samples("facet distance balls", 400);
    for (int32_t i = 0; i < count; i++) {
        double size = random_log_range(&random, 1e-3, 1e3), ra = size, rb = size * random_log_range(&random, 0.05, 20.0);
        abut_shape *a = ball(random_below(&random, 3), ra), *b = random_below(&random, 2) ? sphere(rb) : ball(random_below(&random, 3), rb);
        abut_pose pose_a = random_pose(&random, 3.0 * size);
        double gap = random_log_range(&random, 1e-6, 10.0) * size;
        abut_vec3 way = random_direction(&random);
        abut_pose pose_b = {abut_add_scaled(pose_a.position, ra + rb + gap, way), random_rotation(&random)};
        abut_separation s = distance(a, pose_a, b, pose_b);
        double scale = ra + rb + gap;
        expect("gap", i, s.gap, gap, 1e-13 * scale + 1e-15 * abut_length(pose_b.position));
        expect("normal", i, abut_dot(s.normal, way), -1.0, 1e-13);
        expect("point on A", i, abut_distance_between(s.on_a, abut_add_scaled(pose_a.position, ra, way)), 0.0, 1e-7 * scale);
        expect("point on B", i, abut_distance_between(s.on_b, abut_add_scaled(pose_b.position, -rb, way)), 0.0, 1e-7 * scale);
        abut_shape *floor = plane(way, abut_dot(way, pose_a.position) - ra - gap);
        s = distance(a, pose_a, floor, abut_pose_identity());
        expect("gap over a plane", i, s.gap, gap, 1e-13 * scale + 1e-14 * abut_length(pose_a.position));
        expect("normal of a plane", i, abut_dot(s.normal, way), 1.0, 1e-14);
        abut_shape_release(floor);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
}

/* ---- flat triangles ---- */

/* The same triangles as a body of flat facets, and as a mesh. */
static void make_flat(random_state *random, abut_shape **facets, abut_shape **mesh) {
    facet_body body = random_below(random, 3) ? facet_body_ball(random_below(random, 2)) : facet_body_torus(1.0, 0.4, 9, 7);
    facet_body_scale(&body, (abut_vec3){random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5)});
    *facets = facet_body_round(&body, INFINITY);
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = body.vertices;
    def.vertex_count = body.vertex_count;
    def.triangles = body.triangles;
    def.triangle_count = body.triangle_count;
    assert_ok(abut_shape_create_trimesh(&def, NULL, mesh));
    facet_body_free(&body);
}

static abut_shape *two_boxes(void) {
    abut_shape *parts[] = {box(0.5, 0.3, 0.2), box(0.2, 0.6, 0.4)}, *shape;
    const abut_part placed[] = {{parts[0], at(0, 0, -0.25)}, {parts[1], at(0.2, 0, 0.1)}};
    assert_ok(abut_shape_create_compound(placed, 2, &shape));
    abut_shape_release(parts[0]);
    abut_shape_release(parts[1]);
    return shape;
}

static abut_shape *hills(void) {
    static const double heights[9] = {0.1, 0.3, 0.0, 0.2, -0.2, 0.4, 0.0, 0.1, 0.3};
    abut_heightfield_def def = {.heights = NULL};
    def.heights = heights;
    def.columns = def.rows = 3;
    def.spacing_x = def.spacing_y = 0.8;
    abut_shape *shape;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

enum { EXACT = 8, OTHERS = 14 };

/* The first ones have exact skins; the last number is how far the skins of the others are off, in their size. */
static abut_shape *other_of(random_state *random, int kind, double *off) {
    abut_shape *shape, *mesh;
    *off = kind < EXACT ? 0.0 : kind == 10 ? 2e-2 : 5e-3; /* the skin of a cone is round at its apex */
    switch (kind) {
    case 0:
        return sphere(random_range(random, 0.1, 1.0));
    case 1:
        return box(random_range(random, 0.1, 1.0), random_range(random, 0.1, 1.0), random_range(random, 0.1, 1.0));
    case 2:
        return prism(random_range(random, 0.1, 1.0), random_range(random, 0.1, 1.0), 5);
    case 3:
        return plane(random_direction(random), random_range(random, -1.0, 1.0));
    case 4:
        return two_boxes();
    case 5:
        make_flat(random, &shape, &mesh);
        abut_shape_release(mesh);
        return shape;
    case 6:
        make_flat(random, &shape, &mesh);
        abut_shape_release(shape);
        return mesh;
    case 7:
        return hills();
    case 8:
        return capsule(random_range(random, 0.1, 1.0), random_range(random, 0.1, 1.0));
    case 9:
        return cylinder(random_range(random, 0.1, 1.0), random_range(random, 0.1, 1.0));
    case 10:
        return cone(random_range(random, 0.3, 1.0), random_range(random, 0.3, 1.0));
    case 11:
        return ellipsoid(random_range(random, 0.3, 1.0), random_range(random, 0.3, 1.0), random_range(random, 0.3, 1.0));
    case 12:
        assert_ok(abut_shape_create_superquadric((abut_vec3){0.5, 0.4, 0.6}, random_range(random, 0.5, 1.4), random_range(random, 0.5, 1.4),
                                                 &shape));
        return shape;
    default:
        assert_ok(abut_shape_create_torus(0.6, random_range(random, 0.1, 0.4), &shape));
        return shape;
    }
}

/* The mesh where the other one is a body of facets, too. */
static void test_flat_facets_are_a_mesh(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet distance flat", 2));
    int32_t count = random_samples("facet distance flat", 1000);
    for (int32_t i = 0; i < count; i++) {
        abut_shape *facets, *mesh;
        double off;
        make_flat(&random, &facets, &mesh);
        int kind = random_below(&random, OTHERS);
        abut_shape *other = kind == 5 ? NULL : other_of(&random, kind, &off), *other_mesh = other;
        if (other == NULL) {
            off = 0.0;
            make_flat(&random, &other, &other_mesh);
        }
        abut_pose pose = random_pose(&random, 1.0), far = random_pose(&random, 5.0);
        abut_separation s = distance(facets, pose, other, far), m = distance(mesh, pose, other_mesh, far);
        if (s.gap > 0.05 && m.gap > 0.05) {
            double length = abut_length(far.position);
            expect("gap", 100 * i + kind, s.gap, m.gap, off * other->size + 1e-12 * (1.0 + length));
            expect("normal", 100 * i + kind, abut_dot(s.normal, abut_unit(abut_sub(s.on_a, s.on_b))), 1.0, 1e-6);
            expect("points", 100 * i + kind, abut_dot(s.normal, abut_sub(s.on_a, s.on_b)), s.gap, 1e-6);
        }
        if (other_mesh != other) {
            abut_shape_release(other_mesh);
        }
        abut_shape_release(other);
        abut_shape_release(facets);
        abut_shape_release(mesh);
    }
    tally_end(&t);
}

/* ---- round facets ---- */

/* Radii as estimated, or at random, some flat, some as small as they can be. */
static abut_shape *random_body(random_state *random) {
    int kind = random_below(random, 4);
    facet_body body = kind == 3 ? facet_body_torus(1.0, random_range(random, 0.2, 0.8), 11, 7) : facet_body_ball(kind % 2);
    facet_body_scale(&body, (abut_vec3){random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5), random_range(random, 0.4, 1.5)});
    double *radii = check_memory((size_t)body.triangle_count, sizeof *radii);
    for (int32_t i = 0; i < body.triangle_count; ++i) {
        double chance = random_range(random, 0.0, 1.0);
        radii[i] = chance < 0.1 ? INFINITY : chance < 0.15 ? 1e-3 : chance < 0.2 ? 1e5 : random_log_range(random, 0.3, 30.0);
    }
    abut_shape *shape = facet_body_shape(&body, random_below(random, 3) == 0 ? radii : NULL);
    free(radii);
    facet_body_free(&body);
    return shape;
}

/* The piece of facet as parts with corners in directions from the sphere's centre: three about the normal where that passes through the triangle, so that a
 * hemisphere is sampled as well as a shallow piece, else one. Each part has a triangle below. */
typedef struct part {
    abut_vec3 corner[3], direction[3];
} part;

static int32_t parts_of(const abut_shape *shape, abut_pose pose, int32_t facet, part out[3], abut_facet_sphere *s) {
    abut_facet f;
    assert_ok(abut_shape_facet(shape, pose, facet, &f));
    assert_ok(abut_shape_facet_sphere(shape, pose, facet, s));
    abut_vec3 foot = abut_add_scaled(s->centre, abut_dot(abut_sub(f.corner[0], s->centre), s->normal), s->normal);
    bool inside = s->radius < INFINITY;
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_sub(f.corner[(i + 1) % 3], f.corner[i]);
        inside = inside && abut_dot(abut_cross(side, abut_sub(foot, f.corner[i])), s->normal) > 0.0;
    }
    for (int i = 0; i < (inside ? 3 : 1); ++i) {
        out[i] = inside ? (part){.corner = {foot, f.corner[i], f.corner[(i + 1) % 3]}}
                        : (part){.corner = {f.corner[0], f.corner[1], f.corner[2]}};
        for (int k = 0; k < 3 && s->radius < INFINITY; ++k) {
            out[i].direction[k] = inside && k == 0 ? s->normal : abut_unit(abut_sub(out[i].corner[k], s->centre));
        }
    }
    return inside ? 3 : 1;
}

static abut_vec3 mixed(const abut_vec3 p[3], double u, double v) {
    return abut_add(abut_scale(1.0 - u - v, p[0]), abut_add(abut_scale(u, p[1]), abut_scale(v, p[2])));
}

static abut_vec3 surface_point(const part *p, const abut_facet_sphere *s, double u, double v) {
    return s->radius < INFINITY ? abut_add_scaled(s->centre, s->radius, abut_unit(mixed(p->direction, u, v))) : mixed(p->corner, u, v);
}

enum { FINE = 4, MOST_POINTS = 40000 };

typedef struct cloud {
    abut_vec3 point[MOST_POINTS];
    int32_t count;
} cloud;

static cloud clouds[2];

static void sample_body(const abut_shape *shape, abut_pose pose, cloud *c) {
    c->count = 0;
    for (int32_t i = 0; i < abut_shape_facet_count(shape); ++i) {
        part parts[3];
        abut_facet_sphere s;
        int32_t count = parts_of(shape, pose, i, parts, &s);
        for (int32_t at = 0; at < count * (FINE + 1) * (FINE + 1) && c->count < MOST_POINTS; ++at) {
            int32_t j = at / (FINE + 1) % (FINE + 1), k = at % (FINE + 1);
            if (j + k <= FINE) {
                c->point[c->count++] = surface_point(&parts[at / (FINE + 1) / (FINE + 1)], &s, (double)j / FINE, (double)k / FINE);
            }
        }
    }
}

static double least_between(const cloud *p, const cloud *q) {
    double least = INFINITY;
    for (int32_t i = 0; i < p->count; ++i) {
        for (int32_t k = 0; k < q->count; ++k) {
            least = fmin(least, abut_length_squared(abut_sub(p->point[i], q->point[k])));
        }
    }
    return sqrt(least);
}

/* The point belongs to the facet's piece, and all of the piece lies on the far side of the plane through it. */
static void check_behind(int32_t sample, const abut_shape *shape, abut_pose pose, int32_t facet, abut_vec3 point, abut_vec3 outward) {
    enum { FINER = 16, UP = 4 };
    part parts[3];
    abut_facet_sphere s;
    double above = -INFINITY, off = INFINITY;
    for (int32_t i = parts_of(shape, pose, facet, parts, &s) - 1; i >= 0; --i) {
        for (int j = 0; j <= FINER; ++j) {
            for (int k = 0; j + k <= FINER; ++k) {
                double u = (double)j / FINER, v = (double)k / FINER;
                abut_vec3 top = surface_point(&parts[i], &s, u, v);
                above = fmax(above, abut_dot(outward, abut_sub(top, point)));
                for (int up = 0; up <= UP; ++up) {
                    off = fmin(off, abut_distance_between(point, abut_lerp(mixed(parts[i].corner, u, v), top, (double)up / UP)));
                }
            }
        }
    }
    expect("a point of the facet past the plane", sample, fmax(above, 0.0), 0.0, 1e-8);
    expect("a point off the facet", sample, off, 0.0, 0.15);
}

static void test_round_facets(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet distance round", 3));
    int32_t count = random_samples("facet distance round", 200), judged = 0;
    for (int32_t i = 0; i < count; i++) {
        abut_shape *a = random_body(&random), *b = random_body(&random);
        abut_pose pose_a = random_pose(&random, 1.0), pose_b = random_pose(&random, 4.0);
        abut_separation s = distance(a, pose_a, b, pose_b);
        sample_body(a, pose_a, &clouds[0]);
        sample_body(b, pose_b, &clouds[1]);
        double sampled = least_between(&clouds[0], &clouds[1]);
        if (s.gap > 0.05 && abut_length(abut_sub(pose_a.position, pose_b.position)) > 3.0) {
            ++judged;
            if (!(s.gap <= sampled + 1e-9 && s.gap >= sampled - 0.3)) { /* the sample is coarse */
                tally_fail(&t, "gap", "sample %d: %.15g, samples at %.15g", (int)i, s.gap, sampled);
            }
            check_behind(i, a, pose_a, s.feature_a.index, s.on_a, abut_neg(s.normal));
            check_behind(i, b, pose_b, s.feature_b.index, s.on_b, s.normal);
            expect("gap of the points", i, abut_dot(s.normal, abut_sub(s.on_a, s.on_b)), s.gap, 1e-9);
            expect("points along the normal", i, abut_distance_between(s.on_a, s.on_b), s.gap, 1e-6);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    if (judged < count / 4) {
        tally_fail(&t, "count", "%d of %d were apart", (int)judged, (int)count);
    }
    tally_end(&t);
}

/* ---- all pairs of pieces ---- */

static double keep_least(void *context, const facet_met *met) {
    double *least = context;
    *least = fmin(*least, met->gap.gap);
    return INFINITY;
}

/* Without the limit, every pair of pieces is looked at. The hierarchies leave out none that is nearer. */
static void test_no_pair_is_left_out(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet distance pairs", 4));
    int32_t count = random_samples("facet distance pairs", 50);
    for (int32_t i = 0; i < count; i++) {
        abut_shape *a = random_body(&random),
                   *b = random_below(&random, 4) ? random_body(&random) : sphere(random_range(&random, 0.1, 2.0));
        abut_pose pose_b = random_pose(&random, 4.0);
        const facet_placement at_b = {abut_mat3_from_quat(pose_b.rotation), pose_b.position};
        facet_surfaces s;
        double least = INFINITY;
        assert_ok(facet_surfaces_make(a, b, &at_b, &s));
        facet_surfaces_visit(&s, INFINITY, keep_least, NULL, &least);
        abut_separation found = distance(a, abut_pose_identity(), b, pose_b);
        if (found.gap > 1e-3) {
            expect("least gap", i, found.gap, least / s.unit, 0.0);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
}

/* ---- one decision ---- */

static void check_decision(int32_t sample, const abut_pair *pair) {
    abut_separation s, exchanged, placed_answer;
    abut_placed a, b;
    int32_t count;
    bool overlap;
    double deepest = INFINITY;
    assert_ok(abut_distance(pair, NULL, NULL, &s));
    assert_ok(abut_overlap(pair, NULL, &overlap));
    assert_ok(abut_collide(pair, NULL, NULL, contacts, ROOM, &count));
    for (int32_t k = 0; k < count; ++k) {
        deepest = fmin(deepest, contacts[k].gap);
    }
    if (overlap != (count > 0) || (s.gap <= 0.0) != (count > 0) || (count > 0 && s.gap != fmin(deepest, 0.0))) {
        tally_fail(&t, "decision", "sample %d: gap %.15g, %d contacts, the deepest %.15g", (int)sample, s.gap, (int)count, deepest);
    }
    assert_ok(abut_distance(&(abut_pair){pair->b, pair->pose_b, pair->a, pair->pose_a}, NULL, NULL, &exchanged));
    double scale = 1.0 + abut_length(pair->pose_a.position) + abut_length(pair->pose_b.position);
    if (count == 0) {
        expect("gap with A and B exchanged", sample, exchanged.gap, s.gap, 1e-9 * scale);
    }
    assert_ok(abut_place(pair->a, pair->pose_a, &a));
    assert_ok(abut_place(pair->b, pair->pose_b, &b));
    assert_ok(abut_distance_placed(&a, &b, NULL, NULL, &placed_answer));
    if (placed_answer.gap != s.gap || placed_answer.on_a.x != s.on_a.x || placed_answer.normal.z != s.normal.z) {
        tally_fail(&t, "placed", "sample %d: %.15g and %.15g", (int)sample, placed_answer.gap, s.gap);
    }
}

static void test_one_decision(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet distance decision", 5));
    int32_t count = random_samples("facet distance decision", 500);
    for (int32_t i = 0; i < count; i++) {
        double off;
        abut_shape *a = random_body(&random),
                   *b = random_below(&random, 2) ? random_body(&random) : other_of(&random, random_below(&random, OTHERS), &off);
        check_decision(i, &(abut_pair){a, random_pose(&random, 1.0), b, random_pose(&random, 2.0)});
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
}

/* Where contacts begin, the distance has fallen to nearly 0; not to 0, since the spheres of neighbouring facets do not continue each other there. */
static void test_contacts_begin_where_distances_end(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet distance onset", 6));
    int32_t count = random_samples("facet distance onset", 50);
    double sum = 0.0, worst = 0.0;
    for (int32_t i = 0; i < count; i++) {
        facet_body body = facet_body_ball(2);
        facet_body_scale(&body,
                         (abut_vec3){random_range(&random, 0.5, 1.5), random_range(&random, 0.5, 1.5), random_range(&random, 0.5, 1.5)});
        abut_shape *a = facet_body_shape(&body, NULL), *b = random_below(&random, 2) ? sphere(0.7) : plane((abut_vec3){0, 0, 1}, 0.0);
        facet_body_free(&body);
        abut_vec3 way = abut_shape_kind(b) == ABUT_SHAPE_PLANE ? abut_vec3_make(0, 0, 1) : random_direction(&random);
        abut_pose pose = {{0, 0, 0}, random_rotation(&random)};
        double low = 0.2, high = 5.0;
        for (int step = 0; step < 40; ++step) {
            pose.position = abut_scale(0.5 * (low + high), way);
            bool touching = distance(a, pose, b, abut_pose_identity()).gap <= 0.0;
            low = touching ? 0.5 * (low + high) : low;
            high = touching ? high : 0.5 * (low + high);
        }
        pose.position = abut_scale(high, way);
        double gap = distance(a, pose, b, abut_pose_identity()).gap;
        worst = fmax(worst, gap);
        sum += gap;
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("distances of %.2g in the mean and %.2g at most where contacts begin\n", sum / count, worst);
    if (!(sum / count < 5e-4 && worst < 2e-2)) {
        tally_fail(&t, "onset", "%.3g, %.3g", sum / count, worst);
    }
    tally_end(&t);
}

/* ---- extreme lengths, and bodies inside ---- */

static void test_extreme_lengths(void **state) {
    (void)state;
    static const double sizes[] = {1e-40, 1e-12, 1e6, 1e40};
    for (int i = 0; i < 4; ++i) {
        double size = sizes[i];
        abut_shape *a = ball(1, size), *b = ball(2, 2.0 * size), *small = sphere(1e-3 * size);
        expect("gap", i, distance(a, at(0, 0, 0), b, at(0, 0, 4.0 * size)).gap / size, 1.0, 1e-12);
        expect("gap of a small sphere", i, distance(a, at(0, 0, 0), small, at(2.0 * size, 0, 0)).gap / size, 0.999, 1e-12);
        abut_shape_release(a);
        abut_shape_release(b);
        abut_shape_release(small);
    }
    abut_shape *a = ball(1, 1.0), *b = ball(1, 1.0);
    expect("far apart", 0, distance(a, at(0, 0, 0), b, at(1e40, 0, 0)).gap / 1e40, 1.0, 1e-12);
    abut_separation s;
    assert_status(abut_distance(&(abut_pair){a, at(0, 0, 0), b, at(NAN, 0, 0)}, NULL, NULL, &s), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_distance(&(abut_pair){a, at(0, 0, 0), b, at(1e150, 0, 0)}, NULL, NULL, &s), ABUT_ERROR_NOT_FINITE);
    abut_shape_release(a);
    abut_shape_release(b);
    tally_end(&t);
}

/* A body inside another one has the distance of the surfaces; of the crust from inside, which begins at the triangles. Surfaces that cross too deep for a
 * contact have the least distance above 0. */
static void test_inside(void **state) {
    (void)state;
    abut_shape *large = ball(2, 1.0), *small = sphere(0.1);
    abut_separation s = distance(large, at(0, 0, 0), small, at(0, 0, 0));
    assert_true(s.gap > 0.85 && s.gap < 0.9);
    s = distance(large, at(0, 0, 0), small, at(0, 0, 0.55));
    assert_true(s.gap > 0.3 && s.gap < 0.35);
    s = distance(large, at(0, 0, 0), large, at(0, 0, 0));
    assert_true(s.gap > 0.0 && s.gap < 1e-300);
    abut_shape_release(large);
    abut_shape_release(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_balls, begin),           cmocka_unit_test_setup(test_flat_facets_are_a_mesh, begin),
        cmocka_unit_test_setup(test_round_facets, begin),    cmocka_unit_test_setup(test_no_pair_is_left_out, begin),
        cmocka_unit_test_setup(test_one_decision, begin),    cmocka_unit_test_setup(test_contacts_begin_where_distances_end, begin),
        cmocka_unit_test_setup(test_extreme_lengths, begin), cmocka_unit_test_setup(test_inside, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
