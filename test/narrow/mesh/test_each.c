/* Planes, bodies of rounded triangles and smooth bodies that are not convex meet each of several meshes by itself. */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/smooth.h>

#include <math.h>
#include <string.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/user_surface.h"

enum { BODIES = 4, ROOM = 4 * MESHES_ROOM };

typedef struct bodies {
    user_torus user;
    abut_shape *shape[BODIES]; /* a torus by parameters, one by an implicit function, a ball of facets, a plane */
} bodies;

static void bodies_make(bodies *b) {
    b->user = (user_torus){.ring = 0.4, .tube = 0.15};
    const abut_implicit_def def = user_torus_implicit(&b->user);
    assert_ok(abut_shape_create_torus(0.5, 0.15, &b->shape[0]));
    assert_ok(abut_shape_create_implicit(&def, &b->shape[1]));
    b->shape[2] = facet_body_meshed_ball(2, 0.5);
    b->shape[3] = plane(abut_vec3_make(0, 0, 1), 0.0);
}

static void bodies_free(bodies *b) {
    for (int i = 0; i < BODIES; i++) {
        abut_shape_release(b->shape[i]);
    }
}

/* Turned at random, with its lowest point that much below 0. */
static abut_pose sunk(const abut_shape *body, random_state *random, double x, double y, double depth) {
    abut_pose pose = {{x, y, 0}, random_rotation(random)};
    abut_vec3 axis = abut_quat_rotate(pose.rotation, abut_vec3_make(0, 0, 1));
    double ring = abut_shape_kind(body) == ABUT_SHAPE_PARAMETRIC ? 0.5 : 0.4, low = 0.15 + ring * sqrt(axis.x * axis.x + axis.y * axis.y);
    bool torus = abut_shape_kind(body) != ABUT_SHAPE_FACETMESH;
    pose.position.z = (torus ? low : -abut_shape_bounds(body, pose).lower.z) - depth;
    return pose;
}

/* ---- one mesh ---- */

static void check_same_bits(const abut_contact *one, int32_t count, const abut_contact *several, int32_t found, int32_t part) {
    assert_int_equal(found, count);
    for (int32_t i = 0; i < count; i++) {
        abut_contact wanted = one[i];
        assert_int_equal(several[i].feature_b.part, part);
        wanted.feature_b.part = part;
        assert_true(memcmp(&wanted.on_a, &several[i].on_a, sizeof wanted.on_a) == 0);
        assert_true(memcmp(&wanted.on_b, &several[i].on_b, sizeof wanted.on_b) == 0);
        assert_true(memcmp(&wanted.normal, &several[i].normal, sizeof wanted.normal) == 0);
        assert_true(wanted.gap == several[i].gap && wanted.area == several[i].area && wanted.id == several[i].id);
        assert_true(wanted.patch == several[i].patch && wanted.flags == several[i].flags);
        assert_true(memcmp(&wanted.feature_a, &several[i].feature_a, sizeof wanted.feature_a) == 0);
        assert_true(memcmp(&wanted.feature_b, &several[i].feature_b, sizeof wanted.feature_b) == 0);
    }
}

/* A mesh alone, and one beside which another mesh is out of reach: bit for bit abut_collide(). */
static void one_mesh_is_a_pair(void **state) {
    (void)state;
    random_state random = random_make(random_seed("one_mesh_is_a_pair", 461));
    bodies b;
    bodies_make(&b);
    int32_t touched = 0, samples = random_samples("one_mesh_is_a_pair", 150);
    for (int32_t sample = 0; sample < samples; sample++) {
        const int32_t kind = sample % 16 == 0 ? 1 : sample % 4 == 1 ? 0 : sample % 4; /* an implicit body takes most of the time */
        const abut_shape *body = b.shape[kind];
        abut_shape *solid = meshes_random_solid(&random, 0.5), *mesh = sample % 3 ? meshes_surface_of(solid, 1) : meshes_grid(3, 0.5);
        abut_pose pose = {random_vec3(&random, -0.6, 0.6), random_rotation(&random)}, afar = at(50, 0, 900);
        abut_part parts[2] = {{mesh, random_pose(&random, 0.3)}, {mesh, afar}};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = sample % 2 ? 0.0 : 0.05;
        abut_contact one[ROOM], several[ROOM];
        int32_t count, found;
        assert_ok(abut_collide(&(abut_pair){body, pose, mesh, parts[0].pose}, &settings, NULL, one, ROOM, &count));
        assert_ok(abut_collide_meshes(body, pose, parts, 1, &settings, several, ROOM, &found));
        check_same_bits(one, count, several, found, 0);
        if (kind < 3) {
            const abut_part other_order[2] = {parts[1], parts[0]};
            assert_ok(abut_collide_meshes(body, pose, other_order, 2, &settings, several, ROOM, &found));
            check_same_bits(one, count, several, found, 1);
        }
        touched += count > 0;
        abut_shape_release(mesh);
        abut_shape_release(solid);
    }
    assert_true(touched > samples / 4);
    bodies_free(&b);
}

