/* Contacts and distances of a torus, whose closed form is known, given by its parameters and by an implicit function, with bodies of all kinds. */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>
#include <abut/smooth.h>

#include <math.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/user_surface.h"

typedef struct ring {
    double ring, tube;
    user_torus user;
    abut_shape *shape[2]; /* parametric, implicit */
} ring;

static void ring_make(ring *r, double big, double small) {
    r->ring = big;
    r->tube = small;
    r->user = (user_torus){.ring = big, .tube = small};
    const abut_implicit_def def = user_torus_implicit(&r->user);
    assert_ok(abut_shape_create_torus(big, small, &r->shape[0]));
    assert_ok(abut_shape_create_implicit(&def, &r->shape[1]));
}

static void ring_free(ring *r) {
    abut_shape_release(r->shape[0]);
    abut_shape_release(r->shape[1]);
}

/* Distance of a point from the surface, negative inside, and the outward normal there. Shape frame. */
static double distance_of(const ring *r, abut_vec3 p, abut_vec3 *normal) {
    double rho = sqrt(p.x * p.x + p.y * p.y), x = rho - r->ring, d = sqrt(x * x + p.z * p.z);
    *normal = abut_scale(1.0 / d, abut_vec3_make(x * p.x / rho, x * p.y / rho, p.z));
    return d - r->tube;
}

static double box_distance(abut_vec3 half, abut_vec3 p) {
    double x = fabs(p.x) - half.x, y = fabs(p.y) - half.y, z = fabs(p.z) - half.z, inside = fmax(x, fmax(y, z));
    double out = sqrt(fmax(x, 0) * fmax(x, 0) + fmax(y, 0) * fmax(y, 0) + fmax(z, 0) * fmax(z, 0));
    return inside < 0.0 ? inside : out;
}

/* What is true of every exact contact: points on both surfaces, which face each other along the torus's normal. */
static void check_on_torus(const ring *r, const abut_pair *pair, const abut_contact *c, tally *t) {
    abut_vec3 normal, local = abut_pose_apply_inverse(pair->pose_a, c->on_a);
    double off = distance_of(r, local, &normal);
    normal = abut_quat_rotate(pair->pose_a.rotation, normal);
    if (fabs(off) > 1e-11 * r->ring) {
        tally_fail(t, "point off the torus", "by %.3g", off);
    }
    if (abut_distance_between(normal, abut_neg(c->normal)) > 1e-9) {
        tally_fail(t, "normal is not that of the torus", "by %.3g", abut_distance_between(normal, abut_neg(c->normal)));
    }
    abut_vec3 facing = abut_add_scaled(c->on_b, c->gap, c->normal);
    if (abut_distance_between(facing, c->on_a) > 1e-9 * r->ring) {
        tally_fail(t, "points do not face each other", "by %.3g", abut_distance_between(facing, c->on_a));
    }
}

static const abut_contact *deepest_of(const abut_contact *contacts, int32_t count) {
    const abut_contact *deepest = contacts;
    for (int32_t i = 1; i < count; i++) {
        deepest = contacts[i].gap < deepest->gap ? &contacts[i] : deepest;
    }
    return deepest;
}

