/*
 * The depth and normal of overlapping convex polytopes with the default settings. The depth along the contact normal must be the least over all directions, and
 * the deepest contact must show it. Boxes, prisms, plates down to a thickness of 1e-6, wedges, slivers, hulls of up to 40 points, points with round
 * coordinates; turned at random, by right angles, or the same way up to 1e-12; barely overlapping to concentric; of sizes 1e-4 to 1e4, in both orders, far from
 * the origin. A hull that the library makes from points has their exact hull.
 */
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "accuracy/minkowski.h"
#include "support/solid.h"

enum { PLACES = 50, MOST_CONTACTS = 512 };

/* Seeds that were wrong once: 64 times the number of the bodies plus the number of the place. */
static const uint64_t held[] = {209230};

typedef struct specimen {
    minkowski_body body;
    abut_shape *shape;
} specimen;

/* ---- bodies ---- */

static minkowski_body body_of_solid(const solid *s) {
    minkowski_body body = {.vertex_count = s->vertex_count, .face_count = s->face_count};
    int32_t corners = 0;
    for (int32_t f = 0; f < s->face_count; ++f) {
        corners += s->face_sizes[f];
    }
    body.vertices = check_memory((size_t)s->vertex_count, sizeof *body.vertices);
    body.faces = check_memory((size_t)s->face_count, sizeof *body.faces);
    body.edges = check_memory((size_t)corners, sizeof *body.edges);
    memcpy(body.vertices, s->vertices, (size_t)s->vertex_count * sizeof *body.vertices);
    const int32_t *loop = s->face_vertices;
    for (int32_t f = 0; f < s->face_count; loop += s->face_sizes[f], ++f) {
        int32_t n = s->face_sizes[f];
        for (int32_t i = 0; i < 3; ++i) {
            body.faces[f][i] = loop[i * n / 3];
        }
        for (int32_t i = 0; i < n; ++i) {
            if (loop[i] < loop[(i + 1) % n]) {
                body.edges[body.edge_count][0] = loop[i];
                body.edges[body.edge_count++][1] = loop[(i + 1) % n];
            }
        }
    }
    return body;
}

static specimen specimen_of(solid s, double size, bool hull) {
    solid sized = solid_scaled(&s, size);
    specimen made = {.body = body_of_solid(&sized)};
    if (hull) {
        assert_ok(abut_shape_create_hull(sized.vertices, sized.vertex_count, &made.shape));
    } else {
        made.shape = solid_shape(&sized);
    }
    solid_free(&s);
    solid_free(&sized);
    return made;
}

static specimen box_of(abut_vec3 half, double size) {
    solid s = solid_box(abut_scale(size, half));
    specimen made = {.body = body_of_solid(&s)};
    assert_ok(abut_shape_create_box(abut_scale(size, half), &made.shape));
    solid_free(&s);
    return made;
}

/* The sign of the volume of four points, exactly: positive where the last one lies over the first three. Differences of coordinates between 1e-16 and 1 and
 * their products have fewer than 400 bits. */
static int exact_side(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 s) {
    const double from[3] = {p.x, p.y, p.z}, to[3][3] = {{q.x, q.y, q.z}, {r.x, r.y, r.z}, {s.x, s.y, s.z}};
    mpfr_t d[3][3], sum, term;
    mpfr_inits2(400, sum, term, (mpfr_ptr)0);
    mpfr_set_zero(sum, 1);
    for (int i = 0; i < 9; ++i) {
        mpfr_init2(d[i / 3][i % 3], 400);
        mpfr_set_d(d[i / 3][i % 3], to[i / 3][i % 3], MPFR_RNDN);
        mpfr_sub_d(d[i / 3][i % 3], d[i / 3][i % 3], from[i % 3], MPFR_RNDN);
    }
    for (int i = 0; i < 6; ++i) { /* the even permutations, then the odd ones */
        int j = i % 3, k = (j + (i < 3 ? 1 : 2)) % 3, l = 3 - j - k;
        mpfr_mul(term, d[0][j], d[1][k], MPFR_RNDN);
        mpfr_mul(term, term, d[2][l], MPFR_RNDN);
        (void)(i < 3 ? mpfr_add(sum, sum, term, MPFR_RNDN) : mpfr_sub(sum, sum, term, MPFR_RNDN));
    }
    int sign = mpfr_sgn(sum);
    mpfr_clears(sum, term, (mpfr_ptr)0);
    for (int i = 0; i < 9; ++i) {
        mpfr_clear(d[i / 3][i % 3]);
    }
    return sign;
}

