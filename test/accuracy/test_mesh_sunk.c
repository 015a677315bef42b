/*
 * Convex bodies that have sunk into flat meshes, at any depth: inner edges push nobody. The oracle is closed: the depth is how far the body reaches below the
 * plane, and the normal is that of the plane.
 */
#include <abut/collide.h>
#include <abut/mesh.h>

#include <math.h>

#include "accuracy/flat_mesh.h"
#include "accuracy/sunk_body.h"

enum { ROOM = 1024 };

/* ---- one sample ---- */

typedef struct sunk_case {
    sunk_body body;
    flat_mesh mesh;
    flat_area area;
    double scale;
    abut_pose turned; /* of the mesh's vertices */
    abut_pose moved;  /* of the whole */
    int32_t meshes;
    bool field, two_sided, swapped;
} sunk_case;

/* Puts the body over the origin and sinks it in. */
static void sink(random_state *random, sunk_body *b) {
    double low = -sunk_body_reach(b, abut_vec3_make(0, 0, -1)), high = sunk_body_reach(b, abut_vec3_make(0, 0, 1));
    double part = random_below(random, 3) == 0 ? random_range(random, 0.01, 0.5) : 0.5 * random_range(random, 0.02, 1.0);
    b->pose.position.z = -(low + part * (high - low));
    if (random_below(random, 2) == 0) {
        b->pose.position.z = 0.01 * round(100.0 * b->pose.position.z);
    }
    b->pose.position.x = sunk_number(random, -1, 1);
    b->pose.position.y = sunk_number(random, -1, 1);
}

static flat_area area_about(random_state *random, const sunk_body *b) {
    flat_area a;
    double wide = random_below(random, 2) ? 0.01 : 1.0, step = random_below(random, 2) ? 0.25 : 1e-9;
    a.x1 = sunk_body_reach(b, abut_vec3_make(1, 0, 0)) + random_range(random, 0.01, 1.0) * wide;
    a.y1 = sunk_body_reach(b, abut_vec3_make(0, 1, 0)) + random_range(random, 0.01, 1.0) * wide;
    a.x0 = -sunk_body_reach(b, abut_vec3_make(-1, 0, 0)) - random_range(random, 0.01, 1.0) * wide;
    a.y0 = -sunk_body_reach(b, abut_vec3_make(0, -1, 0)) - random_range(random, 0.01, 1.0) * wide;
    return (flat_area){step * floor(a.x0 / step), step * floor(a.y0 / step), step * ceil(a.x1 / step), step * ceil(a.y1 / step)};
}

/* Turns every other triangle about, on average. A two-sided mesh need not be wound in one way. */
static void turn_some(random_state *random, flat_mesh *m) {
    for (int32_t i = 0; i < m->triangles; i++) {
        if (random_below(random, 2) == 0) {
            int32_t corner = m->triangle[i][1];
            m->triangle[i][1] = m->triangle[i][2];
            m->triangle[i][2] = corner;
        }
    }
}

static void make_case(random_state *random, sunk_case *c, bool strips) {
    do {
        c->body = sunk_body_random(random, true);
        sink(random, &c->body);
    } while (!(sunk_body_immersion(&c->body) > 1e-6));
    c->area = area_about(random, &c->body);
    if (strips) {
        flat_mesh_fill_strips(&c->mesh, random, c->area);
    } else {
        flat_mesh_fill(&c->mesh, random, c->area, random_below(random, 9));
    }
    if (strips && random_below(random, 2) == 0) {
        flat_mesh_shake(&c->mesh, random, 1.0);
    }
    c->scale = random_below(random, 2) ? 1.0 : random_log_range(random, 1e-3, 1e3);
    sunk_body_scale(&c->body, c->scale);
    bool plain = random_below(random, 2) == 0;
    c->turned = plain ? abut_pose_identity() : random_pose(random, c->scale);
    c->moved = random_below(random, 2) == 0 ? abut_pose_identity() : random_pose(random, 10.0 * c->scale);
    c->meshes = random_below(random, 4) == 0 ? 1 + random_below(random, 4) : 0;
    c->swapped = random_below(random, 2) == 0;
    c->field = !strips && c->meshes == 0 && random_below(random, 4) == 0;
    c->two_sided = c->body.pieces == 1 && random_below(random, 5) == 0; /* every part chooses its side */
    if (c->two_sided && random_below(random, 2) == 0) {
        turn_some(random, &c->mesh);
    }
}

