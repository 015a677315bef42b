/*
 * Contacts of bodies of rounded triangles: the same pairs as by trying all pairs, for all shapes, radii and depths; tilings of whole balls;
 * the order of the bodies; spheres and planes; contacts of abut_collide().
 */
#include "narrow/facet/counts.h"
#include "narrow/facet/mesh.h"

#include <stdlib.h>
#include <string.h>

#include <abut/query.h>
#include <abut/rates.h>
#include <abut/smooth.h>

#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"

enum { ROOM = 60000 };
static abut_facetmesh_contact found[ROOM], other[ROOM];

/* ---- all pairs of facets ---- */

/* In A's frame, as in the library, so that exactly the same pairs must be in contact. */
static int32_t try_all(const abut_shape *a, const abut_shape *b, const facet_placement *at, abut_facetmesh_contact *all) {
    int32_t count = 0;
    const facet_bodies bodies = facet_bodies_of(a, b, at);
    for (int32_t i = 0; i < a->mesh->triangle_count; ++i) {
        for (int32_t k = 0; k < b->mesh->triangle_count; ++k) {
            const facet_side *own = &b->facets->side[k];
            abut_vec3 corner[3];
            for (int c = 0; c < 3; ++c) {
                corner[c] = abut_add(abut_mat3_apply(at->rotation, own->corner[c]), at->position);
            }
            facet_side side = *own;
            side.normal = abut_mat3_apply(at->rotation, own->normal);
            side.foot = abut_add(abut_mat3_apply(at->rotation, own->foot), at->position);
            side.centre = abut_add(abut_mat3_apply(at->rotation, own->centre), at->position);
            side.corner = corner;
            abut_facet_contact c = facet_meet(&a->facets->side[i], &side, abut_vec3_make(0, 0, 0), 0.0);
            if (c.relation == ABUT_FACET_CONTACT && facet_contact_counts(&bodies, &a->facets->side[i], &side, &c) && count < ROOM) {
                all[count++] = (abut_facetmesh_contact){i, k, c};
            }
        }
    }
    return count;
}

/* Returns the number of contacts. */
static int32_t check_against_all(tally *t, const abut_shape *a, const abut_shape *b, const facet_placement *at) {
    facet_found walk;
    static int32_t order[ROOM];
    facet_found_init(&walk);
    facetmesh_meet(a, b, at, &walk);
    int32_t count = try_all(a, b, at, other);
    if (walk.count != count) {
        tally_fail(t, "number of pairs", "%d instead of %d", (int)walk.count, (int)count);
    } else {
        facet_found_sort(&walk, order);
        for (int32_t i = 0; i < count; ++i) {
            if (memcmp(&walk.items[order[i]], &other[i], sizeof *other) != 0) {
                tally_fail(t, "pair", "%d: (%d, %d) instead of (%d, %d)", (int)i, (int)walk.items[order[i]].facet_a,
                           (int)walk.items[order[i]].facet_b, (int)other[i].facet_a, (int)other[i].facet_b);
            }
        }
    }
    facet_found_free(&walk);
    return count;
}

static abut_shape *random_body(random_state *random) {
    facet_body body;
    int kind = (int)(random_next(random) % 6);
    if (kind == 5) {
        body = facet_body_torus(1.0, random_range(random, 0.2, 0.8), 14, 9);
    } else {
        body = facet_body_ball(kind % 3);
    }
    abut_vec3 scale = {random_range(random, 0.3, 1.5), random_range(random, 0.3, 1.5), random_range(random, 0.3, 1.5)};
    facet_body_scale(&body, scale);
    double *radii = check_memory((size_t)body.triangle_count, sizeof *radii);
    for (int32_t i = 0; i < body.triangle_count; ++i) {
        double chance = random_range(random, 0.0, 1.0);
        radii[i] = chance < 0.1 ? INFINITY : chance < 0.15 ? 1e8 : random_log_range(random, 0.05, 30.0);
    }
    int how = (int)(random_next(random) % 3);
    abut_shape *shape = how == 0 ? facet_body_shape(&body, radii) : how == 1 ? facet_body_shape(&body, NULL) : facet_body_round(&body, 1.5);
    free(radii);
    facet_body_free(&body);
    return shape;
}