static void balls(void **state) {
    (void)state;
    enum { ROOM = 64 };
    tally t = {0};
    random_state rng = random_make(11);
    ring r;
    ring_make(&r, 1.5, 0.4);
    const int32_t samples = random_runs("balls", 12000);
    for (int32_t i = 0; i < samples; i++) {
        double radius = random_range(&rng, 0.05, 0.55);
        abut_shape *ball = sphere(radius);
        abut_pose pose = random_pose(&rng, 3.0);
        abut_vec3 local = random_vec3(&rng, -2.4, 2.4), normal;
        const abut_pair pair = {r.shape[i % 2], pose, ball, {abut_pose_apply(pose, local), random_rotation(&rng)}};
        double gap = distance_of(&r, local, &normal) - radius;
        abut_contact contacts[ROOM];
        int32_t count;
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.2;
        tally_sample(&t, "%d: local %g %g %g radius %g", (int)i, local.x, local.y, local.z, radius);
        assert_ok(abut_collide(&pair, &settings, NULL, contacts, ROOM, &count));
        bool overlap;
        assert_ok(abut_overlap(&pair, NULL, &overlap));
        if (overlap != (gap <= 0.0) && fabs(gap) > 1e-12) {
            tally_fail(&t, "overlap", "gap %g", gap);
        }
        abut_separation separation;
        assert_ok(abut_distance(&pair, NULL, NULL, &separation));
        if (fabs(separation.gap - gap) > 1e-11) {
            tally_fail(&t, gap > 0.0 ? "distance" : "depth by distance", "%.9g instead of %.9g", separation.gap, gap);
        }
        if ((count > 0) != (gap <= settings.margin)) {
            tally_fail(&t, gap > 0.0 ? "contact in margin" : "contact", "%d contacts at a gap of %.9g", (int)count, gap);
        } else if (count > 0 && fabs(deepest_of(contacts, count)->gap - gap) > 1e-11) {
            tally_fail(&t, gap > 0.0 ? "gap apart" : "gap", "%.9g instead of %.9g, flags %u", deepest_of(contacts, count)->gap, gap,
                       deepest_of(contacts, count)->flags);
        }
        for (int32_t k = 0; k < count; k++) {
            if ((contacts[k].flags & ABUT_CONTACT_WITNESS) != 0) {
                tally_fail(&t, "contact is not exact", "gap %.9g", contacts[k].gap);
            }
            check_on_torus(&r, &pair, &contacts[k], &t);
        }
        abut_shape_release(ball);
    }
    tally_end(&t);
    ring_free(&r);
}

/* The least distance of the torus from a box, by a search that halves its steps. Shape frame of the torus. */
static double sampled_distance(const ring *r, abut_vec3 half, abut_pose local, double u, double v, double step) {
    double least = INFINITY;
    for (double size = step; size > 1e-9; size *= 0.5) {
        for (int k = 0; k < 25; k++) {
            double p = u + size * (k % 5 - 2), q = v + size * (k / 5 - 2), rho = r->ring + r->tube * cos(q);
            double found = box_distance(half, abut_pose_apply_inverse(local, abut_vec3_make(rho * cos(p), rho * sin(p), r->tube * sin(q))));
            if (found < least) {
                least = found;
                u = p;
                v = q;
                k = -1;
            }
        }
    }
    return least;
}

static double brute_distance(const ring *r, abut_vec3 half, abut_pose local) {
    enum { U = 24, V = 8 };
    double least = INFINITY;
    for (int k = 0; k < U * V; k++) {
        least = fmin(least, sampled_distance(r, half, local, 2 * PI * (k % U) / U, 2 * PI * (k / U) / V, 0.1));
    }
    return least;
}

/* No point of the torus is nearer to the box, and the points found are that far, on both surfaces. */
static void boxes(void **state) {
    (void)state;
    enum { ROOM = 64 };
    tally t = {0};
    random_state rng = random_make(12);
    ring r;
    ring_make(&r, 1.5, 0.4);
    const int32_t samples = random_runs("boxes", 2000);
    for (int32_t i = 0, count; i < samples; i++) {
        abut_vec3 half = random_vec3(&rng, 0.1, 0.6);
        abut_shape *shape = box(half.x, half.y, half.z);
        abut_pose pose = random_pose(&rng, 3.0), local = {random_vec3(&rng, -2.6, 2.6), random_rotation(&rng)};
        const abut_pair pair = {r.shape[i % 2], pose, shape, abut_pose_compose(pose, local)};
        double least = brute_distance(&r, half, local);
        tally_sample(&t, "%d: distance %.9g", (int)i, least);
        abut_separation s;
        assert_ok(abut_distance(&pair, NULL, NULL, &s));
        if (least > 0.0 && fabs(s.gap - least) > 1e-8) {
            tally_fail(&t, "distance", "%.9g", s.gap);
        }
        abut_contact contacts[ROOM];
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.1;
        assert_ok(abut_collide(&pair, &settings, NULL, contacts, ROOM, &count));
        if ((count > 0) != (least <= settings.margin)) {
            tally_fail(&t, "contacts", "%d", (int)count);
        }
        for (int32_t k = 0; k < count; k++) {
            bool witness = (contacts[k].flags & ABUT_CONTACT_WITNESS) != 0;
            if (witness && contacts[k].gap > -0.1) {
                tally_fail(&t, "shallow contact is not exact", "gap %.9g", contacts[k].gap);
            }
            if (!witness) {
                double off = box_distance(half, abut_pose_apply_inverse(pair.pose_b, contacts[k].on_b));
                check_on_torus(&r, &pair, &contacts[k], &t);
                if (fabs(off) > 1e-9) {
                    tally_fail(&t, "point off the box", "by %g", off);
                }
            }
        }
        abut_shape_release(shape);
    }
    tally_end(&t);
    ring_free(&r);
}