/* The same; in plain arithmetic where rounding cannot change the sign. */
static int side_of(abut_vec3 p, abut_vec3 q, abut_vec3 r, abut_vec3 s) {
    abut_vec3 u = abut_sub(q, p), v = abut_sub(r, p), w = abut_sub(s, p);
    double volume = abut_dot(abut_cross(u, v), w), error = 1e-14 * abut_length(u) * abut_length(v) * abut_length(w);
    return fabs(volume) > error ? (volume > 0.0) - (volume < 0.0) : exact_side(p, q, r, s);
}

/* Whether no point lies over the plane of three, and some point lies under it. */
static bool is_face(const abut_vec3 *point, int32_t count, const int32_t corner[3]) {
    bool under = false;
    for (int32_t i = 0; i < count; ++i) {
        int side = side_of(point[corner[0]], point[corner[1]], point[corner[2]], point[i]);
        if (side > 0) {
            return false;
        }
        under = under || side < 0;
    }
    return under;
}

/* The exact hull of a few points, of which many may be coplanar or within. All triangles in the surface are listed, and their sides. */
static minkowski_body hull_of(const abut_vec3 *point, int32_t count) {
    bool edge[16][16] = {{false}};
    minkowski_body body = {.vertex_count = count};
    body.vertices = check_memory((size_t)count, sizeof *body.vertices);
    body.faces = check_memory((size_t)(count * count * count), sizeof *body.faces);
    body.edges = check_memory((size_t)(count * count), sizeof *body.edges);
    memcpy(body.vertices, point, (size_t)count * sizeof *point);
    for (int32_t at = 0; at < count * count * count; ++at) {
        const int32_t corner[3] = {at / (count * count), at / count % count, at % count};
        if (corner[0] < corner[1] && corner[0] < corner[2] && corner[1] != corner[2] && is_face(point, count, corner)) {
            memcpy(body.faces[body.face_count++], corner, sizeof corner);
            for (int i = 0; i < 3; ++i) {
                edge[corner[i]][corner[(i + 1) % 3]] = edge[corner[(i + 1) % 3]][corner[i]] = true;
            }
        }
    }
    for (int32_t at = 0; at < count * count; ++at) {
        if (at / count < at % count && edge[at / count][at % count]) {
            body.edges[body.edge_count][0] = at / count;
            body.edges[body.edge_count++][1] = at % count;
        }
    }
    return body;
}

/* A hull of few points of a coarse lattice. Bent: every coordinate is moved a little, or all points are turned, so that points are
 * coplanar only up to rounding. */
static specimen lattice_of(random_state *random, double size, bool bent) {
    abut_vec3 point[12];
    specimen made = {.shape = NULL};
    abut_quat rotation = random_rotation(random);
    double by = bent && random_below(random, 4) ? random_log_range(random, 1e-16, 1e-3) : 0.0;
    do {
        minkowski_body_free(&made.body);
        int32_t count = 5 + random_below(random, 8), reach = 2 + random_below(random, 4);
        for (int32_t i = 0; i < count; ++i) {
            point[i] = abut_vec3_make(random_below(random, 2 * reach + 1) - reach, random_below(random, 2 * reach + 1) - reach,
                                      random_below(random, 2 * reach + 1) - reach);
            point[i] = abut_scale(0.125 * size, abut_add(point[i], random_vec3(random, -by, by)));
            point[i] = bent ? abut_quat_rotate(rotation, point[i]) : point[i];
        }
        made.body = hull_of(point, count);
    } while (made.body.face_count == 0 || abut_shape_create_hull(point, made.body.vertex_count, &made.shape) != ABUT_OK);
    return made;
}

static solid sliver(random_state *random) {
    double thin = random_log_range(random, 1e-5, 1.0);
    abut_vec3 p[4];
    do {
        for (int i = 0; i < 4; ++i) {
            p[i] = random_vec3(random, -0.6, 0.6);
            p[i].z *= thin;
        }
    } while (!(abut_dot(abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0])), abut_sub(p[3], p[0])) > 1e-2 * thin));
    return solid_tetrahedron(p[0], p[2], p[1], p[3]);
}

