/*
 * Hulls, boxes and capsules that go through rough one-sided terrain, at any depth. The oracle bounds the distance of the body and every triangle from both
 * sides. A body that meets a triangle touches the terrain, however much of it is below; a body wholly below touches nothing. Contacts push towards the front.
 */
#include <abut/collide.h>
#include <abut/mesh.h>

#include <math.h>
#include <stdlib.h>

#include "accuracy/sunk_body.h"
#include "support/meshes.h"
#include "support/oracle.h"

enum { ROOM = 4096, SIDE = 9 };

typedef struct terrain {
    abut_vec3 vertex[SIDE * SIDE];
    int32_t triangle[2 * (SIDE - 1) * (SIDE - 1)][3], triangles;
    double heights[SIDE * SIDE];
    bool field;
} terrain;

static void make_terrain(terrain *t, random_state *random) {
    double rough = random_below(random, 5) ? random_log_range(random, 1e-3, 1.0) : 0.0, step = random_below(random, 2) ? 0.25 : 1e-9;
    t->field = random_below(random, 2) == 0;
    t->triangles = 0;
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        t->heights[i] = step * round(rough * random_range(random, -1, 1) / step);
        t->vertex[i] = abut_vec3_make(0.25 * (i % SIDE), 0.25 * (i / SIDE), t->heights[i]);
        if (!t->field) {
            t->vertex[i].x += 0.05 * random_range(random, -1, 1);
            t->vertex[i].y += 0.05 * random_range(random, -1, 1);
        }
    }
    for (int32_t c = 0; c < (SIDE - 1) * (SIDE - 1); c++) {
        int32_t a = c / (SIDE - 1) * SIDE + c % (SIDE - 1), b = a + 1, d = a + SIDE, e = d + 1;
        int32_t two[6] = {a, b, e, a, e, d};
        for (int k = 0; k < 6; k++) {
            t->triangle[t->triangles + k / 3][k % 3] = two[k];
        }
        t->triangles += 2;
    }
}

static abut_shape *shape_of(const terrain *t) {
    if (!t->field) {
        return meshes_make(t->vertex, SIDE * SIDE, &t->triangle[0][0], t->triangles);
    }
    abut_heightfield_def def = {.heights = t->heights, .columns = SIDE, .rows = SIDE, .spacing_x = 0.25, .spacing_y = 0.25};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

/* ---- the oracle ---- */

/* The body's vertices, extended by a radius. */
typedef struct cloud {
    abut_vec3 point[SUNK_POINTS];
    int32_t points;
    double radius;
} cloud;

static cloud make_cloud(const sunk_body *b) {
    const sunk_piece *p = &b->piece[0];
    cloud c = {.points = p->kind == SUNK_CAPSULE ? 2
                         : p->kind == SUNK_BOX   ? 8
                                                 : p->points,
               .radius = p->kind == SUNK_CAPSULE ? p->half.x : 0.0};
    for (int32_t i = 0; i < c.points; i++) {
        abut_vec3 local = p->kind == SUNK_CAPSULE ? abut_vec3_make(0, 0, i ? p->half.y : -p->half.y)
                          : p->kind == SUNK_BOX   ? abut_vec3_make(i & 1 ? p->half.x : -p->half.x, i & 2 ? p->half.y : -p->half.y,
                                                                 i & 4 ? p->half.z : -p->half.z)
                                                : p->point[i];
        c.point[i] = abut_pose_apply(b->pose, local);
    }
    return c;
}

/* The largest dot product with d over the convex hull of points, and its point. */
static double support(const abut_vec3 *point, int32_t count, abut_vec3 d, abut_vec3 *at) {
    double most = -INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double x = abut_dot(d, point[i]);
        if (x > most) {
            most = x;
            *at = point[i];
        }
    }
    return most;
}

/* Whether a common point of cloud and triangle certainly exists (1), certainly does not (-1), or it is too close to tell (0): by the method of Frank and Wolfe
 * with exact line search on the difference of both, which bounds its distance from both sides. */