static void test_same_as_all_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facet bodies", 17));
    static tally t;
    int64_t contacts = 0;
    for (int32_t i = 0, count = random_samples("facet bodies", 3000); i < count; ++i) {
        abut_shape *a = random_body(&random), *b = random_body(&random);
        abut_pose pose = random_pose(&random, random_range(&random, 0.0, 2.0));
        const facet_placement at = {abut_mat3_from_quat(pose.rotation), pose.position};
        tally_sample(&t, "sample %d, %d and %d triangles", (int)i, (int)abut_shape_facet_count(a), (int)abut_shape_facet_count(b));
        contacts += check_against_all(&t, a, b, &at);
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
    assert_true(contacts > 1000);
}

/* ---- thin bodies ---- */

/* Coins side by side. Their far sides lie on spheres that overlap deeply, but only the near sides touch. */
static void test_coins(void **state) {
    (void)state;
    facet_body body = facet_body_ball(4);
    facet_body_scale(&body, abut_vec3_make(1.0, 1.0, 0.35));
    abut_shape *coin = facet_body_shape(&body, NULL);
    const double half = abut_shape_bounds(coin, abut_pose_identity()).upper.z;
    for (int i = -4; i <= 4; ++i) {
        double gap = 0.002 * i - 0.001;
        abut_pose above = abut_pose_identity();
        above.position = abut_vec3_make(0.01, 0.02, 2.0 * half + gap);
        int32_t count;
        assert_ok(abut_collide_facets(&(abut_pair){coin, abut_pose_identity(), coin, above}, found, ROOM, &count));
        assert_true(gap < 0.0 ? count > 0 : count == 0);
        for (int32_t k = 0; k < count; ++k) {
            assert_true(found[k].contact.normal.z < -0.9); /* from the upper coin into the lower one */
            assert_true(-found[k].contact.gap <= -gap + 1e-3);
        }
    }
    abut_shape_release(coin);
    facet_body_free(&body);
}

/* ---- whole balls ---- */

static double total_area(const abut_facetmesh_contact *contacts, int32_t count) {
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        sum += contacts[i].contact.area_in_circle;
    }
    return sum;
}

static void check_order(const abut_facetmesh_contact *contacts, int32_t count) {
    for (int32_t i = 1; i < count; ++i) {
        const abut_facetmesh_contact *p = &contacts[i - 1], *q = &contacts[i];
        assert_true(p->facet_a < q->facet_a || (p->facet_a == q->facet_a && p->facet_b < q->facet_b));
    }
}

/* The shares of all pairs tile the contact circle, also for bodies deep in each other and far from the origin. */
static void test_tiling(void **state) {
    (void)state;
    random_state random = random_make(21);
    for (int level = 0; level <= 4; ++level) {
        facet_body ball = facet_body_ball(level);
        abut_shape *a = facet_body_round(&ball, 1.0);
        facet_body_scale(&ball, abut_vec3_make(1.5, 1.5, 1.5));
        abut_shape *b = facet_body_shape(&ball, NULL);
        for (int i = 0; i < 8; ++i) {
            double distance = i < 4 ? 2.47 : 2.2;
            abut_pose pose_a = {random_vec3(&random, -3, 3), random_rotation(&random)};
            abut_pose pose_b = {abut_add_scaled(pose_a.position, distance, random_direction(&random)), random_rotation(&random)};
            int32_t count;
            assert_ok(abut_collide_facets(&(abut_pair){a, pose_a, b, pose_b}, found, ROOM, &count));
            assert_true(count > 0);
            check_order(found, count);
            double circle = found[0].contact.circle_radius;
            assert_near(total_area(found, count) / (PI * circle * circle), 1.0, 1e-12);
            assert_near(-found[0].contact.sphere_gap, 2.5 - distance, 1e-13);
        }
        abut_shape_release(a);
        abut_shape_release(b);
        facet_body_free(&ball);
    }
}