/* A flat height field over the area; *at is its pose. */
static abut_shape *make_field(const sunk_case *c, abut_pose *at) {
    enum { COLUMNS = 9, ROWS = 7 };
    static const double heights[COLUMNS * ROWS];
    abut_heightfield_def def = {.heights = heights, .columns = COLUMNS, .rows = ROWS, .two_sided = c->two_sided};
    def.spacing_x = c->scale * (c->area.x1 - c->area.x0) / (COLUMNS - 1);
    def.spacing_y = c->scale * (c->area.y1 - c->area.y0) / (ROWS - 1);
    abut_pose corner = abut_pose_identity();
    corner.position = abut_vec3_make(c->scale * c->area.x0, c->scale * c->area.y0, 0.0);
    *at = abut_pose_compose(c->moved, abut_pose_compose(c->turned, corner));
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

/* The answer with the body as A. */
static int32_t answer(const sunk_case *c, abut_contact *contacts) {
    abut_shape *body = sunk_body_shape(&c->body), *mesh[8];
    abut_pose pose = abut_pose_compose(c->moved, abut_pose_compose(c->turned, c->body.pose));
    int32_t count = 0;
    abut_collide_settings settings = abut_collide_settings_default();
    if (c->meshes > 0) {
        abut_part parts[8];
        int32_t parts_made = 0;
        for (int32_t i = 0; i < c->meshes; i++) {
            int32_t first = c->mesh.triangles * i / c->meshes, last = c->mesh.triangles * (i + 1) / c->meshes;
            if (last > first) {
                mesh[parts_made] = flat_mesh_shape(&c->mesh, first, last - first, c->scale, c->turned, c->two_sided);
                parts[parts_made] = (abut_part){mesh[parts_made], c->moved};
                ++parts_made;
            }
        }
        assert_ok(abut_collide_meshes(body, pose, parts, parts_made, &settings, contacts, ROOM, &count));
        for (int32_t i = 0; i < parts_made; i++) {
            abut_shape_release(mesh[i]);
        }
    } else {
        abut_pose at = c->moved;
        mesh[0] = c->field ? make_field(c, &at) : flat_mesh_shape(&c->mesh, 0, c->mesh.triangles, c->scale, c->turned, c->two_sided);
        abut_pair pair = c->swapped ? (abut_pair){mesh[0], at, body, pose} : (abut_pair){body, pose, mesh[0], at};
        assert_ok(abut_collide(&pair, &settings, NULL, contacts, ROOM, &count));
        for (int32_t i = 0; i < count && c->swapped; i++) {
            contacts[i] = abut_contact_swap(contacts[i]);
        }
        abut_shape_release(mesh[0]);
    }
    abut_shape_release(body);
    return count;
}

static void judge(accuracy *row, const sunk_case *c, const abut_contact *contacts, int32_t count) {
    abut_pose frame = abut_pose_compose(c->moved, c->turned);
    double side = 1.0, above = sunk_body_reach(&c->body, abut_vec3_make(0, 0, 1)),
           below = sunk_body_reach(&c->body, abut_vec3_make(0, 0, -1));
    double rounding = 1e-12 * (above + below + abut_length(frame.position));
    if (c->two_sided && fabs(above - below) < rounding && count > 0) { /* either side is as good */
        side = abut_dot(contacts[0].normal, abut_quat_rotate(frame.rotation, abut_vec3_make(0, 0, 1))) >= 0.0 ? 1.0 : -1.0;
    } else if (c->two_sided && above < below) {
        side = -1.0; /* a two-sided mesh pushes to the side on which more of the body is */
    }
    abut_vec3 normal = abut_quat_rotate(frame.rotation, abut_vec3_make(0, 0, side));
    double size = sunk_body_reach(&c->body, abut_vec3_make(0, 0, 1)) + sunk_body_reach(&c->body, abut_vec3_make(0, 0, -1));
    double far = abut_length(frame.position) + c->scale * 3.0, wanted = side > 0.0 ? -sunk_body_immersion(&c->body) : -above,
           least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const abut_contact *k = &contacts[i];
        double turned = abut_distance_between(k->normal, normal);
        if (!(turned < 1e-6)) {
            accuracy_wrong(row, "kind %d of %d: normal (%g %g %g), gap %g, right (%g %g %g), %g", c->body.piece[0].kind,
                           (int)c->body.pieces, k->normal.x, k->normal.y, k->normal.z, k->gap, normal.x, normal.y, normal.z, wanted);
            return;
        }
        abut_vec3 on = abut_pose_apply_inverse(frame, k->on_b);
        accuracy_error(row, fabs(on.z) / (far + size), "a point at height %g", on.z);
        accuracy_error(row, fabs(abut_dot(k->normal, abut_sub(k->on_a, k->on_b)) - k->gap) / (far + size), "gap %g not that of the points",
                       k->gap);
        least = fmin(least, k->gap);
    }
    if (count == 0) {
        accuracy_wrong(row, "kind %d of %d: no contact, right %g", c->body.piece[0].kind, (int)c->body.pieces, wanted);
        return;
    }
    accuracy_error(row, fabs(least - wanted) / (far + size), "kind %d of %d: gap %.17g, right %.17g", c->body.piece[0].kind,
                   (int)c->body.pieces, least, wanted);
}

static void sample(accuracy *row, uint64_t seed, bool strips) {
    static sunk_case c;
    abut_contact contacts[ROOM];
    random_state random = random_make(seed);
    make_case(&random, &c, strips);
    accuracy_next(row, seed);
    judge(row, &c, contacts, answer(&c, contacts));
}

static void on_flat_meshes(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("convex bodies sunk into flat meshes", "closed form: how far the body reaches below the plane",
                                   "gap, against the coordinates", 1e-12);
    static const uint64_t held[] = {UINT64_C(180100000000), UINT64_C(180100000011), UINT64_C(180100000038),
                                    UINT64_C(180100000622), UINT64_C(180100001205), UINT64_C(180100002653),
                                    UINT64_C(180100001826), UINT64_C(180100002256), UINT64_C(180100002629),
                                    UINT64_C(180100007949), UINT64_C(180100156152), UINT64_C(13289283594546616736)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i], false);
    }
    for (int32_t i = 0; i < accuracy_samples(200000); i++) {
        sample(row, UINT64_C(180100000000) + (uint64_t)i, false);
    }
    accuracy_end(row);
}

static void on_strips(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("convex bodies sunk into flat meshes of slivers, with T-junctions and noise of rounding",
                                   "closed form: how far the body reaches below the plane", "gap, against the coordinates", 1e-12);
    static const uint64_t held[] = {UINT64_C(180200000042), UINT64_C(180200000635), /* once wrong, with narrower slivers */
                                    UINT64_C(180200114932)};                        /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i], true);
    }
    for (int32_t i = 0; i < accuracy_samples(150000); i++) {
        sample(row, UINT64_C(180200000000) + (uint64_t)i, true);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_flat_meshes), cmocka_unit_test(on_strips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
