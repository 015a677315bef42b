/*
 * Mass properties: closed forms, numeric integration as an independent referee, and how they must change under motion, scale and cutting
 * into parts.
 */
#include "shape/shape.h"
#include "support/check.h"
#include "support/solid.h"

static abut_mass mass_of(const abut_shape *shape, double density) {
    abut_mass mass;
    assert_ok(abut_shape_mass(shape, density, &mass));
    return mass;
}

static void assert_mat3_near(abut_mat3 actual, abut_mat3 expected, double tolerance) {
    assert_vec3_near(actual.x, expected.x, tolerance);
    assert_vec3_near(actual.y, expected.y, tolerance);
    assert_vec3_near(actual.z, expected.z, tolerance);
}

static void assert_symmetric(abut_mat3 m) {
    assert_near(m.x.y, m.y.x, 0.0);
    assert_near(m.y.z, m.z.y, 0.0);
    assert_near(m.z.x, m.x.z, 0.0);
}

static void closed_forms(void **state) {
    (void)state;
    abut_shape *ball, *box;
    assert_ok(abut_shape_create_sphere(1.5, &ball));
    abut_mass mass = mass_of(ball, 2.0);
    double volume = 4.0 / 3.0 * PI * 3.375;
    assert_near(mass.volume, volume, 1e-14);
    assert_near(mass.mass, 2.0 * volume, 1e-13);
    double moment = 0.4 * 2.0 * volume * 2.25;
    assert_mat3_near(mass.inertia, abut_mat3_make(abut_vec3_make(moment, 0, 0), abut_vec3_make(0, moment, 0), abut_vec3_make(0, 0, moment)),
                     1e-13);
    abut_shape_release(ball);
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    mass = mass_of(box, 3.0);
    assert_near(mass.mass, 144.0, 1e-13);
    assert_mat3_near(mass.inertia, abut_mat3_make(abut_vec3_make(624, 0, 0), abut_vec3_make(0, 480, 0), abut_vec3_make(0, 0, 240)), 1e-12);
    abut_shape_release(box);
}

/* Discs across the axis, by Simpson's rule, which is exact for the polynomials of either cap and of the tube. */
static void capsule_against_integration(void **state) {
    (void)state;
    const double sizes[][2] = {{1, 0}, {0.5, 2}, {2, 0.1}, {1e-3, 1}};
    for (int i = 0; i < 4; i++) {
        double r = sizes[i][0], h = sizes[i][1], volume = 0.0, axial = 0.0, across = 0.0;
        const double ends[4] = {-h - r, -h, h, h + r};
        enum { panels = 200 };
        for (int piece = 0; piece < 3; piece++) {
            double step = (ends[piece + 1] - ends[piece]) / panels;
            for (int k = 0; k <= panels; k++) {
                double z = ends[piece] + k * step, beyond = fmax(fabs(z) - h, 0.0), square = fmax(r * r - beyond * beyond, 0.0);
                double weight = step / 3.0 * (k == 0 || k == panels ? 1 : k % 2 ? 4 : 2) * PI * square;
                volume += weight;
                axial += weight * 0.5 * square;
                across += weight * (0.25 * square + z * z);
            }
        }
        abut_shape *bar;
        assert_ok(abut_shape_create_capsule(r, h, &bar));
        abut_mass mass = mass_of(bar, 1.0);
        assert_near(mass.volume, volume, 1e-12 * volume);
        assert_near(mass.inertia.z.z, axial, 1e-9 * axial);
        assert_near(mass.inertia.x.x, across, 1e-9 * across);
        assert_near(mass.inertia.y.y, across, 1e-9 * across);
        assert_vec3_near(mass.centre, abut_vec3_make(0, 0, 0), 0.0);
        abut_shape_release(bar);
    }
}

