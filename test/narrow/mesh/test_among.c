/* A surface of many meshes answers with the index of their bounds as it does without, bit by bit. */
#include "narrow/mesh/among.h"

#include <abut/abut.h>
#include <string.h>

#include "narrow/mesh/surface.h"
#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

enum { ROW = 9, MESHES = ROW * ROW };

/* Tiles of a floor, each in its own frame, and some solids on it. One tile may be far larger than the others. */
typedef struct floor_of_meshes {
    abut_shape *shape[MESHES];
    placed_mesh mesh[MESHES];
} floor_of_meshes;

static void make_floor(floor_of_meshes *of, random_state *random) {
    abut_pose about = {random_vec3(random, -3, 3), random_rotation(random)};
    for (int32_t i = 0; i < MESHES; i++) {
        abut_pose pose = abut_pose_compose(about, turned(at(i % ROW, i / ROW, 0.0), abut_vec3_make(0, 0, 1), 1.5707963267948966 * (i % 4)));
        if (i % 10 == 9) {
            abut_shape *solid = meshes_random_solid(random, 0.7);
            of->shape[i] = meshes_surface_of(solid, 1);
            abut_shape_release(solid);
        } else {
            of->shape[i] = meshes_grid(2, i == 4 ? 40.0 : 0.5);
        }
        of->mesh[i] = (placed_mesh){.mesh = of->shape[i]->mesh, .rotation = abut_mat3_from_quat(pose.rotation), .part = i};
        of->mesh[i].centre = abut_neg(abut_mat3_apply_transposed(of->mesh[i].rotation, pose.position));
    }
}

static void free_floor(floor_of_meshes *of) {
    for (int32_t i = 0; i < MESHES; i++) {
        abut_shape_release(of->shape[i]);
    }
}

static void check_gathered(const mesh_set *p, const mesh_set *q) {
    assert_int_equal(p->count, q->count);
    for (int32_t i = 0; i < p->count; i++) {
        assert_memory_equal(p->items[i].corner, q->items[i].corner, sizeof p->items[i].corner);
        assert_int_equal(p->items[i].index, q->items[i].index);
        assert_int_equal(p->items[i].part, q->items[i].part);
    }
}

static void check_points(const mesh_surface *plain, const mesh_surface *indexed, abut_vec3 point, double limit) {
    mesh_point p, q;
    bool found = mesh_point_find(plain, point, limit, &p);
    assert_int_equal(found, mesh_point_find(indexed, point, limit, &q));
    if (found) {
        mesh_point_look_around(plain, &p);
        mesh_point_look_around(indexed, &q);
        assert_memory_equal(&p.closest, &q.closest, sizeof p.closest);
        assert_memory_equal(&p.outwards, &q.outwards, sizeof p.outwards);
        assert_true(p.distance == q.distance && p.on_rim == q.on_rim);
        assert_true(p.feature.part == q.feature.part && p.feature.index == q.feature.index && p.feature.kind == q.feature.kind);
    }
    assert_int_equal(mesh_surface_is_near(plain, &plain->mesh[0], point, 0.1, limit),
                     mesh_surface_is_near(indexed, &plain->mesh[0], point, 0.1, limit));
}

static void check_at(const mesh_surface *plain, const mesh_surface *indexed, abut_vec3 point, double half, const convex *body) {
    mesh_set p, q;
    mesh_surface_gather(plain, point, half, &p);
    mesh_surface_gather(indexed, point, half, &q);
    check_gathered(&p, &q);
    mesh_set_free(&p);
    mesh_set_free(&q);
    mesh_surface_gather_about(plain, body, half, &p);
    mesh_surface_gather_about(indexed, body, half, &q);
    check_gathered(&p, &q);
    mesh_set_free(&p);
    mesh_set_free(&q);
    check_points(plain, indexed, point, half > 1.0 ? INFINITY : half);
}

/* A corner of a tile, where distances are equal, or any place. */
static abut_vec3 random_point(const floor_of_meshes *of, random_state *random) {
    int32_t i = random_below(random, MESHES);
    abut_vec3 place = random_below(random, 3) == 0 ? random_vec3(random, -1, 1) : abut_vec3_make(0, 0, 0.5 * random_below(random, 2));
    return mesh_place_point(&of->mesh[i], place);
}