/* Compared with the facets placed in the world, one pair at a time. */
static void test_same_as_single_facets(void **state) {
    (void)state;
    random_state random = random_make(random_seed("single facets", 22));
    facet_body ball = facet_body_ball(1);
    facet_body_scale(&ball, abut_vec3_make(1.0, 0.8, 0.6));
    abut_shape *a = facet_body_shape(&ball, NULL);
    for (int n = 0; n < 20; ++n) {
        abut_pose pose_a = random_pose(&random, 1.0),
                  pose_b = {abut_add_scaled(pose_a.position, 1.4, random_direction(&random)), random_rotation(&random)};
        int32_t count, at = 0;
        assert_ok(abut_collide_facets(&(abut_pair){a, pose_a, a, pose_b}, found, ROOM, &count));
        for (int32_t i = 0; i < abut_shape_facet_count(a); ++i) {
            for (int32_t k = 0; k < abut_shape_facet_count(a); ++k) {
                abut_facet p, q;
                abut_facet_contact c;
                assert_ok(abut_shape_facet(a, pose_a, i, &p));
                assert_ok(abut_shape_facet(a, pose_b, k, &q));
                assert_ok(abut_facet_collide(&p, &q, &c));
                bool here = at < count && found[at].facet_a == i && found[at].facet_b == k;
                if (here) {
                    assert_near(-found[at].contact.gap, -c.gap, 1e-12);
                    assert_near(found[at].contact.area, c.area, 1e-12);
                    assert_vec3_near(found[at].contact.normal, c.normal, 1e-12);
                    assert_vec3_near(found[at].contact.point, c.point, 1e-7);
                }
                at += here;
                assert_true(here || c.relation != ABUT_FACET_CONTACT || -c.gap < 1e-10);
            }
        }
        assert_int_equal(at, count);
    }
    abut_shape_release(a);
    facet_body_free(&ball);
}