/* ---- tiles ---- */

typedef struct plates {
    abut_shape *whole, *tile;
    abut_part tiles[4];
} plates;

static void plates_make(plates *p) {
    *p = (plates){
        meshes_grid(8, 0.5), meshes_grid(4, 0.5), {{NULL, at(0, 0, 0)}, {NULL, at(2, 0, 0)}, {NULL, at(0, 2, 0)}, {NULL, at(2, 2, 0)}}};
    for (int i = 0; i < 4; i++) {
        p->tiles[i].shape = p->tile;
    }
}

static void plates_free(plates *p) {
    abut_shape_release(p->whole);
    abut_shape_release(p->tile);
}

/* Whether the tile holds the point. */
static bool holds(const plates *p, int32_t tile, abut_vec3 point) {
    abut_vec3 in = abut_sub(point, p->tiles[tile].pose.position);
    return fmin(in.x, in.y) > -1e-9 && fmax(in.x, in.y) < 2.0 + 1e-9;
}

/* Whether one of the contacts is there, along the same normal. */
static bool has(const abut_contact *contacts, int32_t count, const abut_contact *like, double near) {
    bool any = false;
    for (int32_t i = 0; i < count; i++) {
        any = any || (abut_distance_between(contacts[i].on_a, like->on_a) < near &&
                      abut_distance_between(contacts[i].normal, like->normal) < near && fabs(contacts[i].gap - like->gap) < near);
    }
    return any;
}

/* A tilted torus touches a plate at one point, straight up, also beside inner edges and corners of the plate. Four tiles give this point, and nothing on their
 * borders. */
static void torus_over_seams(void **state) {
    (void)state;
    random_state random = random_make(random_seed("torus_over_seams", 462));
    plates p;
    bodies b;
    plates_make(&p);
    bodies_make(&b);
    int32_t samples = random_samples("torus_over_seams", 200);
    for (int32_t sample = 0; sample < samples; sample++) {
        const abut_shape *body = b.shape[sample % 8 == 0];
        double x = sample % 5 == 0 ? 2.0 : random_range(&random, 1.5, 2.5);
        abut_pose pose = sunk(body, &random, x, random_range(&random, 1.5, 2.5), 0.01);
        abut_contact one[ROOM], several[ROOM];
        int32_t found, count = meshes_ask(body, pose, p.whole, abut_pose_identity(), 0.0, false, one);
        assert_ok(abut_collide_meshes(body, pose, p.tiles, 4, NULL, several, ROOM, &found));
        meshes_check_sound(several, found);
        assert_int_equal(found, count);
        for (int32_t i = 0; i < found; i++) {
            assert_true(has(one, count, &several[i], 1e-8));
            assert_true(holds(&p, several[i].feature_b.part, several[i].on_b));
            assert_vec3_near(several[i].normal, abut_vec3_make(0, 0, 1), 1e-9);
        }
    }
    plates_free(&p);
    bodies_free(&b);
}

/* A torus that lies flat over the tiles: points all round, all of them straight up and equally deep, and none twice. */
static void torus_flat_on_seams(void **state) {
    (void)state;
    plates p;
    bodies b;
    plates_make(&p);
    bodies_make(&b);
    abut_contact several[ROOM], one[ROOM];
    int32_t found, count = meshes_ask(b.shape[0], at(1.93, 2.02, 0.14), p.whole, abut_pose_identity(), 0.0, false, one);
    assert_ok(abut_collide_meshes(b.shape[0], at(1.93, 2.02, 0.14), p.tiles, 4, NULL, several, ROOM, &found));
    meshes_check_sound(several, found);
    for (int32_t i = 0; i < found; i++) {
        assert_vec3_near(several[i].normal, abut_vec3_make(0, 0, 1), 1e-9);
        assert_near(several[i].gap, -0.01, 1e-9);
        assert_near(hypot(several[i].on_a.x - 1.93, several[i].on_a.y - 2.02), 0.5, 1e-9);
        assert_true(holds(&p, several[i].feature_b.part, several[i].on_b));
        assert_false(has(several, i, &several[i], 1e-6));
    }
    assert_true(count > 0);
    for (int32_t i = 0; i < count; i++) {
        assert_true(has(several, found, &one[i], 1e-8));
    }
    plates_free(&p);
    bodies_free(&b);
}