/* A triangular prism with a sharp edge. */
static solid wedge(random_state *random) {
    double sharp = random_log_range(random, 1e-4, 0.5), wide = random_log_range(random, 0.1, 1.0);
    const abut_vec3 p[6] = {{-0.5, -wide, 0.0},        {-0.5, wide, 0.0},         {0.5, -wide, -0.5 * sharp},
                            {0.5, wide, -0.5 * sharp}, {0.5, -wide, 0.5 * sharp}, {0.5, wide, 0.5 * sharp}};
    static const int32_t sizes[5] = {3, 3, 4, 4, 4}, corners[18] = {0, 2, 4, 1, 5, 3, 0, 1, 3, 2, 0, 4, 5, 1, 2, 3, 5, 4};
    solid s = {.vertex_count = 6, .face_count = 5};
    s.vertices = check_memory(6, sizeof *s.vertices);
    s.face_sizes = check_memory(5, sizeof *s.face_sizes);
    s.face_vertices = check_memory(18, sizeof *s.face_vertices);
    memcpy(s.vertices, p, sizeof p);
    memcpy(s.face_sizes, sizes, sizeof sizes);
    memcpy(s.face_vertices, corners, sizeof corners);
    return s;
}

static abut_vec3 sides(random_state *random, double least) {
    return abut_vec3_make(random_log_range(random, least, 1.0), random_log_range(random, least, 1.0), random_log_range(random, least, 1.0));
}

static double round_number(random_state *random) { return 0.125 * (1 + random_below(random, 8)); }

/* size: a power of two, which rounds nothing. */
static specimen random_specimen(random_state *random, double size, bool bent) {
    bool hull = abut_has(ABUT_CAPABILITY_HULL);
    double small = random_log_range(random, 0.05, 1.0), other = random_log_range(random, 0.05, 1.0);
    int32_t kind = random_below(random, 40) == 0 ? 10 : random_below(random, hull ? 12 : 10);
    switch (bent ? 11 : kind) {
    case 0:
        return box_of(sides(random, 0.01), size);
    case 1:
        return box_of(abut_vec3_make(round_number(random), round_number(random), round_number(random)), size);
    case 2:
        return box_of(abut_vec3_make(1.0, random_log_range(random, 0.1, 1.0), random_log_range(random, 1e-6, 1e-2)), size);
    case 3:
        return specimen_of(solid_prism(small, other, 3 + random_below(random, 30)), size, false);
    case 4:
        return specimen_of(solid_prism(1.0, random_log_range(random, 1e-6, 1e-2), 3 + random_below(random, 10)), size, false);
    case 5:
        return specimen_of(wedge(random), size, false);
    case 6:
        return specimen_of(sliver(random), size, false);
    case 7:
        return specimen_of(solid_pyramid(small, other, 3 + random_below(random, 10)), size, false);
    case 8:
        return specimen_of(solid_cloud(random, 8 + random_below(random, 33), sides(random, 0.2)), size, hull);
    case 9:
        return specimen_of(solid_cloud(random, 5 + random_below(random, 12), sides(random, 0.003)), size, hull);
    case 10:
        return random_below(random, 2) ? specimen_of(solid_cloud(random, 41 + random_below(random, 110), sides(random, 0.3)), size, hull)
                                       : specimen_of(solid_prism(small, other, 33 + random_below(random, 96)), size, false);
    default:
        return lattice_of(random, size, bent);
    }
}

static void specimen_free(specimen *s) {
    abut_shape_release(s->shape);
    minkowski_body_free(&s->body);
}

/* ---- places ---- */

typedef struct bodies {
    specimen a, b;
    abut_quat rotation_a, rotation_b;
    minkowski *difference;
    abut_vec3 concentric; /* from A's origin to B's when the middles of the vertices coincide */
    double size, deepest; /* deepest: the depth there */
    bool bent;
} bodies;