/* A convex body of some kind. */
static abut_shape *convex_of(int kind) {
    static user_ellipsoid egg = {{0.3, 0.2, 0.4}, {0, 0, 0}};
    const abut_implicit_def def = user_ellipsoid_implicit(&egg);
    abut_shape *made = NULL;
    switch (kind) {
    case 0:
        return capsule(0.2, 0.3);
    case 1:
        return prism(0.3, 0.3, 7);
    case 2:
        return cylinder(0.3, 0.4);
    case 3:
        return cone(0.4, 0.7);
    case 4:
        return truncated(0.4, 0.2, 0.6);
    case 5:
        return ellipsoid(0.3, 0.2, 0.5);
    case 6:
        assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.3, 0.4, 0.3), 0.7, 1.2, &made));
        return made;
    default:
        assert_ok(abut_shape_create_implicit(&def, &made));
        return made;
    }
}

/* A shallow exact contact is at a point of a convex body that is farthest along the normal. */
static void convex_kinds(void **state) {
    (void)state;
    enum { ROOM = 64, KINDS = 8 };
    tally t = {0};
    random_state rng = random_make(16);
    ring r;
    ring_make(&r, 1.5, 0.4);
    const int32_t samples = random_runs("convex kinds", 4000);
    int exact[KINDS] = {0}, others[KINDS] = {0};
    for (int32_t i = 0, count; i < samples; i++) {
        int kind = i % KINDS;
        abut_shape *shape = convex_of(kind);
        double u = random_range(&rng, 0, 2 * PI), v = random_range(&rng, 0, 2 * PI), out = r.tube + random_range(&rng, 0.2, 0.5);
        double rho = fmax(0.0, r.ring + out * cos(v)); /* near the surface, also in the hole */
        abut_pose pose = random_pose(&rng, 3.0), local = {{rho * cos(u), rho * sin(u), out * sin(v)}, random_rotation(&rng)};
        const abut_pair pair = {r.shape[i / KINDS % 2], pose, shape, abut_pose_compose(pose, local)};
        abut_contact contacts[ROOM];
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.1;
        tally_sample(&t, "%d: kind %d", (int)i, kind);
        assert_ok(abut_collide(&pair, &settings, NULL, contacts, ROOM, &count));
        for (int32_t k = 0; k < count; k++) {
            if (contacts[k].gap < -0.05) {
                continue;
            }
            if ((contacts[k].flags & ABUT_CONTACT_WITNESS) != 0) {
                others[kind]++;
                continue;
            }
            exact[kind]++;
            check_on_torus(&r, &pair, &contacts[k], &t);
            abut_vec3 normal = abut_quat_rotate_inverse(pair.pose_b.rotation, contacts[k].normal), top;
            assert_ok(abut_shape_support(shape, normal, &top, NULL));
            double below = abut_dot(normal, abut_sub(top, abut_pose_apply_inverse(pair.pose_b, contacts[k].on_b)));
            if (fabs(below) > 1e-8) {
                tally_fail(&t, "point is not the farthest", "by %.3g, gap %.3g", below, contacts[k].gap);
            }
        }
        abut_shape_release(shape);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        print_message("kind %d: %d exact, %d witnesses\n", kind, exact[kind], others[kind]);
    }
    tally_end(&t);
    for (int kind = 0; kind < KINDS; kind++) {
        assert_true(exact[kind] > 5 * others[kind]); /* the others say that they are witnesses */
    }
    ring_free(&r);
}

