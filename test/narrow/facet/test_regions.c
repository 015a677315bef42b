/*
 * Places at which two bodies touch: one for a meshed ball on a ball, two for a dumb-bell that bridges a ball's sides or lies on a plane.
 * The order of the contacts does not matter.
 */
#include "narrow/facet/regions.h"

#include <stdlib.h>
#include <string.h>

#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"

enum { ROOM = 4000 };

static void shuffle(random_state *random, abut_facetmesh_contact *items, int32_t count) {
    for (int32_t i = count - 1; i > 0; --i) {
        int32_t k = random_below(random, i + 1);
        abut_facetmesh_contact kept = items[i];
        items[i] = items[k];
        items[k] = kept;
    }
}

/* Checks that every contact occurs once, that no place is empty, and that the number of places does not depend on the order of contacts. */
static int32_t count_places(const abut_shape *a, const abut_shape *b, abut_facetmesh_contact *items, int32_t count) {
    static int32_t order[ROOM], first[ROOM + 1];
    static bool seen[ROOM];
    const facet_topology *other = b->kind == ABUT_SHAPE_FACETMESH ? b->facets->topology : NULL;
    random_state random = random_make(5);
    int32_t places = -1;
    for (int repeat = 0; repeat < 4; ++repeat) {
        int32_t found = facet_regions_find(a->facets->topology, other, items, count, order, first);
        assert_true(places < 0 || found == places);
        places = found;
        memset(seen, 0, sizeof seen);
        for (int32_t i = 0; i < count; ++i) {
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
        for (int32_t i = 0; i < found; ++i) {
            assert_true(first[i] < first[i + 1]);
        }
        assert_int_equal(first[found], count);
        shuffle(&random, items, count);
    }
    return places;
}

/* A body of revolution about z, thick at both ends and thin in the middle. */
static abut_shape *make_dumb_bell(void) {
    facet_body body = facet_body_ball(3);
    for (int32_t i = 0; i < body.vertex_count; ++i) {
        abut_vec3 *p = &body.vertices[i];
        double thick = 0.4 + 0.6 * p->z * p->z;
        *p = abut_vec3_make(thick * p->x, thick * p->y, 2.0 * p->z);
    }
    abut_shape *shape = facet_body_shape(&body, NULL);
    facet_body_free(&body);
    return shape;
}

static int32_t places_of(const abut_shape *a, const abut_shape *b, abut_pose pose_b) {
    static abut_facetmesh_contact items[ROOM];
    int32_t count;
    assert_ok(abut_collide_facets(&(abut_pair){a, abut_pose_identity(), b, pose_b}, items, ROOM, &count));
    assert_true(count > 0);
    return count_places(a, b, items, count);
}

static void test_one_place(void **state) {
    (void)state;
    facet_body body = facet_body_ball(3);
    abut_shape *ball = facet_body_round(&body, 1.0);
    random_state random = random_make(6);
    for (int i = 0; i < 30; ++i) {
        abut_pose pose = random_pose(&random, 0.0);
        pose.position = abut_scale(random_range(&random, 1.7, 1.999), random_direction(&random));
        assert_int_equal(places_of(ball, ball, pose), 1);
    }
    abut_shape_release(ball);
    facet_body_free(&body);
}

static void test_two_places(void **state) {
    (void)state;
    abut_shape *bell = make_dumb_bell(), *plane = NULL;
    abut_aabb bounds = abut_shape_bounds(bell, abut_pose_identity());
    assert_ok(abut_shape_create_plane(abut_vec3_make(1, 0, 0), bounds.lower.x + 0.01, &plane));
    assert_int_equal(places_of(bell, plane, abut_pose_identity()), 2);
    abut_pose beside = abut_pose_identity();
    beside.position.x = 2.0 * bounds.upper.x - 0.02;
    assert_int_equal(places_of(bell, bell, beside), 2);
    abut_shape_release(bell);
    abut_shape_release(plane);
}

static void test_none(void **state) {
    (void)state;
    abut_shape *bell = make_dumb_bell();
    int32_t order[1], first[1] = {7};
    assert_int_equal(facet_regions_find(bell->facets->topology, NULL, NULL, 0, order, first), 0);
    assert_int_equal(first[0], 0);
    abut_shape_release(bell);
}

/* Many contacts are found by their corners, and without memory by comparing all: both give one order. */
static void test_many_contacts_have_the_order_of_few(void **state) {
    (void)state;
    static abut_facetmesh_contact items[ROOM];
    static int32_t order[ROOM], first[ROOM + 1], slow_order[ROOM], slow_first[ROOM + 1];
    facet_body body = facet_body_ball(3);
    abut_shape *ball = facet_body_round(&body, 1.0);
    random_state random = random_make(7);
    for (int i = 0; i < 10; ++i) {
        abut_pose pose = random_pose(&random, 0.0);
        pose.position = abut_scale(random_range(&random, 0.6, 1.2), random_direction(&random));
        int32_t count;
        assert_ok(abut_collide_facets(&(abut_pair){ball, abut_pose_identity(), ball, pose}, items, ROOM, &count));
        assert_in_range(count, 600, ROOM);
        shuffle(&random, items, count);
        counting_allocator memory = {.refuse_at = -1};
        counting_allocator_install(&memory);
        int32_t regions = facet_regions_find(ball->facets->topology, ball->facets->topology, items, count, order, first);
        assert_true(memory.requests > 0 && memory.live == 0);
        memory.refuse_at = memory.requests + i % 4;
        int32_t slow = facet_regions_find(ball->facets->topology, ball->facets->topology, items, count, slow_order, slow_first);
        assert_true(memory.refused && memory.live == 0);
        counting_allocator_remove();
        assert_int_equal(regions, slow);
        assert_memory_equal(order, slow_order, (size_t)count * sizeof *order);
        assert_memory_equal(first, slow_first, ((size_t)regions + 1) * sizeof *first);
    }
    abut_shape_release(ball);
    facet_body_free(&body);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_place), cmocka_unit_test(test_two_places), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_many_contacts_have_the_order_of_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
