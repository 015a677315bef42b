/*
 * Triangles inside flat places, beside the angles about each corner; and that from `lean` on every direction has a triangle there that rises above it.
 */
#include "narrow/mesh/index/flats.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/random.h"

/* A sheet of cells by cells squares, most of it flat: some corners are moved up, some triangles are turned about or left out. */
static mesh_set random_sheet(random_state *random, int32_t cells) {
    enum { MOST = 16 };
    abut_vec3 point[(MOST + 1) * (MOST + 1)];
    int32_t across = cells + 1;
    double stretch = random_below(random, 3) == 0 ? random_log_range(random, 3e-3, 1.0) : 1.0;
    abut_mat3 turned = abut_mat3_from_quat(random_rotation(random));
    for (int32_t v = 0; v < across * across; v++) {
        bool moved = random_below(random, 12) == 0;
        double x = v % across + random_range(random, -0.2, 0.2), y = v / across + random_range(random, -0.2, 0.2);
        point[v] = abut_mat3_apply(turned, abut_vec3_make(x, stretch * y, moved ? random_log_range(random, 1e-7, 1.0) : 0.0));
    }
    mesh_set set;
    mesh_set_init(&set);
    set.items = check_memory(2 * (size_t)(cells * cells), sizeof *set.items);
    for (int32_t i = 0; i < 2 * cells * cells; i++) {
        int32_t a = i / 2 / cells * across + i / 2 % cells, b = a + 1, c = b + across, d = a + across;
        int32_t corner[3] = {a, i % 2 == 0 ? b : c, i % 2 == 0 ? c : d};
        if (random_below(random, 60) == 0) {
            continue;
        }
        mesh_triangle *t = &set.items[set.count++];
        *t = (mesh_triangle){.index = i};
        for (int k = 0; k < 3; k++) {
            t->vertex[k] = corner[k];
            t->corner[k] = point[corner[k]];
        }
        t->across = abut_cross(abut_sub(t->corner[1], t->corner[0]), abut_sub(t->corner[2], t->corner[0]));
        t->normal = abut_unit(t->across);
        if (random_below(random, 60) == 0) {
            mesh_triangle_turn(t);
        }
    }
    return set;
}

/* Whether level triangles fill the whole turn about a corner. */
static bool is_filled(const mesh_set *set, const mesh_triangle *t, int corner) {
    double sum = 0.0;
    for (int32_t i = 0; i < set->count; i++) {
        const mesh_triangle *o = &set->items[i];
        for (int k = 0; k < 3; k++) {
            if (o->vertex[k] == t->vertex[corner]) {
                abut_vec3 p = abut_sub(o->corner[(k + 1) % 3], o->corner[k]), q = abut_sub(o->corner[(k + 2) % 3], o->corner[k]);
                sum += atan2(abut_length(abut_cross(p, q)), abut_dot(p, q));
                if (!(abut_dot(o->normal, t->normal) > 0.0 && abut_length(abut_cross(o->normal, t->normal)) < 1e-9)) {
                    return false;
                }
            }
        }
    }
    return fabs(sum - 2.0 * PI) < 1e-9;
}

static bool is_inside(const mesh_set *set, const mesh_triangle *t) {
    return is_filled(set, t, 0) && is_filled(set, t, 1) && is_filled(set, t, 2);
}

/* Whether some triangle at a place rises above a direction. */
static bool rises_any(const mesh_set *set, abut_vec3 place, abut_vec3 normal, double same) {
    bool rises = false;
    for (int32_t i = 0; i < set->count; i++) {
        const mesh_triangle *t = &set->items[i];
        rises = rises || (mesh_set_holds(t, place, same) && mesh_set_rises(t, place, normal, 1e-3 * same, FLAT_SINE));
    }
    return rises;
}

/* At a corner of the triangle or at a point of a side, above which the triangle itself does not rise. */
static void check_directions(random_state *random, const mesh_set *set, const mesh_triangle *t, double lean, double same) {
    for (int k = 0; k < 20; k++) {
        double angle = random_below(random, 2) == 0 ? random_log_range(random, lean, 1.0) : random_range(random, lean, PI - lean);
        abut_vec3 u, v, place = t->corner[k % 3];
        abut_tangent_frame(t->normal, &u, &v);
        double turn = random_range(random, 0.0, 2.0 * PI);
        abut_vec3 out = abut_add_scaled(abut_scale(cos(turn), u), sin(turn), v);
        if (k % 2 == 0) {
            abut_vec3 side = abut_sub(t->corner[(k + 1) % 3], t->corner[k % 3]);
            out = abut_unit(abut_cross(side, t->normal));
            place = abut_add_scaled(place, random_range(random, 0.0, 1.0), side);
        }
        assert_true(rises_any(set, place, abut_add_scaled(abut_scale(cos(angle), t->normal), sin(angle), out), same));
    }
}

static void test_flats(void **state) {
    (void)state;
    random_state random = random_make(random_seed("flats", 1));
    int32_t inside = 0, outside = 0;
    for (int32_t sample = random_samples("flats", 1500); sample > 0; sample--) {
        mesh_set set = random_sheet(&random, 3 + random_below(&random, 14));
        mesh_flats flats;
        const double same = random_log_range(&random, 1e-9, 1e-6);
        mesh_flats_make(&flats, &set, same);
        assert_non_null(flats.inside);
        for (int32_t i = 0; i < set.count; i++) {
            bool expected = is_inside(&set, &set.items[i]);
            assert_int_equal(flats.inside[i], expected);
            inside += expected;
            outside += !expected;
            if (expected && flats.lean <= 1e-2) {
                check_directions(&random, &set, &set.items[i], flats.lean, same);
            }
        }
        mesh_flats_free(&flats);
        free(set.items);
    }
    assert_true(inside > 1000 && outside > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_flats)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