static abut_quat right_angles(random_state *random) {
    const double half = 0.70710678118654752440;
    static const int8_t quarter[4] = {0, 1, 2, 3};
    int32_t axis = random_below(random, 3), turns = quarter[random_below(random, 4)];
    double part[3] = {0.0, 0.0, 0.0}, w = turns == 0 ? 1.0 : turns == 2 ? 0.0 : half;
    part[axis] = turns == 0 ? 0.0 : turns == 2 ? 1.0 : turns == 1 ? half : -half;
    return (abut_quat){part[0], part[1], part[2], w};
}

static void turn_bodies(bodies *of, random_state *random) {
    int32_t kind = random_below(random, 6);
    of->rotation_a = kind == 1 ? right_angles(random) : random_rotation(random);
    switch (kind) {
    case 1:
        of->rotation_b = right_angles(random);
        break;
    case 2:
        of->rotation_b = of->rotation_a;
        break;
    case 3:
        of->rotation_b = abut_quat_mul(of->rotation_a, abut_quat_about(random_direction(random), random_log_range(random, 1e-13, 1e-2)));
        break;
    case 4:
        of->rotation_b = abut_quat_mul(of->rotation_a, right_angles(random));
        break;
    default:
        of->rotation_b = random_rotation(random);
    }
}

static abut_vec3 middle(const minkowski_body *body, abut_quat rotation) {
    abut_vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < body->vertex_count; ++i) {
        sum = abut_add(sum, body->vertices[i]);
    }
    return abut_quat_rotate(rotation, abut_scale(1.0 / body->vertex_count, sum));
}

/* bent: the first body is a bent lattice hull. */
static void bodies_open(bodies *of, random_state *random, bool bent) {
    static const double sizes[3] = {1.0, 0x1p-13, 0x1p13}, ratios[6] = {1.0, 1.0, 1.0, 0.125, 0x1p-7, 0x1p-13};
    double size = sizes[random_below(random, 3)];
    of->a = random_specimen(random, size, bent);
    of->b = random_specimen(random, size * ratios[random_below(random, 6)], bent && random_below(random, 2));
    if (random_below(random, 8) == 0) { /* the same body twice */
        abut_shape_release(of->b.shape);
        minkowski_body_free(&of->b.body);
        (void)abut_shape_retain(of->a.shape);
        of->b = of->a;
    }
    of->bent = bent;
    turn_bodies(of, random);
    of->difference = minkowski_open(&of->a.body, of->rotation_a, &of->b.body, of->rotation_b);
    of->concentric = abut_sub(middle(&of->a.body, of->rotation_a), middle(&of->b.body, of->rotation_b));
    of->size = minkowski_size(of->difference);
    of->deepest = minkowski_rough_depth(of->difference, of->concentric);
}

static void bodies_close(bodies *of) {
    minkowski_close(of->difference);
    if (of->a.body.vertices == of->b.body.vertices) {
        abut_shape_release(of->b.shape);
    } else {
        specimen_free(&of->b);
    }
    specimen_free(&of->a);
}

/* How far B goes from the concentric place until the depth has fallen to this. The depth along a line is concave. */
static double way_to(const bodies *of, abut_vec3 direction, double depth) {
    double lower = 0.0, upper = 4.0 * of->size;
    for (int i = 0; i < 50; ++i) {
        double way = 0.5 * (lower + upper);
        bool deep = minkowski_rough_depth(of->difference, abut_add_scaled(of->concentric, way, direction)) > depth;
        *(deep ? &lower : &upper) = way;
    }
    return 0.5 * (lower + upper);
}

static void place(const bodies *of, random_state *random, abut_vec3 *place_a, abut_vec3 *place_b) {
    static const double far[4] = {0.0, 1.0, 16.0, 1000.0}, offsets[4] = {0.0, 1e-15, 1e-12, 1e-9};
    abut_vec3 direction = random_below(random, 4)
                              ? random_direction(random)
                              : abut_quat_rotate(of->rotation_a, abut_vec3_make(0, 0, random_below(random, 2) ? 1 : -1));
    double share = random_below(random, 2) ? random_range(random, 0.0, 1.0) : random_log_range(random, 1e-9, 1.0);
    double way = random_below(random, 10) == 0 ? offsets[random_below(random, 4)] * of->size : way_to(of, direction, share * of->deepest);
    *place_a = random_vec3(random, -far[random_below(random, 4)] * of->size, of->size);
    *place_b = abut_add(*place_a, abut_add_scaled(of->concentric, way, direction));
}