static void test_swap(void **state) {
    (void)state;
    random_state random = random_make(random_seed("swap", 23));
    static tally t;
    for (int32_t n = 0; n < 200; ++n) {
        abut_shape *a = random_body(&random), *b = random_body(&random);
        abut_pose pose_a = random_pose(&random, 0.5),
                  pose_b = {abut_add_scaled(pose_a.position, 1.5, random_direction(&random)), random_rotation(&random)};
        int32_t count, turned;
        assert_ok(abut_collide_facets(&(abut_pair){a, pose_a, b, pose_b}, found, ROOM, &count));
        assert_ok(abut_collide_facets(&(abut_pair){b, pose_b, a, pose_a}, other, ROOM, &turned));
        tally_sample(&t, "sample %d", (int)n);
        if (count != turned) {
            tally_fail(&t, "number", "%d, swapped %d", (int)count, (int)turned);
        }
        for (int32_t i = 0; i < count && count == turned; ++i) {
            int32_t k = 0;
            while (k < turned && !(other[k].facet_a == found[i].facet_b && other[k].facet_b == found[i].facet_a)) {
                ++k;
            }
            bool same = k < turned && fabs(-other[k].contact.gap + found[i].contact.gap) <= 1e-7 && /* radii of 1e8 */
                        abut_length(abut_add(other[k].contact.normal, found[i].contact.normal)) <= 1e-9;
            if (!same) {
                tally_fail(&t, "contact", "%d: overlap %.17g, swapped %.17g", (int)i, -found[i].contact.gap,
                           k < turned ? -other[k].contact.gap : -1.0);
            }
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
    tally_end(&t);
}

/* ---- spheres and planes ---- */

static void check_whole(const abut_shape *mesh, abut_pose pose, const abut_shape *whole, abut_pose at, double overlap) {
    int32_t count, turned;
    assert_ok(abut_collide_facets(&(abut_pair){mesh, pose, whole, at}, found, ROOM, &count));
    assert_ok(abut_collide_facets(&(abut_pair){whole, at, mesh, pose}, other, ROOM, &turned));
    assert_int_equal(count, turned);
    assert_true(count > 0);
    double circle = found[0].contact.circle_radius;
    assert_near(total_area(found, count) / (PI * circle * circle), 1.0, 1e-12);
    for (int32_t i = 0; i < count; ++i) {
        const abut_facet_contact *p = &found[i].contact, *q = &other[i].contact;
        assert_int_equal(found[i].facet_b, -1);
        assert_int_equal(other[i].facet_a, -1);
        assert_int_equal(found[i].facet_a, other[i].facet_b);
        assert_near(-p->sphere_gap, overlap, 1e-13);
        assert_vec3_near(p->normal, abut_neg(q->normal), 1e-13);
        assert_vec3_near(p->point, q->point, 1e-12);
        assert_vec3_near(p->corner[0], q->corner[2], 1e-12);
    }
}

static void test_spheres_and_planes(void **state) {
    (void)state;
    random_state random = random_make(24);
    for (int level = 0; level <= 3; ++level) {
        facet_body ball = facet_body_ball(level);
        abut_shape *mesh = facet_body_round(&ball, 1.0), *sphere, *plane;
        assert_ok(abut_shape_create_sphere(2.0, &sphere));
        assert_ok(abut_shape_create_plane(abut_vec3_make(0, 1, 2), 0.3, &plane));
        abut_pose pose = random_pose(&random, 2.0),
                  at = {abut_add_scaled(pose.position, 2.9, random_direction(&random)), random_rotation(&random)};
        check_whole(mesh, pose, sphere, at, 0.1);
        abut_vec3 normal = abut_quat_rotate(at.rotation, abut_shape_plane_normal(plane));
        abut_pose under = {abut_add_scaled(pose.position, -0.95 - 0.3, normal), at.rotation};
        check_whole(mesh, pose, plane, under, 0.05);
        abut_shape_release(mesh);
        abut_shape_release(sphere);
        abut_shape_release(plane);
        facet_body_free(&ball);
    }
}

/* All facets of all kinds with a sphere and a plane, compared with trying all. */
static void test_whole_same_as_all(void **state) {
    (void)state;
    random_state random = random_make(random_seed("whole partners", 25));
    for (int n = 0; n < 300; ++n) {
        abut_shape *mesh = random_body(&random);
        facet_found ball, plane;
        abut_vec3 centre = random_vec3(&random, -2, 2), normal = random_direction(&random);
        double radius = random_range(&random, 0.1, 2.0), offset = random_range(&random, -1.0, 0.5);
        const facet_side sphere = {.centre = centre, .radius = radius},
                         space = {.radius = INFINITY, .normal = normal, .foot = abut_scale(offset, normal)};
        const facet_bodies on_space = {.a = mesh, .on_plane = true};
        facet_found_init(&ball);
        facet_found_init(&plane);
        facetmesh_meet_sphere(mesh, centre, radius, &ball);
        facetmesh_meet_plane(mesh, normal, offset, &plane);
        int32_t on_ball = 0, on_plane = 0;
        for (int32_t i = 0; i < abut_shape_facet_count(mesh); ++i) {
            on_ball += facet_meet(&mesh->facets->side[i], &sphere, abut_vec3_make(0, 0, 0), 0.0).relation == ABUT_FACET_CONTACT;
            const abut_facet_contact c = facet_meet(&mesh->facets->side[i], &space, abut_vec3_make(0, 0, 0), 0.0);
            on_plane += c.relation == ABUT_FACET_CONTACT && facet_contact_counts(&on_space, &mesh->facets->side[i], &space, &c);
        }
        assert_int_equal(ball.count, on_ball);
        assert_int_equal(plane.count, on_plane);
        facet_found_free(&ball);
        facet_found_free(&plane);
        abut_shape_release(mesh);
    }
}

/* ---- as contacts of any pair ---- */

static void test_collide(void **state) {
    (void)state;
    enum { CONTACTS = 400 };
    static abut_contact contacts[CONTACTS], turned[CONTACTS], together[2 * CONTACTS];
    random_state random = random_make(26);
    facet_body ball = facet_body_ball(2);
    abut_shape *a = facet_body_round(&ball, 1.0), *box;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    abut_pose pose_a = random_pose(&random, 1.0),
              pose_b = {abut_add_scaled(pose_a.position, 1.95, random_direction(&random)), random_rotation(&random)};
    int32_t count, pairs, back;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, a, pose_b}, NULL, NULL, contacts, CONTACTS, &count));
    assert_ok(abut_collide_facets(&(abut_pair){a, pose_a, a, pose_b}, found, ROOM, &pairs));
    assert_int_equal(count, pairs);
    double area = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const abut_contact *c = &contacts[i];
        area += c->area;
        assert_near(c->gap, abut_dot(c->normal, abut_sub(c->on_a, c->on_b)), 1e-15);
        assert_near(abut_distance_between(c->on_a, pose_a.position), 1.0, 1e-12);
        assert_near(abut_distance_between(c->on_b, pose_b.position), 1.0, 1e-12);
        assert_int_equal(c->feature_a.kind, ABUT_FEATURE_FACE);
        abut_curvature on_a, on_b;
        assert_ok(abut_contact_surfaces(c, &(abut_pair){a, pose_a, a, pose_b}, &on_a, &on_b));
        assert_near(on_a.curvature[0], 1.0, 1e-15);
        for (int32_t k = 0; k < i; ++k) {
            assert_true(contacts[k].id != c->id);
        }
    }
    assert_near(area, total_area(found, pairs), 1e-13);
    assert_near(contacts[0].gap, -0.05, 1e-13);
    assert_ok(abut_collide(&(abut_pair){a, pose_b, a, pose_a}, NULL, NULL, turned, CONTACTS, &back));
    assert_int_equal(back, count);
    for (int32_t i = 0; i < count; ++i) {
        int32_t k = 0;
        while (k < count && turned[k].id != contacts[i].id) {
            ++k;
        }
        assert_true(k < count);
        assert_vec3_near(turned[k].on_a, contacts[i].on_b, 1e-12);
    }
    const abut_pair batch[2] = {{a, pose_a, a, pose_b}, {a, pose_a, box, pose_b}};
    abut_pair_result results[2];
    int64_t needed;
    assert_ok(abut_collide_batch(batch, 2, NULL, NULL, NULL, together, 2 * CONTACTS, &needed, results));
    assert_int_equal(results[0].count, count);
    assert_memory_equal(together, contacts, (size_t)count * sizeof *contacts);
    assert_status(results[1].status, ABUT_OK);
    assert_ok(abut_collide(&batch[1], NULL, NULL, contacts, CONTACTS, &back));
    assert_int_equal(needed, count + back);
    assert_memory_equal(together + count, contacts, (size_t)back * sizeof *contacts);
    abut_shape_release(a);
    abut_shape_release(box);
    facet_body_free(&ball);
}