static void test_same_answers(void **state) {
    (void)state;
    uint64_t seed = random_seed("among", 20261203);
    int runs = random_samples("among", 10);
    abut_shape *shape = box(0.4, 0.3, 0.2);
    for (int r = 0; r < runs; r++) {
        random_state random = random_make(seed + (uint64_t)r);
        floor_of_meshes of;
        make_floor(&of, &random);
        const mesh_surface plain = {of.mesh, MESHES, .same = 1e-6};
        mesh_surface indexed = plain;
        box_index index;
        assert_true(mesh_among_index(&index, &indexed));
        assert_non_null(indexed.index);
        for (int k = 0; k < 60; k++) {
            abut_vec3 point = random_point(&of, &random);
            convex body = convex_place(shape, abut_mat3_from_quat(random_rotation(&random)), point, 0);
            check_at(&plain, &indexed, point, random_log_range(&random, 1e-6, 3.0), &body);
        }
        box_index_release(&index);
        free_floor(&of);
    }
    abut_shape_release(shape);
}

static void test_few_and_infinite(void **state) {
    (void)state;
    random_state random = random_make(20261204);
    floor_of_meshes of;
    make_floor(&of, &random);
    mesh_surface few = {of.mesh, 4, .same = 1e-6}, far = {of.mesh, MESHES, .same = 1e-6};
    box_index index;
    assert_true(mesh_among_index(&index, &few));
    assert_null(few.index);
    box_index_release(&index);
    of.mesh[7].centre.x = 1e308;
    of.mesh[7].rotation.x.x = 2e10;
    assert_true(mesh_among_index(&index, &far));
    assert_null(far.index);
    box_index_release(&index);
    free_floor(&of);
}

/* Every request for memory is refused in turn. */
static void refuse_in_turn(const abut_shape *body, const abut_part *meshes) {
    enum { ROOM = 1024 };
    static abut_contact contacts[ROOM], expected[ROOM];
    int32_t count, all;
    abut_pose pose = turned(at(4.0, 4.0, 0.19), abut_vec3_make(0, 0, 1), 0.2);
    assert_ok(abut_collide_meshes(body, pose, meshes, MESHES, NULL, expected, ROOM, &all));
    assert_true(all >= 3);
    counting_allocator memory;
    int64_t refused = 0, reported = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_collide_meshes(body, pose, meshes, MESHES, NULL, contacts, ROOM, &count);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
        reported += status == ABUT_ERROR_OUT_OF_MEMORY;
        assert_true(status == ABUT_OK || (memory.refused && status == ABUT_ERROR_OUT_OF_MEMORY));
        if (status == ABUT_OK) { /* some indices only save time */
            assert_int_equal(count, all);
            assert_memory_equal(contacts, expected, (size_t)all * sizeof *contacts);
        }
    } while (memory.refused);
    assert_true(reported > 4); /* the placed meshes and the index of their bounds among them */
}

static void test_without_memory(void **state) {
    (void)state;
    abut_part meshes[MESHES];
    for (int32_t i = 0; i < MESHES; i++) {
        meshes[i] = (abut_part){meshes_grid(1, 1.0), at(i % ROW, i / ROW, 0.0)};
    }
    abut_shape *solid = box(2.3, 1.9, 0.2), *surface = meshes_surface_of(solid, 2), *pair;
    const abut_part parts[2] = {{solid, at(0, 0, 0)}, {solid, at(0.5, 0.2, 0.05)}};
    assert_ok(abut_shape_create_compound(parts, 2, &pair));
    refuse_in_turn(solid, meshes);
    refuse_in_turn(surface, meshes);
    refuse_in_turn(pair, meshes);
    abut_shape_release(pair);
    abut_shape_release(surface);
    abut_shape_release(solid);
    for (int32_t i = 0; i < MESHES; i++) {
        abut_shape_release((abut_shape *)meshes[i].shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_answers), cmocka_unit_test(test_few_and_infinite),
                                       cmocka_unit_test(test_without_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
