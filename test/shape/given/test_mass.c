/* Mass distributions of the caller: what bodies get, what does not change, which are refused, and who owns the memory. */
#include <abut/abut.h>

#include "shape/digest.h"
#include "shape/shape.h"
#include "shape/facet/mesh.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

static abut_mat3 diagonal(double x, double y, double z) {
    return abut_mat3_make(abut_vec3_make(x, 0, 0), abut_vec3_make(0, y, 0), abut_vec3_make(0, 0, z));
}

static abut_mass distribution(double mass, abut_vec3 centre, abut_mat3 inertia) {
    return (abut_mass){.mass = mass, .volume = NAN, .centre = centre, .inertia = inertia};
}

/* The inertia of random points with random masses, by the sums of its definition. */
static abut_mass of_points(random_state *random, double size) {
    enum { POINTS = 7 };
    abut_vec3 at[POINTS], centre = {0, 0, 0};
    double mass[POINTS], sum = 0.0;
    for (int i = 0; i < POINTS; i++) {
        at[i] = abut_scale(random_range(random, 0.0, size), random_direction(random));
        mass[i] = random_range(random, 0.1, 2.0);
        sum += mass[i];
        centre = abut_add_scaled(centre, mass[i], at[i]);
    }
    centre = abut_scale(1.0 / sum, centre);
    abut_mat3 inertia = diagonal(0, 0, 0);
    for (int i = 0; i < POINTS; i++) {
        abut_vec3 r = abut_sub(at[i], centre);
        double square = abut_length_squared(r);
        inertia.x = abut_add(inertia.x, abut_scale(mass[i], abut_sub(abut_vec3_make(square, 0, 0), abut_scale(r.x, r))));
        inertia.y = abut_add(inertia.y, abut_scale(mass[i], abut_sub(abut_vec3_make(0, square, 0), abut_scale(r.y, r))));
        inertia.z = abut_add(inertia.z, abut_scale(mass[i], abut_sub(abut_vec3_make(0, 0, square), abut_scale(r.z, r))));
    }
    return distribution(sum, centre, inertia);
}

static void assert_matrix_near(abut_mat3 m, abut_mat3 expected, double most) {
    assert_vec3_near(m.x, expected.x, most);
    assert_vec3_near(m.y, expected.y, most);
    assert_vec3_near(m.z, expected.z, most);
}

/* A body has the given centre, mass and inertia; at another mass the inertia scales. */
static void bodies_have_it(void **state) {
    (void)state;
    random_state random = random_make(random_seed("mass", 1));
    for (int i = 0; i < 100; i++) {
        double size = random_log_range(&random, 1e-3, 1e3);
        abut_shape *all[] = {
            sphere(size),         capsule(size, size), box(size, 2 * size, size), prism(size, size, 5), ellipsoid(size, size, 2 * size),
            cylinder(size, size), cone(size, size)};
        abut_shape *cube = box(size, size, size), *mesh = meshes_surface_of(cube, 1), *shape = i % 8 < 7 ? all[i % 8] : mesh, *made;
        const abut_mass given = of_points(&random, size);
        assert_ok(abut_shape_create_with_mass(shape, &given, &made));
        abut_world_def world_def = abut_world_def_default();
        abut_world *world;
        assert_ok(abut_world_create(&world_def, &world));
        abut_body_def def = abut_body_def_default();
        def.shape = made;
        def.mass = given.mass;
        abut_body_id id;
        abut_body_info info;
        assert_ok(abut_world_add_body(world, &def, &id));
        assert_ok(abut_world_body_info(world, id, &info));
        const double most = 1e-14 * given.mass * size * size;
        assert_near(info.mass, given.mass, 0.0);
        assert_vec3_near(info.centre, given.centre, 0.0);
        assert_matrix_near(info.inertia, given.inertia, most);
        assert_ok(abut_world_set_body_mass(world, id, 3.0 * given.mass));
        assert_ok(abut_world_body_info(world, id, &info));
        assert_vec3_near(info.centre, given.centre, 0.0);
        assert_vec3_near(info.inertia.y, abut_scale(3.0, given.inertia.y), 3.0 * most);
        abut_world_destroy(world);
        abut_shape_release(made);
        abut_shape_release(mesh);
        abut_shape_release(cube);
        for (int k = 0; k < 7; k++) {
            abut_shape_release(all[k]);
        }
    }
}