static void test_questions_without_answer(void **state) {
    (void)state;
    facet_body ball = facet_body_ball(1);
    abut_shape *a = facet_body_round(&ball, 1.0), *box, *sphere;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 1, 1), &box));
    assert_ok(abut_shape_create_sphere(1.0, &sphere));
    abut_pose at = abut_pose_identity(), off = {{0, 0, 1.9}, abut_quat_identity()};
    abut_separation separation;
    abut_hit hit;
    abut_cache cache = {0};
    bool overlap = false;
    int32_t count;
    abut_contact contact[64];
    assert_status(abut_collide_facets(&(abut_pair){sphere, at, sphere, off}, found, ROOM, &count), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_status(abut_collide_facets(&(abut_pair){a, at, NULL, off}, found, ROOM, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_collide_facets(&(abut_pair){a, at, a, off}, found, ROOM, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    off.position.x = NAN;
    assert_status(abut_collide_facets(&(abut_pair){a, at, a, off}, found, ROOM, &count), ABUT_ERROR_NOT_FINITE);
    off.position.x = 0.0;
    assert_ok(abut_collide_facets(&(abut_pair){a, at, a, off}, found, ROOM, &count));
    int32_t all = count;
    assert_status(abut_collide_facets(&(abut_pair){a, at, a, off}, other, 1, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, all);
    assert_memory_equal(&other[0], &found[0], sizeof *found);
    assert_ok(abut_distance(&(abut_pair){a, at, sphere, off}, NULL, NULL, &separation));
    assert_true(separation.gap < 0.0);
    assert_ok(abut_shape_cast(&(abut_pair){a, at, sphere, off}, (abut_motion){{1, 0, 0}, {0, 0, 0}}, (abut_motion){{0, 0, 0}, {0, 0, 0}},
                              0.0, &hit));
    assert_true(hit.hit && hit.started_inside);
    assert_ok(abut_overlap(&(abut_pair){a, at, box, off}, NULL, &overlap));
    assert_true(overlap);
    assert_ok(abut_overlap(&(abut_pair){a, at, sphere, off}, &cache, &overlap));
    assert_true(overlap);
    assert_ok(abut_collide(&(abut_pair){a, at, sphere, off}, NULL, &cache, contact, 64, &count));
    assert_ok(abut_ray_cast(a, at, abut_vec3_make(0, 0, 3), abut_vec3_make(0, 0, -4), &hit));
    assert_true(hit.hit && hit.point.z > 0.8 && hit.point.z <= 1.0);
    abut_shape_release(a);
    abut_shape_release(box);
    abut_shape_release(sphere);
    facet_body_free(&ball);
}

static void test_memory(void **state) {
    (void)state;
    facet_body ball = facet_body_ball(3);
    abut_shape *a = facet_body_round(&ball, 1.0);
    abut_pose at = abut_pose_identity(), off = {{0, 0, 1.9}, abut_quat_identity()};
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    int32_t count;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_collide_facets(&(abut_pair){a, at, a, off}, found, ROOM, &count);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 2 && count > FACET_FOUND_FEW);
    abut_shape_release(a);
    facet_body_free(&ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_all_pairs),
        cmocka_unit_test(test_coins),
        cmocka_unit_test(test_tiling),
        cmocka_unit_test(test_same_as_single_facets),
        cmocka_unit_test(test_swap),
        cmocka_unit_test(test_spheres_and_planes),
        cmocka_unit_test(test_whole_same_as_all),
        cmocka_unit_test(test_collide),
        cmocka_unit_test(test_questions_without_answer),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