/* Facets press on parts of a plate by their shares of its triangles. So tiles cut nothing off and add nothing. */
static void facets_over_seams(void **state) {
    (void)state;
    random_state random = random_make(random_seed("facets_over_seams", 463));
    plates p;
    bodies b;
    plates_make(&p);
    bodies_make(&b);
    for (int32_t sample = 0; sample < 40; sample++) {
        abut_pose pose = sunk(b.shape[2], &random, random_range(&random, 1.9, 2.1), random_range(&random, 1.9, 2.1), 0.05);
        abut_contact one[ROOM], several[ROOM];
        int32_t found, count;
        assert_ok(abut_collide(&(abut_pair){b.shape[2], pose, p.whole, abut_pose_identity()}, NULL, NULL, one, ROOM, &count));
        assert_ok(abut_collide_meshes(b.shape[2], pose, p.tiles, 4, NULL, several, ROOM, &found));
        meshes_check_sound(several, found);
        assert_int_equal(found, count);
        assert_true(count > 0);
        for (int32_t i = 0; i < count; i++) {
            assert_true(has(several, found, &one[i], 1e-9));
        }
    }
    plates_free(&p);
    bodies_free(&b);
}

/* Blocks of several sizes in a half-space: each has the contacts of its own pair, and the deepest one comes first. */
static void plane_below_blocks(void **state) {
    (void)state;
    bodies b;
    bodies_make(&b);
    abut_shape *solid = box(0.3, 0.2, 0.1), *block = meshes_surface_of(solid, 2);
    const abut_part blocks[3] = {
        {block, at(0, 0, 0.09)}, {block, turned(at(1, 0, 0.08), abut_vec3_make(0, 0, 1), 0.3)}, {block, at(2, 0, 5)}};
    abut_contact several[ROOM];
    int32_t found;
    assert_ok(abut_collide_meshes(b.shape[3], abut_pose_identity(), blocks, 3, NULL, several, ROOM, &found));
    meshes_check_sound(several, found);
    assert_int_equal(found, 8);
    for (int32_t i = 0; i < found; i++) {
        assert_int_equal(several[i].feature_b.part, i < 4 ? 1 : 0);
        assert_int_equal(several[i].patch, i < 4 ? 0 : 1);
        assert_near(several[i].gap, i < 4 ? -0.02 : -0.01, 1e-12);
        assert_vec3_near(several[i].normal, abut_vec3_make(0, 0, -1), 1e-12);
    }
    abut_shape_release(block);
    abut_shape_release(solid);
    bodies_free(&b);
}

/* ---- what goes wrong ---- */

static void refuse_each(const abut_shape *body, abut_pose pose, const plates *p) {
    counting_allocator memory = {.refuse_at = -1};
    abut_contact c[ROOM];
    int32_t count;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_collide_meshes(body, pose, p->tiles, 4, NULL, c, ROOM, &count);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
        assert_true((count > 0) == (status == ABUT_OK));
    } while (memory.refused);
    assert_true(refused > 1);
}

static void refused_memory_and_room(void **state) {
    (void)state;
    random_state random = random_make(random_seed("refused_memory_and_room", 464));
    plates p;
    bodies b;
    plates_make(&p);
    bodies_make(&b);
    abut_contact several[ROOM], some[ROOM];
    for (int i = 0; i < 3; i++) {
        int32_t found, count;
        abut_pose pose = i < 2 ? at(2, 2, 0.14) : sunk(b.shape[i], &random, 2, 2, 0.05);
        assert_ok(abut_collide_meshes(b.shape[i], pose, p.tiles, 4, NULL, several, ROOM, &found));
        assert_true(found > 3);
        memset(some, 0, sizeof some);
        assert_status(abut_collide_meshes(b.shape[i], pose, p.tiles, 4, NULL, some, 3, &count), ABUT_ERROR_CAPACITY);
        assert_int_equal(count, found);
        assert_true(some[2].id == several[2].id && some[3].id == 0);
        refuse_each(b.shape[i], pose, &p);
    }
    plates_free(&p);
    bodies_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_mesh_is_a_pair), cmocka_unit_test(torus_over_seams),   cmocka_unit_test(torus_flat_on_seams),
        cmocka_unit_test(facets_over_seams),  cmocka_unit_test(plane_below_blocks), cmocka_unit_test(refused_memory_and_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
