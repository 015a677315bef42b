/* Smooth bodies that are not convex, over several meshes: in a world they have the contacts of abut_collide_meshes(), and roll over seams as over one mesh. */
#include <abut/abut.h>

#include <math.h>
#include <stdlib.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

static const double ring = 0.5, tube = 0.15;

static abut_shape *torus(void) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_torus(ring, tube, &shape));
    return shape;
}

/* A floor of side 8 about the origin, whole or cut into tiles of side 1. */
static void put_floor(abut_world *world, bool tiles) {
    abut_shape *tile = tiles ? meshes_grid(2, 0.5) : meshes_grid(16, 0.5);
    for (int i = 0; i < (tiles ? 64 : 1); i++) {
        abut_body_def def = abut_body_def_default();
        def.kind = ABUT_BODY_STATIC;
        def.shape = tile;
        def.pose = at(i % 8 - 4.0, i / 8 - 4.0, 0.0);
        (void)put_shared(world, def);
    }
    abut_shape_release(tile);
}

static bool has(const abut_contact *contacts, int32_t count, const abut_contact *like) {
    bool any = false;
    for (int32_t i = 0; i < count; i++) {
        any = any || (abut_distance_between(contacts[i].on_b, like->on_b) < 1e-6 &&
                      abut_distance_between(contacts[i].normal, like->normal) < 1e-6);
    }
    return any;
}

/* Tilted tori over seams at rest: each contact of the world is one of the group, and the other way round. */
static void as_a_group(void **state) {
    (void)state;
    random_state random = random_make(random_seed("as_a_group", 465));
    abut_shape *tile = meshes_grid(2, 0.5), *body = torus();
    abut_part parts[64];
    for (int i = 0; i < 64; i++) {
        parts[i] = (abut_part){tile, at(i % 8 - 4.0, i / 8 - 4.0, 0.0)};
    }
    for (int sample = 0; sample < 12; sample++) {
        abut_world *world = floating_world();
        abut_pose pose = {random_vec3(&random, -1, 1), random_rotation(&random)};
        abut_vec3 axis = abut_quat_rotate(pose.rotation, abut_vec3_make(0, 0, 1));
        pose.position.z = tube + ring * hypot(axis.x, axis.y) - 0.01;
        put_floor(world, true);
        (void)put(world, ABUT_BODY_DYNAMIC, torus(), pose);
        abut_contact group[64];
        int32_t count, found;
        assert_ok(abut_collide_meshes(body, pose, parts, 64, NULL, group, 64, &found));
        abut_contact *seen = contacts_after_step(world, 1e-6, &count);
        int32_t touching = 0;
        for (int32_t i = 0; i < count; i++) {
            abut_contact own = seen[i].feature_a.kind == ABUT_FEATURE_SMOOTH ? seen[i] : abut_contact_swap(seen[i]);
            touching += own.gap < 0.0;
            assert_true(own.gap >= 0.0 || has(group, found, &own));
        }
        assert_true(found > 0 && touching >= found);
        free(seen);
        abut_world_destroy(world);
    }
    abut_shape_release(tile);
    abut_shape_release(body);
}

/* A wheel rolls along the tiles, a little beside the middle. Contacts of tiles beside it would turn it, and slow it down. */
static void wheel_over_seams(void **state) {
    (void)state;
    abut_body_state end[2];
    for (int tiles = 0; tiles < 2; tiles++) {
        abut_world *world = world_of(ABUT_STEPPER_FIXED);
        abut_body_def def = abut_body_def_default();
        put_floor(world, tiles == 1);
        def.pose = turned(at(-2.9, 0.03, tube + ring), abut_vec3_make(1, 0, 0), 0.5 * PI);
        def.motion.linear = abut_vec3_make(2, 0, 0);
        def.motion.angular = abut_vec3_make(0, 2.0 / (tube + ring), 0);
        abut_body_id wheel = put_as(world, def, torus());
        run_for(world, 2.0);
        end[tiles] = state_of(world, wheel);
        abut_world_destroy(world);
    }
    assert_near(end[1].pose.position.y, 0.03, 1e-6);
    assert_near(end[1].motion.linear.y, 0.0, 1e-6);
    assert_near(end[1].motion.linear.x, end[0].motion.linear.x, 0.02);
    assert_near(end[1].pose.position.x, end[0].pose.position.x, 0.03);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_a_group), cmocka_unit_test(wheel_over_seams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