static int meets(const cloud *c, const abut_vec3 corner[3], double *apart) {
    abut_vec3 p = c->point[0], q = corner[0], w = abut_sub(p, q);
    const double tiny = 1e-9;
    for (int round = 0; round < 2000; round++) {
        double length = abut_length(w);
        *apart = length - c->radius;
        if (length < c->radius - tiny || length < tiny) {
            return 1;
        }
        support(c->point, c->points, abut_neg(w), &p);
        support(corner, 3, w, &q);
        abut_vec3 s = abut_sub(p, q), step = abut_sub(s, w);
        if (abut_dot(w, s) / length > c->radius + tiny) {
            return -1;
        }
        double square = abut_length_squared(step);
        if (!(square > 0.0)) {
            return 0;
        }
        w = abut_add_scaled(w, fmin(1.0, fmax(0.0, -abut_dot(w, step) / square)), step);
    }
    return 0;
}

/* The largest product of the contact's normal with that of a triangle there. It is negative if the contact pushes to the back of the surface. */
static double front_of(const terrain *t, const abut_contact *c) {
    double most = -1.0;
    int32_t named = c->feature_b.kind == ABUT_FEATURE_FACE   ? c->feature_b.index
                    : c->feature_b.kind == ABUT_FEATURE_EDGE ? c->feature_b.index / 3
                                                             : -1;
    for (int32_t i = 0; i < t->triangles; i++) {
        const abut_vec3 p = t->vertex[t->triangle[i][0]], q = t->vertex[t->triangle[i][1]], r = t->vertex[t->triangle[i][2]];
        if (i == named || abut_distance_between(c->on_b, oracle_on_triangle(c->on_b, p, q, r)) < 1e-9) {
            most = fmax(most, abut_dot(c->normal, abut_unit(abut_cross(abut_sub(q, p), abut_sub(r, p)))));
        }
    }
    return most;
}

/* ---- one sample ---- */

static void sample(accuracy *row, uint64_t seed) {
    static terrain t;
    random_state random = random_make(seed);
    make_terrain(&t, &random);
    sunk_body b = sunk_body_random(&random, false);
    sunk_piece *p = &b.piece[0];
    p->kind = random_below(&random, 2) || p->kind == SUNK_ELLIPSOID ? SUNK_HULL : p->kind;
    b.pose.rotation = random_rotation(&random);
    const int32_t *in = t.triangle[random_below(&random, t.triangles)];
    abut_vec3 on =
        abut_lerp(abut_lerp(t.vertex[in[0]], t.vertex[in[1]], random_range(&random, 0, 1)), t.vertex[in[2]], random_range(&random, 0, 1));
    b.pose.position = abut_add(on, random_vec3(&random, -0.8, 0.8));
    cloud c = make_cloud(&b);
    abut_shape *body = sunk_body_shape(&b), *mesh = shape_of(&t);
    abut_contact contacts[ROOM];
    int32_t count = meshes_ask(body, b.pose, mesh, abut_pose_identity(), 0.0, random_below(&random, 2) == 0, contacts);
    accuracy_next(row, seed);
    int met = -1;
    for (int32_t i = 0; i < t.triangles && met < 1; i++) {
        const abut_vec3 corner[3] = {t.vertex[t.triangle[i][0]], t.vertex[t.triangle[i][1]], t.vertex[t.triangle[i][2]]};
        double apart;
        int one = meets(&c, corner, &apart);
        met = one > met ? one : met;
    }
    if (met == 1 && count == 0) {
        accuracy_wrong(row, "kind %d: missed", p->kind);
    }
    if (met == -1 && count > 0) {
        accuracy_wrong(row, "kind %d: %d contacts, but apart; gap %g", p->kind, (int)count, contacts[0].gap);
    }
    for (int32_t i = 0; i < count; i++) {
        double front = front_of(&t, &contacts[i]);
        accuracy_error(row, -front, "kind %d: from behind: normal (%g %g %g), gap %g", p->kind, contacts[i].normal.x, contacts[i].normal.y,
                       contacts[i].normal.z, contacts[i].gap);
    }
    abut_shape_release(body);
    abut_shape_release(mesh);
}

static void through_terrain(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("bodies through one-sided terrain: met or not, and pushed to the front",
                                   "distance to every triangle, from both sides", "backward part of a normal", 1e-6);
    sample(row, UINT64_C(180300003305)); /* once wrong */
    for (int32_t i = 0; i < accuracy_samples(100000); i++) {
        sample(row, UINT64_C(180300000000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(through_terrain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