/* ---- the check ---- */

static void check_order(accuracy *row, const bodies *of, const abut_pair *pair, double sign, double least) {
    static abut_contact contacts[MOST_CONTACTS];
    int32_t count = 0;
    double rounding = 1e-14 * of->size, scale = of->bent ? of->size : least + 2e-6 * of->size;
    abut_status status = abut_collide(pair, NULL, NULL, contacts, MOST_CONTACTS, &count);
    if (status != ABUT_OK || (count == 0 && least > rounding)) {
        accuracy_wrong(row, "status %d, %d contacts, where the depth is %.17g", (int)status, (int)count, least);
        return;
    }
    double deepest = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        deepest = fmin(deepest, contacts[i].gap);
    }
    abut_vec3 place_a = sign > 0.0 ? pair->pose_a.position : pair->pose_b.position,
              place_b = sign > 0.0 ? pair->pose_b.position : pair->pose_a.position;
    double along = count > 0 ? minkowski_depth_along(of->difference, place_a, place_b, abut_scale(sign, contacts[0].normal)) : least;
    double shown = count > 0 ? -deepest : least;
    accuracy_error(row, fabs(along - least) / scale, "the depth along the normal is %.17g, the least %.17g", along, least);
    accuracy_error(row, fabs(shown - least) / scale, "the deepest contact is %.17g deep, the least depth %.17g", shown, least);
}

static void check_place(accuracy *row, const bodies *of, random_state *random) {
    abut_pair pair = {of->a.shape, {{0, 0, 0}, of->rotation_a}, of->b.shape, {{0, 0, 0}, of->rotation_b}};
    place(of, random, &pair.pose_a.position, &pair.pose_b.position);
    const abut_pair swapped = {pair.b, pair.pose_b, pair.a, pair.pose_a};
    double least = minkowski_depth(of->difference, pair.pose_a.position, pair.pose_b.position);
    if (least > 0.0) { /* else rounding took them apart */
        check_order(row, of, &pair, 1.0, least);
        check_order(row, of, &swapped, -1.0, least);
    }
}

/* All places of a pair of bodies, or only one. */
static int32_t check_bodies(accuracy *row, uint64_t number, int32_t only, int32_t most, bool bent) {
    random_state random = random_make(number);
    bodies of;
    bodies_open(&of, &random, bent);
    int32_t count = 0;
    for (int32_t i = 0; i < PLACES && count < most && of.deepest > 0.0; ++i) {
        random_state here = random_make(64 * number + (uint64_t)i);
        if (only < 0 || only == i) {
            accuracy_next(row, 64 * number + (uint64_t)i);
            check_place(row, &of, &here);
            ++count;
        }
    }
    bodies_close(&of);
    return count;
}

static void check_row(accuracy *row, const uint64_t *seeds, size_t count, int32_t full, bool bent) {
    for (size_t i = 0; i < count; ++i) {
        (void)check_bodies(row, seeds[i] / 64, (int32_t)(seeds[i] % 64), 1, bent);
    }
    int32_t left = accuracy_samples(full);
    for (uint64_t number = 1; left > 0; ++number) {
        left -= check_bodies(row, number, -1, left, bent);
    }
    accuracy_end(row);
}

static void overlapping_polytopes(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("depth and normal of overlapping polytopes, default settings", "all facet directions of A - B, 200 bits",
                                   "depth - least depth, over the least depth + 2e-6 of the sizes", 1e-9);
    check_row(row, held, sizeof held / sizeof held[0], 200000, false);
}

/* The library may merge nearly coplanar faces of a hull: a point may lie outside by 1e-9 of the extent. So may the depth. */
static void nearly_coplanar_points(void **state) {
    (void)state;
    if (!abut_has(ABUT_CAPABILITY_HULL)) {
        skip();
    }
    accuracy *row = accuracy_begin("the same for hulls of nearly coplanar points, which may be merged",
                                   "all facet directions of A - B, 200 bits", "depth - least depth, over the sizes", 1e-9);
    check_row(row, NULL, 0, 100000, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlapping_polytopes), cmocka_unit_test(nearly_coplanar_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