/* Rods along z through a grid of midpoints in x and y, each from where it enters the faces' half-spaces to where it leaves them. */
static abut_mass integrate_rods(const polytope *p, abut_aabb bounds, int32_t grid) {
    double dx = (bounds.upper.x - bounds.lower.x) / grid, dy = (bounds.upper.y - bounds.lower.y) / grid;
    double v = 0, x1 = 0, y1 = 0, z1 = 0, xx = 0, yy = 0, zz = 0, xy = 0, yz = 0, zx = 0;
    for (int32_t cell = 0; cell < grid * grid; cell++) {
        double x = bounds.lower.x + (cell % grid + 0.5) * dx, y = bounds.lower.y + (cell / grid + 0.5) * dy;
        double low = bounds.lower.z, high = bounds.upper.z;
        for (int32_t f = 0; f < p->face_count; f++) {
            abut_vec3 n = p->normals[f];
            double room = p->offsets[f] - n.x * x - n.y * y;
            high = n.z > 1e-12 ? fmin(high, room / n.z) : high;
            low = n.z < -1e-12 ? fmax(low, room / n.z) : low;
            high = fabs(n.z) <= 1e-12 && room < 0 ? low : high;
        }
        double length = fmax(high - low, 0.0) * dx * dy, middle = 0.5 * (high + low);
        double square = (low * low + low * high + high * high) / 3.0;
        v += length;
        x1 += length * x;
        y1 += length * y;
        z1 += length * middle;
        xx += length * x * x;
        yy += length * y * y;
        zz += length * square;
        xy += length * x * y;
        yz += length * y * middle;
        zx += length * x * middle;
    }
    double cx = x1 / v, cy = y1 / v, cz = z1 / v;
    xx -= v * cx * cx;
    yy -= v * cy * cy;
    zz -= v * cz * cz;
    xy -= v * cx * cy;
    yz -= v * cy * cz;
    zx -= v * cz * cx;
    abut_mass mass = {.mass = v, .volume = v, .centre = {cx, cy, cz}};
    mass.inertia = abut_mat3_make(abut_vec3_make(yy + zz, -xy, -zx), abut_vec3_make(-xy, zz + xx, -yz), abut_vec3_make(-zx, -yz, xx + yy));
    return mass;
}

static void polytopes_against_integration(void **state) {
    (void)state;
    random_state random = random_make(random_seed("polytopes_against_integration", 41));
    for (int sample = 0; sample < 6; sample++) {
        solid s = solid_cloud(&random, 6 + 4 * sample, abut_vec3_make(1.0, 0.7, 0.5));
        for (int32_t v = 0; v < s.vertex_count; v++) {
            s.vertices[v] = abut_add(s.vertices[v], abut_vec3_make(0.5, -0.4, 0.3));
        }
        abut_shape *shape = solid_shape(&s);
        abut_mass mass = mass_of(shape, 1.0), expected = integrate_rods(&shape->surface, shape->bounds, 600);
        assert_near(mass.volume, expected.volume, 2e-5 * expected.volume);
        assert_vec3_near(mass.centre, expected.centre, 2e-5);
        assert_mat3_near(mass.inertia, expected.inertia, 5e-5 * expected.volume);
        assert_symmetric(mass.inertia);
        abut_shape_release(shape);
        solid_free(&s);
    }
}

/* Moved by x -> s (R x + t): V s^3, c -> s (R c + t), I -> s^5 R I R^T. */
static void motion_and_scale(void **state) {
    (void)state;
    random_state random = random_make(random_seed("motion_and_scale", 42));
    for (int sample = 0; sample < 60; sample++) {
        solid s = solid_cloud(&random, 4 + random_below(&random, 60), abut_vec3_make(1.0, 0.3, 0.1));
        abut_shape *shape = solid_shape(&s);
        abut_mass before = mass_of(shape, 1.0);
        double scale = random_log_range(&random, 1e-9, 1e9), far = sample % 2 ? 1e6 : 1.0;
        abut_pose pose = random_pose(&random, far);
        for (int32_t v = 0; v < s.vertex_count; v++) {
            s.vertices[v] = abut_scale(scale, abut_pose_apply(pose, s.vertices[v]));
        }
        abut_shape *moved = solid_shape(&s);
        abut_mass after = mass_of(moved, 1.0);
        double cube = scale * scale * scale, fifth = cube * scale * scale, rounding = 1e-14 + 1e-15 * far;
        abut_mat3 r = abut_mat3_from_quat(pose.rotation);
        abut_mat3 turned = abut_mat3_mul(r, abut_mat3_mul(before.inertia, abut_mat3_transpose(r)));
        turned = abut_mat3_make(abut_scale(fifth, turned.x), abut_scale(fifth, turned.y), abut_scale(fifth, turned.z));
        assert_near(after.volume, cube * before.volume, 10.0 * rounding * cube);
        assert_vec3_near(after.centre, abut_scale(scale, abut_pose_apply(pose, before.centre)), rounding * scale);
        assert_mat3_near(after.inertia, turned, 10.0 * rounding * fifth);
        assert_symmetric(after.inertia);
        abut_shape_release(shape);
        abut_shape_release(moved);
        solid_free(&s);
    }
}