/* The surface stays the same, to the last bit of every contact. */
static void contacts_do_not_change(void **state) {
    (void)state;
    abut_shape *cube = box(1, 1, 1), *tumbler;
    const abut_mass low = distribution(2.0, abut_vec3_make(0.1, 0, -0.9), diagonal(1, 1, 1));
    assert_ok(abut_shape_create_with_mass(cube, &low, &tumbler));
    random_state random = random_make(random_seed("mass", 2));
    for (int i = 0; i < 200; i++) {
        const abut_pose pose = {abut_scale(1.9, random_direction(&random)), random_rotation(&random)};
        abut_contact plain[16], own[16];
        int32_t plain_count, own_count;
        assert_ok(abut_collide(&(abut_pair){cube, abut_pose_identity(), cube, pose}, NULL, NULL, plain, 16, &plain_count));
        assert_ok(abut_collide(&(abut_pair){tumbler, abut_pose_identity(), tumbler, pose}, NULL, NULL, own, 16, &own_count));
        assert_int_equal(plain_count, own_count);
        assert_memory_equal(plain, own, (size_t)plain_count * sizeof *plain);
    }
    abut_shape_release(tumbler);
    abut_shape_release(cube);
}

/* A tumbler with a low centre of mass rights itself. */
static void a_tumbler_stands_up(void **state) {
    (void)state;
    abut_world_def world_def = abut_world_def_default();
    abut_world *world;
    assert_ok(abut_world_create(&world_def, &world));
    abut_shape *ball = sphere(1), *ground = plane(abut_vec3_make(0, 0, 1), 0.0), *made;
    const abut_mass low = distribution(1.0, abut_vec3_make(0, 0, -0.5), diagonal(0.3, 0.3, 0.3));
    assert_ok(abut_shape_create_with_mass(ball, &low, &made));
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = ground;
    assert_ok(abut_world_add_body(world, &def, NULL));
    def = abut_body_def_default();
    def.shape = made;
    def.mass = 1.0;
    def.angular_damping = 2.0;
    def.pose = (abut_pose){{0, 0, 1}, abut_quat_about(abut_vec3_make(1, 0, 0), 1.5)};
    abut_body_id id;
    abut_body_state now;
    assert_ok(abut_world_add_body(world, &def, &id));
    for (int i = 0; i < 900; i++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    assert_ok(abut_world_body_state(world, id, &now));
    assert_vec3_near(abut_quat_rotate(now.pose.rotation, abut_vec3_make(0, 0, 1)), abut_vec3_make(0, 0, 1), 1e-2);
    assert_near(now.pose.position.z, 1.0, 1e-3);
    abut_world_destroy(world);
    abut_shape_release(made);
    abut_shape_release(ball);
    abut_shape_release(ground);
}

static void refused_distributions(void **state) {
    (void)state;
    abut_shape *cube = box(1, 1, 1), *ground = plane(abut_vec3_make(0, 0, 1), 0.0), *field = meshes_grid(2, 1.0), *none = NULL, *made;
    const abut_vec3 origin = {0, 0, 0};
    const abut_mass fine = distribution(1, origin, diagonal(1, 1, 2));
    abut_mat3 skew = diagonal(1, 1, 1), tilted = diagonal(1, 1, 1);
    skew.x.y = 0.1;
    tilted.x.y = tilted.y.x = -0.99; /* moments 0.01, 1.99 and 1 */
    const abut_mass wrong[] = {distribution(0, origin, diagonal(1, 1, 1)),
                               distribution(-1, origin, diagonal(1, 1, 1)),
                               distribution(1, origin, diagonal(0, 0, 0)),
                               distribution(1, origin, diagonal(1, 1, -1)),
                               distribution(1, origin, diagonal(1, 1, 2.001)),
                               distribution(1, origin, diagonal(1e-9, 1, 1.01)),
                               distribution(1, origin, skew),
                               distribution(1, origin, tilted)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_status(abut_shape_create_with_mass(cube, &wrong[i], &none), ABUT_ERROR_INVALID_ARGUMENT);
    }
    const abut_mass infinite[] = {distribution(NAN, origin, diagonal(1, 1, 1)),
                                  distribution(1, abut_vec3_make(0, INFINITY, 0), diagonal(1, 1, 1)),
                                  distribution(1, origin, diagonal(1, NAN, 1)), distribution(1, origin, diagonal(1, 1, INFINITY))};
    for (size_t i = 0; i < sizeof infinite / sizeof *infinite; i++) {
        assert_status(abut_shape_create_with_mass(cube, &infinite[i], &none), ABUT_ERROR_NOT_FINITE);
    }
    assert_status(abut_shape_create_with_mass(NULL, &fine, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_with_mass(cube, NULL, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_with_mass(cube, &fine, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_with_mass(ground, &fine, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_with_mass(field, &fine, &none), ABUT_ERROR_NOT_CLOSED);
    assert_null(none);
    /* A disc, whose moments are at the limit, and rounded numbers beyond it. */
    assert_ok(abut_shape_create_with_mass(cube, &fine, &made));
    abut_shape_release(made);
    const abut_mass rounded = distribution(1, origin, diagonal(1, 1, 2.000001));
    assert_ok(abut_shape_create_with_mass(cube, &rounded, &made));
    const abut_part part = {made, abut_pose_identity()};
    assert_status(abut_shape_create_compound(&part, 1, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_non_null(abut_stepper_refusal(ABUT_STEPPER_DEM, ABUT_BODY_DYNAMIC, made));
    assert_null(abut_stepper_refusal(ABUT_STEPPER_FIXED, ABUT_BODY_DYNAMIC, made));
    abut_shape_release(made);
    abut_shape_release(cube);
    abut_shape_release(ground);
    abut_shape_release(field);
}

/* The new shape keeps the old one alive, and takes a contraction point, too. A skin belongs to the shape that owns the surface. */
static void owners(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    abut_shape *cube = box(1, 1, 1), *first, *second;
    const abut_mass given = distribution(1, abut_vec3_make(0.5, 0, 0), diagonal(1, 1, 1));
    int64_t blocks = memory.live;
    assert_ok(abut_shape_create_with_mass(cube, &given, &first));
    assert_ok(abut_shape_create_with_contraction(first, abut_vec3_make(0, 0.5, 0), &second));
    abut_shape_release(first);
    abut_shape_release(cube);
    assert_int_equal(memory.live, blocks + 1);
    assert_ptr_equal(second->base, cube);
    abut_mass mass;
    assert_ok(abut_shape_mass(second, 1.0, &mass));
    assert_vec3_near(mass.centre, given.centre, 0.0);
    assert_near(mass.inertia.x.x, 8.0, 1e-14);
    const abut_shape *skin;
    assert_ok(facetmesh_skin_of(second, &skin));
    assert_true(memory.live > blocks + 1);
    abut_shape_release(second);
    assert_int_equal(memory.live, 0);
    cube = box(1, 1, 1);
    memory.refuse_at = memory.requests;
    abut_shape *none = NULL;
    assert_status(abut_shape_create_with_mass(cube, &given, &none), ABUT_ERROR_OUT_OF_MEMORY);
    assert_null(none);
    abut_shape_release(cube);
    counting_allocator_remove();
}

/* Saved states tell shapes apart by their digests. */
static void digests(void **state) {
    (void)state;
    abut_shape *cube = box(1, 1, 1), *one, *other, *twin;
    const abut_mass a = distribution(1, abut_vec3_make(0.5, 0, 0), diagonal(1, 1, 1)),
                    b = distribution(1, abut_vec3_make(0.5, 0, 0), diagonal(1, 1, 1.5));
    assert_ok(abut_shape_create_with_mass(cube, &a, &one));
    assert_ok(abut_shape_create_with_mass(cube, &a, &twin));
    assert_ok(abut_shape_create_with_mass(cube, &b, &other));
    assert_true(shape_digest(one) == shape_digest(twin));
    assert_true(shape_digest(one) != shape_digest(other));
    assert_true(shape_digest(one) != shape_digest(cube));
    abut_shape *all[] = {one, other, twin, cube};
    for (int i = 0; i < 4; i++) {
        abut_shape_release(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_have_it),
                                       cmocka_unit_test(contacts_do_not_change),
                                       cmocka_unit_test(a_tumbler_stands_up),
                                       cmocka_unit_test(refused_distributions),
                                       cmocka_unit_test(owners),
                                       cmocka_unit_test(digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