/* Where a ray meets the torus first: the least root of a polynomial of degree four, by bisection between samples. Shape frame. */
static double brute_ray(const ring *r, abut_vec3 origin, abut_vec3 way) {
    enum { STEPS = 20000 };
    abut_vec3 unused;
    double last = distance_of(r, origin, &unused);
    for (int k = 1; k <= STEPS && last > 0.0; k++) {
        double low = (k - 1.0) / STEPS, high = (double)k / STEPS, now = distance_of(r, abut_add_scaled(origin, high, way), &unused);
        for (int n = 0; n < 60 && now <= 0.0; n++) {
            double middle = 0.5 * (low + high);
            if (distance_of(r, abut_add_scaled(origin, middle, way), &unused) <= 0.0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        if (now <= 0.0) {
            return high;
        }
        last = now;
    }
    return last <= 0.0 ? 0.0 : INFINITY;
}

static void rays(void **state) {
    (void)state;
    tally t = {0};
    random_state rng = random_make(13);
    ring r;
    ring_make(&r, 1.5, 0.4);
    const int32_t samples = random_samples("rays", 4000);
    for (int32_t i = 0; i < samples; i++) {
        abut_pose pose = random_pose(&rng, 3.0);
        abut_vec3 origin = random_vec3(&rng, -2.5, 2.5), way = random_vec3(&rng, -5.0, 5.0), normal;
        abut_hit hit;
        double expected = brute_ray(&r, origin, way);
        tally_sample(&t, "%d: fraction %.9g", (int)i, expected);
        assert_ok(abut_ray_cast(r.shape[i % 2], pose, abut_pose_apply(pose, origin), abut_quat_rotate(pose.rotation, way), &hit));
        if (hit.hit != (expected <= 1.0) || (hit.hit && fabs(hit.fraction - expected) > 1e-9)) {
            tally_fail(&t, "ray", "hit %d at %.9g", hit.hit, hit.fraction);
        }
        if (hit.hit && hit.started_inside != (distance_of(&r, origin, &normal) < 0.0)) {
            tally_fail(&t, "started inside", "%d", hit.started_inside);
        }
        if (hit.hit && !hit.started_inside) {
            (void)distance_of(&r, abut_add_scaled(origin, hit.fraction, way), &normal);
            if (abut_distance_between(abut_quat_rotate(pose.rotation, normal), hit.normal) > 1e-9) {
                tally_fail(&t, "normal of a ray", "off by %.3g",
                           abut_distance_between(abut_quat_rotate(pose.rotation, normal), hit.normal));
            }
        }
    }
    tally_end(&t);
    ring_free(&r);
}

/* A ball that flies and a torus that spins about its axis, which changes nothing: the ball's centre meets the torus of the larger tube. */
static void casts(void **state) {
    (void)state;
    tally t = {0};
    random_state rng = random_make(14);
    ring r, wide;
    ring_make(&r, 1.5, 0.4);
    const int32_t samples = random_runs("casts", 800);
    for (int32_t i = 0; i < samples; i++) {
        double radius = random_range(&rng, 0.05, 0.5);
        wide = (ring){.ring = 1.5, .tube = 0.4 + radius};
        abut_shape *ball = sphere(radius);
        abut_pose pose = random_pose(&rng, 3.0);
        abut_vec3 origin = random_vec3(&rng, -4.0, 4.0), way = random_vec3(&rng, -6.0, 6.0), unused;
        double start = distance_of(&wide, origin, &unused), expected = brute_ray(&wide, origin, way);
        const abut_pair pair = {r.shape[i % 2], pose, ball, {abut_pose_apply(pose, origin), random_rotation(&rng)}};
        const abut_motion spin = {{0, 0, 0}, abut_quat_rotate(pose.rotation, abut_vec3_make(0, 0, random_range(&rng, -3.0, 3.0)))};
        const abut_motion flight = {abut_quat_rotate(pose.rotation, way), {0, 0, 0}};
        abut_hit hit;
        tally_sample(&t, "%d: fraction %.9g", (int)i, expected);
        assert_ok(abut_shape_cast(&pair, spin, flight, 1e-7, &hit));
        if (hit.started_inside != (start < 0.0)) {
            tally_fail(&t, "cast that starts inside", "%d", hit.started_inside);
        } else if (start > 0.0 && hit.hit && fabs(distance_of(&wide, abut_add_scaled(origin, hit.fraction, way), &unused)) > 1.1e-7) {
            tally_fail(&t, "touch", "at %.9g, apart by %.3g", hit.fraction,
                       distance_of(&wide, abut_add_scaled(origin, hit.fraction, way), &unused));
        } else if (start > 0.0 && (hit.hit != (expected <= 1.0) || (hit.hit && hit.fraction > expected + 1e-9))) {
            tally_fail(&t, "passed", "hit %d at %.9g", hit.hit, hit.fraction);
        }
        abut_shape_release(ball);
    }
    tally_end(&t);
    ring_free(&r);
}

/* On a plane it stands on a ring of contacts. */
static void lies_on_a_plane(void **state) {
    (void)state;
    enum { ROOM = 256 };
    ring r;
    ring_make(&r, 1.5, 0.4);
    abut_shape *floor = plane(abut_vec3_make(0, 0, 1), 0.0);
    for (int k = 0; k < 2; k++) {
        const abut_pair pair = {r.shape[k], at(0, 0, 0.399), floor, at(0, 0, 0)};
        abut_contact contacts[ROOM];
        int32_t count;
        assert_ok(abut_collide(&pair, NULL, NULL, contacts, ROOM, &count));
        assert_true(count >= 3 && count <= ROOM);
        for (int32_t d = 0; d < 36; d++) { /* it stands: there is a contact on every side */
            double most = -INFINITY;
            for (int32_t i = 0; i < count; i++) {
                most = fmax(most, abut_dot(contacts[i].on_b, abut_vec3_make(cos(PI / 18 * d), sin(PI / 18 * d), 0)));
            }
            assert_true(most > 0.1);
        }
        for (int32_t i = 0; i < count; i++) {
            assert_near(contacts[i].gap, -0.001, 1e-12);
            assert_int_equal(contacts[i].patch, 0);
            assert_vec3_near(contacts[i].normal, abut_vec3_make(0, 0, 1), 1e-9);
        }
    }
    abut_shape_release(floor);
    ring_free(&r);
}

/* The triangles are as near to the surface as the shape says. */
static void triangles(void **state) {
    (void)state;
    random_state rng = random_make(15);
    ring r;
    ring_make(&r, 1.5, 0.4);
    for (int k = 0; k < 2; k++) {
        const abut_shape *mesh;
        double error, most = 0.0;
        assert_ok(abut_shape_surface_mesh(r.shape[k], &mesh, &error));
        for (int i = 0; i < 2000; i++) {
            double u = random_range(&rng, 0, 2 * PI), v = random_range(&rng, 0, 2 * PI), rho = r.ring + r.tube * cos(v);
            abut_projection on;
            assert_ok(abut_shape_project(mesh, at(0, 0, 0), abut_vec3_make(rho * cos(u), rho * sin(u), r.tube * sin(v)), &on));
            most = fmax(most, on.distance);
        }
        print_message("the surface is off by %.4g, at most %.4g\n", most, error);
        assert_true(most <= error && error < 2.0 * most);
    }
    ring_free(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls),    cmocka_unit_test(boxes), cmocka_unit_test(convex_kinds),
                                       cmocka_unit_test(rays),     cmocka_unit_test(casts), cmocka_unit_test(lies_on_a_plane),
                                       cmocka_unit_test(triangles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