/* A needle's small moment about its axis keeps its digits, and so does a box given by its faces. */
static void slender_bodies(void **state) {
    (void)state;
    for (double thin = 1.0; thin > 1e-9; thin *= 0.1) {
        abut_vec3 half = {1.0, thin, 0.5 * thin};
        solid s = solid_box(half);
        abut_shape *faces = solid_shape(&s), *box;
        assert_ok(abut_shape_create_box(half, &box));
        abut_mass mass = mass_of(faces, 1.0), expected = mass_of(box, 1.0);
        assert_near(mass.volume, expected.volume, 1e-14 * expected.volume);
        assert_near(mass.inertia.x.x, expected.inertia.x.x, 1e-13 * expected.inertia.x.x);
        assert_near(mass.inertia.y.y, expected.inertia.y.y, 1e-13 * expected.inertia.y.y);
        assert_near(mass.inertia.z.z, expected.inertia.z.z, 1e-13 * expected.inertia.z.z);
        abut_shape_release(faces);
        abut_shape_release(box);
        solid_free(&s);
    }
}

/* A box cut into eight, each turned by quarter turns into place, is the box. */
static void parts_add_up(void **state) {
    (void)state;
    const abut_vec3 half = {1.0, 2.0, 3.0};
    abut_shape *whole, *piece, *compound;
    assert_ok(abut_shape_create_box(half, &whole));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5 * half.y, 0.5 * half.x, 0.5 * half.z), &piece));
    abut_part parts[8];
    for (int i = 0; i < 8; i++) {
        abut_vec3 centre = {i & 1 ? 0.5 : -0.5, i & 2 ? 1.0 : -1.0, i & 4 ? 1.5 : -1.5};
        abut_vec3 away = abut_add(centre, abut_vec3_make(10, 20, 30));
        parts[i] = (abut_part){piece, {away, abut_quat_about(abut_vec3_make(0, 0, 1), (i % 2 ? 1 : -1) * 0.5 * PI)}};
    }
    assert_ok(abut_shape_create_compound(parts, 8, &compound));
    abut_mass mass = mass_of(compound, 7.0), expected = mass_of(whole, 7.0);
    assert_near(mass.volume, expected.volume, 1e-13);
    assert_near(mass.mass, expected.mass, 1e-12);
    assert_vec3_near(mass.centre, abut_vec3_make(10, 20, 30), 1e-13);
    assert_mat3_near(mass.inertia, expected.inertia, 1e-11);
    assert_symmetric(mass.inertia);
    abut_shape_release(whole);
    abut_shape_release(piece);
    abut_shape_release(compound);
}

/* A polytope turned as a part of a compound weighs what the turned polytope weighs. */
static void a_turned_part(void **state) {
    (void)state;
    random_state random = random_make(random_seed("a_turned_part", 43));
    solid s = solid_cloud(&random, 20, abut_vec3_make(1.0, 0.6, 0.3));
    abut_shape *shape = solid_shape(&s), *compound;
    abut_part part = {shape, random_pose(&random, 2.0)};
    assert_ok(abut_shape_create_compound(&part, 1, &compound));
    for (int32_t v = 0; v < s.vertex_count; v++) {
        s.vertices[v] = abut_pose_apply(part.pose, s.vertices[v]);
    }
    abut_shape *turned = solid_shape(&s);
    abut_mass mass = mass_of(compound, 1.0), expected = mass_of(turned, 1.0);
    assert_near(mass.volume, expected.volume, 1e-14);
    assert_vec3_near(mass.centre, expected.centre, 1e-14);
    assert_mat3_near(mass.inertia, expected.inertia, 1e-14);
    abut_shape_release(shape);
    abut_shape_release(turned);
    abut_shape_release(compound);
    solid_free(&s);
}

static void refused(void **state) {
    (void)state;
    abut_shape *ball, *plane;
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    assert_ok(abut_shape_create_plane(abut_vec3_make(0, 0, 1), 0.0, &plane));
    abut_mass mass;
    assert_status(abut_shape_mass(plane, 1.0, &mass), ABUT_ERROR_UNBOUNDED);
    assert_status(abut_shape_mass(NULL, 1.0, &mass), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_mass(ball, 1.0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    const double bad[] = {0.0, -1.0, NAN, INFINITY, 1e308, 5e-324};
    for (int i = 0; i < 6; i++) {
        assert_status(abut_shape_mass(ball, bad[i], &mass), ABUT_ERROR_INVALID_ARGUMENT);
    }
    abut_shape_release(ball);
    abut_shape_release(plane);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),     cmocka_unit_test(capsule_against_integration),
        cmocka_unit_test(motion_and_scale), cmocka_unit_test(polytopes_against_integration),
        cmocka_unit_test(slender_bodies),   cmocka_unit_test(parts_add_up),
        cmocka_unit_test(a_turned_part),    cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
