#include "support/meshes.h"

#include <abut/query.h>

#include <stdlib.h>

#include "support/check.h"

abut_shape *meshes_make(const abut_vec3 *vertices, int32_t vertex_count, const int32_t *triangles, int32_t triangle_count) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = vertex_count;
    def.triangles = triangles;
    def.triangle_count = triangle_count;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

abut_shape *meshes_joined(const abut_part *pieces, int32_t count) {
    int32_t all = 0, made = 0;
    for (int32_t p = 0; p < count; p++) {
        all += abut_shape_triangle_count(pieces[p].shape);
    }
    abut_vec3 *vertices = check_memory((size_t)all, 3 * sizeof *vertices);
    int32_t *triangles = check_memory((size_t)all, 3 * sizeof *triangles);
    for (int32_t p = 0; p < count; p++) {
        for (int32_t i = 0; i < abut_shape_triangle_count(pieces[p].shape); i++) {
            abut_triangle t;
            assert_ok(abut_shape_triangle(pieces[p].shape, i, &t));
            for (int k = 0; k < 3; k++) {
                vertices[made] = abut_pose_apply(pieces[p].pose, t.corner[k]);
                triangles[made] = made;
                made++;
            }
        }
    }
    abut_shape *mesh = meshes_make(vertices, made, triangles, all);
    free(vertices);
    free(triangles);
    return mesh;
}

/* Triangles of the faces, as fans about their first corners. */
static int32_t *triangles_of(const abut_polytope_view *view, int32_t *count) {
    int32_t *triangles = check_memory((size_t)view->face_first[view->face_count], 3 * sizeof *triangles);
    *count = 0;
    for (int32_t f = 0; f < view->face_count; f++) {
        const int32_t *loop = view->face_vertices + view->face_first[f];
        for (int32_t c = 1; c + 1 < view->face_first[f + 1] - view->face_first[f]; c++) {
            triangles[3 * *count] = loop[0];
            triangles[3 * *count + 1] = loop[c];
            triangles[3 * (*count)++ + 2] = loop[c + 1];
        }
    }
    return triangles;
}

/* Corner i, k of a triangle divided into cells: i steps towards its second corner, k steps towards its third. */
static abut_vec3 cut_corner(const abut_vec3 corner[3], int32_t i, int32_t k, int32_t cells) {
    abut_vec3 sum = abut_scale((double)(cells - i - k) / cells, corner[0]);
    return abut_add_scaled(abut_add_scaled(sum, (double)i / cells, corner[1]), (double)k / cells, corner[2]);
}

abut_shape *meshes_surface_of(const abut_shape *solid, int32_t cells) {
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(solid, &view));
    int32_t count, *whole = triangles_of(&view, &count);
    if (cells == 1) {
        abut_shape *mesh = meshes_make(view.vertices, view.vertex_count, whole, count);
        free(whole);
        return mesh;
    }
    int32_t made = 0, total = count * cells * cells;
    abut_vec3 *vertices = check_memory((size_t)total, 3 * sizeof *vertices);
    int32_t *triangles = check_memory((size_t)total, 3 * sizeof *triangles);
    for (int32_t t = 0; t < count; t++) {
        const abut_vec3 corner[3] = {view.vertices[whole[3 * t]], view.vertices[whole[3 * t + 1]], view.vertices[whole[3 * t + 2]]};
        for (int32_t i = 0; i < cells; i++) {
            for (int32_t k = 0; k < cells - i; k++) {
                const int32_t up[3][2] = {{i, k}, {i + 1, k}, {i, k + 1}}, down[3][2] = {{i + 1, k}, {i + 1, k + 1}, {i, k + 1}};
                for (int c = 0; c < 3; c++) {
                    vertices[made++] = cut_corner(corner, up[c][0], up[c][1], cells);
                }
                for (int c = 0; c < 3 && k < cells - i - 1; c++) {
                    vertices[made++] = cut_corner(corner, down[c][0], down[c][1], cells);
                }
            }
        }
    }
    for (int32_t i = 0; i < made; i++) {
        triangles[i] = i;
    }
    abut_shape *mesh = meshes_make(vertices, made, triangles, made / 3);
    free(whole);
    free(vertices);
    free(triangles);
    return mesh;
}

abut_shape *meshes_grid(int32_t cells, double cell) {
    double *heights = check_memory((size_t)((cells + 1) * (cells + 1)), sizeof *heights);
    abut_heightfield_def def = {.heights = heights, .columns = cells + 1, .rows = cells + 1, .spacing_x = cell, .spacing_y = cell};
    abut_shape *grid = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &grid));
    free(heights);
    return grid;
}

