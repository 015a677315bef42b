/*
 * Rays at height fields: only the cells along the ray are looked at. The answer is that of the mesh with the same triangles, bit for bit, also for rays along
 * the grid's lines, through its vertices, upright, from far away, and on fields with few or uneven blocks.
 */
#include <stdlib.h>
#include <string.h>

#include <abut/mesh.h>
#include <abut/query.h>

#include "support/check.h"

enum { MOST = 24 };

typedef struct field {
    int32_t columns, rows;
    double spacing_x, spacing_y;
    bool two_sided;
    double height[MOST * MOST];
    abut_vec3 vertex[MOST * MOST];
    int32_t corner[6 * MOST * MOST];
} field;

static field make_field(random_state *random) {
    field f = {.columns = 2 + random_below(random, MOST - 2), .rows = 2 + random_below(random, MOST - 2)};
    f.spacing_x = random_log_range(random, 0.01, 100.0);
    f.spacing_y = random_below(random, 2) == 0 ? f.spacing_x : f.spacing_x * random_log_range(random, 0.1, 10.0);
    f.two_sided = random_below(random, 2) == 0;
    double rough = random_below(random, 4) == 0 ? 0.0 : random_log_range(random, 0.001, 3.0) * f.spacing_x;
    int32_t *to = f.corner;
    for (int32_t j = 0; j < f.rows; j++) {
        for (int32_t i = 0; i < f.columns; i++) {
            int32_t at = j * f.columns + i;
            f.height[at] = random_range(random, -rough, rough);
            f.vertex[at] = abut_vec3_make(f.spacing_x * i, f.spacing_y * j, f.height[at]);
            if (i + 1 < f.columns && j + 1 < f.rows) {
                const int32_t cell[6] = {at, at + 1, at + f.columns + 1, at, at + f.columns + 1, at + f.columns};
                memcpy(to, cell, sizeof cell);
                to += 6;
            }
        }
    }
    return f;
}

static abut_shape *shape_of_heights(const field *f) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(
        &(abut_heightfield_def){f->height, f->columns, f->rows, f->spacing_x, f->spacing_y, f->two_sided}, &shape));
    return shape;
}

static abut_shape *shape_of_triangles(const field *f) {
    abut_shape *shape = NULL;
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = f->vertex;
    def.vertex_count = f->columns * f->rows;
    def.triangles = f->corner;
    def.triangle_count = 2 * (f->columns - 1) * (f->rows - 1);
    def.two_sided = f->two_sided;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}

/* A point above, below or beside the field: anywhere, on a grid line, or above a vertex. */
static abut_vec3 point_near(const field *f, random_state *random) {
    double i = random_range(random, -1.0, f->columns), j = random_range(random, -1.0, f->rows);
    int32_t kind = random_below(random, 4);
    i = kind == 1 || kind == 3 ? floor(i) : i;
    j = kind == 2 || kind == 3 ? floor(j) : j;
    return abut_vec3_make(f->spacing_x * i, f->spacing_y * j, random_range(random, -4.0, 4.0) * f->spacing_x);
}

static void make_ray(const field *f, random_state *random, abut_vec3 *origin, abut_vec3 *way) {
    *origin = point_near(f, random);
    *way = abut_sub(point_near(f, random), *origin);
    switch (random_below(random, 6)) {
    case 0:
        way->x = 0.0;
        break;
    case 1:
        way->y = 0.0;
        break;
    case 2:
        way->x = way->y = 0.0;
        break;
    case 3: /* nearly along a grid line */
        way->x *= 1e-13;
        break;
    case 4: { /* from far away */
        double far = random_log_range(random, 1e2, 1e7);
        *origin = abut_add_scaled(*origin, -far, *way);
        *way = abut_scale(far + 1.0, *way);
        break;
    }
    default:
        break;
    }
    if (abut_length(*way) == 0.0) {
        way->z = -f->spacing_x;
    }
}

static void rays_find_what_they_find_in_the_mesh(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rays_find_what_they_find_in_the_mesh", 4711));
    int32_t hits = 0, rays = 0;
    for (int32_t i = 0, samples = random_samples("rays_find_what_they_find_in_the_mesh", 4000); i < samples; i++) {
        field f = make_field(&random);
        abut_shape *heights = shape_of_heights(&f), *triangles = shape_of_triangles(&f);
        for (int k = 0; k < 100; k++) {
            abut_vec3 origin, way;
            abut_hit at, expected;
            make_ray(&f, &random, &origin, &way);
            assert_ok(abut_ray_cast(heights, abut_pose_identity(), origin, way, &at));
            assert_ok(abut_ray_cast(triangles, abut_pose_identity(), origin, way, &expected));
            bool same = at.hit == expected.hit && at.fraction == expected.fraction && at.feature_b.index == expected.feature_b.index &&
                        memcmp(&at.point, &expected.point, sizeof at.point) == 0 &&
                        memcmp(&at.normal, &expected.normal, sizeof at.normal) == 0;
            if (!same) {
                fail_msg("field %d of %d x %d, ray %d from (%.17g, %.17g, %.17g) along (%.17g, %.17g, %.17g): fraction %.17g of triangle "
                         "%d, in the mesh "
                         "%.17g of %d",
                         (int)i, (int)f.columns, (int)f.rows, k, origin.x, origin.y, origin.z, way.x, way.y, way.z, at.fraction,
                         (int)at.feature_b.index, expected.fraction, (int)expected.feature_b.index);
            }
            hits += expected.hit;
            rays++;
        }
        abut_shape_release(heights);
        abut_shape_release(triangles);
    }
    print_message("%d of %d rays hit\n", (int)hits, (int)rays);
    assert_true(hits > rays / 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rays_find_what_they_find_in_the_mesh)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