abut_shape *meshes_ring(double radius, double thickness, int32_t around, int32_t across) {
    const double turn = 6.283185307179586;
    abut_vec3 *vertices = check_memory((size_t)(around * across), sizeof *vertices);
    int32_t *triangles = check_memory((size_t)(around * across), 6 * sizeof *triangles), made = 0;
    for (int32_t i = 0; i < around; i++) {
        for (int32_t k = 0; k < across; k++) {
            double u = turn * i / around, v = turn * k / across, r = radius + thickness * cos(v);
            vertices[i * across + k] = abut_vec3_make(r * cos(u), r * sin(u), thickness * sin(v));
            int32_t next_i = (i + 1) % around, next_k = (k + 1) % across;
            const int32_t p = i * across + k, q = next_i * across + k, s = next_i * across + next_k, t = i * across + next_k;
            const int32_t two[6] = {p, q, s, p, s, t};
            for (int c = 0; c < 6; c++) {
                triangles[made++] = two[c];
            }
        }
    }
    abut_shape *ring = meshes_make(vertices, around * across, triangles, made / 3);
    free(vertices);
    free(triangles);
    return ring;
}

abut_shape *meshes_random_solid(random_state *random, double size) {
    abut_shape *solid = NULL;
    if (random_below(random, 2) == 0) {
        assert_ok(abut_shape_create_box(random_vec3(random, 0.5 * size, 1.5 * size), &solid));
        return solid;
    }
    abut_vec3 points[24];
    int32_t count = 8 + random_below(random, 16);
    for (int32_t i = 0; i < count; i++) {
        points[i] = abut_scale(size, random_direction(random));
    }
    assert_ok(abut_shape_create_hull(points, count, &solid));
    return solid;
}

abut_pose meshes_put_into(random_state *random, const abut_shape *body, const abut_shape *solid, double depth) {
    abut_pose pose = random_pose(random, 1.0);
    pose.position = abut_scale(6.0, random_direction(random));
    abut_separation s = {.gap = 1.0};
    for (int i = 0; i < 60 && s.gap > 1e-9; i++) {
        assert_ok(abut_distance(&(abut_pair){body, pose, solid, abut_pose_identity()}, NULL, NULL, &s));
        pose.position = abut_add_scaled(pose.position, -(s.gap + 1e-9), s.normal);
    }
    pose.position = abut_add_scaled(pose.position, -depth, s.normal);
    return pose;
}

int32_t meshes_ask(const abut_shape *body, abut_pose pose, const abut_shape *mesh, abut_pose at, double margin, bool swapped,
                   abut_contact *contacts) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    int32_t count;
    if (!swapped) {
        assert_ok(abut_collide(&(abut_pair){body, pose, mesh, at}, &settings, NULL, contacts, MESHES_ROOM, &count));
        return count;
    }
    assert_ok(abut_collide(&(abut_pair){mesh, at, body, pose}, &settings, NULL, contacts, MESHES_ROOM, &count));
    for (int32_t i = 0; i < count; i++) {
        contacts[i] = abut_contact_swap(contacts[i]);
    }
    return count;
}

void meshes_check_sound(const abut_contact *contacts, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        assert_near(abut_length(contacts[i].normal), 1.0, 1e-12);
        double rounding = 1e-15 * (abut_length(contacts[i].on_a) + abut_length(contacts[i].on_b));
        assert_near(contacts[i].gap, abut_dot(contacts[i].normal, abut_sub(contacts[i].on_a, contacts[i].on_b)), 1e-9 + rounding);
        for (int32_t k = 0; k < i; k++) {
            assert_true(contacts[i].id != contacts[k].id);
        }
    }
}

void meshes_compare(mesh_likeness *likeness, const abut_shape *solid_a, abut_pose pose, const abut_shape *solid_b,
                    const abut_contact *contacts, int32_t count) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = ABUT_NORMAL_MINIMUM;
    abut_contact wanted[MESHES_ROOM];
    int32_t wanted_count;
    assert_ok(
        abut_collide(&(abut_pair){solid_a, pose, solid_b, abut_pose_identity()}, &settings, NULL, wanted, MESHES_ROOM, &wanted_count));
    meshes_check_sound(contacts, count);
    assert_int_equal(count > 0, wanted_count > 0);
    double depth = 0.0, least = 0.0;
    bool same = true;
    for (int32_t i = 0; i < wanted_count; i++) {
        least = fmax(least, -wanted[i].gap);
    }
    for (int32_t i = 0; i < count; i++) {
        depth = fmax(depth, -contacts[i].gap);
        same = same && abut_distance_between(contacts[i].normal, wanted[0].normal) < 1e-6;
    }
    likeness->samples++;
    likeness->same_depth += fabs(depth - least) < 1e-9;
    likeness->alike += same && fabs(depth - least) < 1e-9;
    likeness->worst = least > 1e-6 ? fmax(likeness->worst, depth / least) : likeness->worst;
}
