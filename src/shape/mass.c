/*
 * Volume, centre of mass and inertia of homogeneous bodies of density 1. Inertia about the centre of mass, axes of the shape frame.
 *
 * Diagonal entries are sums of second moments (I_xx = C_yy + C_zz), never a trace minus an entry, so slender bodies keep their digits.
 */

#include <math.h>

#include "base/elementary.h"
#include "base/real.h"
#include "geom/area.h"
#include "shape/mass.h"
#include "shape/shape.h"

static abut_mass diagonal_mass(double volume, double xx, double yy, double zz) {
    abut_mass mass = {.mass = volume, .volume = volume};
    mass.inertia = abut_mat3_make(abut_vec3_make(xx, 0, 0), abut_vec3_make(0, yy, 0), abut_vec3_make(0, 0, zz));
    return mass;
}

abut_mass mass_of_sphere(double radius) {
    double volume = 4.0 / 3.0 * REAL_PI * radius * radius * radius;
    double moment = 0.4 * volume * radius * radius;
    return diagonal_mass(volume, moment, moment, moment);
}

abut_mass mass_of_box(abut_vec3 half) {
    double volume = 8.0 * half.x * half.y * half.z;
    double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return diagonal_mass(volume, volume / 3.0 * (y + z), volume / 3.0 * (x + z), volume / 3.0 * (x + y));
}

abut_mass mass_of_ellipsoid(abut_vec3 half) {
    double volume = 4.0 / 3.0 * REAL_PI * half.x * half.y * half.z;
    double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return diagonal_mass(volume, volume / 5.0 * (y + z), volume / 5.0 * (x + z), volume / 5.0 * (x + y));
}

/* Arguments are below 7. */
static double beta(double x, double y) { return elementary_gamma(x) * elementary_gamma(y) / elementary_gamma(x + y); }

/*
 * By slices perpendicular to z. At the height z (in units of its semi-axis) the slice is a superellipse of size r = (1 - z^q)^(1/q), with
 * area A r^2 and second moment M r^4, where A = (4/p) B(1/p, 1/p + 1), M = (4/p) B(3/p, 1/p + 1), p = 2 / e2, q = 2 / e1. The integral of
 * z^k (1 - z^q)^m is B((k + 1)/q, m + 1) / q.
 */
abut_mass mass_of_superquadric(abut_vec3 half, double e1, double e2) {
    double inverse_p = 0.5 * e2, inverse_q = 0.5 * e1;
    double area = 4.0 * inverse_p * beta(inverse_p, inverse_p + 1.0), moment = 4.0 * inverse_p * beta(3.0 * inverse_p, inverse_p + 1.0);
    double cube = half.x * half.y * half.z;
    double volume = cube * area * 2.0 * inverse_q * beta(inverse_q, 2.0 * inverse_q + 1.0);
    double flat = cube * moment * 2.0 * inverse_q * beta(inverse_q, 4.0 * inverse_q + 1.0);
    double x = flat * half.x * half.x, y = flat * half.y * half.y;
    double z = cube * area * 2.0 * inverse_q * beta(3.0 * inverse_q, 2.0 * inverse_q + 1.0) * half.z * half.z;
    return diagonal_mass(volume, y + z, x + z, x + y);
}

/* A cylinder and two half balls. The centre of a half ball lies 3/8 radius from its flat side. */
abut_mass mass_of_capsule(double radius, double half_length) {
    double square = radius * radius;
    double tube = 2.0 * REAL_PI * square * half_length, caps = 4.0 / 3.0 * REAL_PI * square * radius;
    double axial = 0.5 * tube * square + 0.4 * caps * square;
    double shift = half_length * (half_length + 0.75 * radius);
    double across = tube * (0.25 * square + half_length * half_length / 3.0) + caps * (0.4 * square + shift);
    return diagonal_mass(tube + caps, across, across, axial);
}

/* With the radii a and b, s = a^2 + a b + b^2 and the height h: the volume is pi h s / 3, the second moment across the axis is
 * pi h (a^5 - b^5) / (20 (a - b)), and along it pi h^3 ((a + b)^4 / 4 + a^2 b^2) / (20 s). */
abut_mass mass_of_frustum(double radius, double top_radius, double height) {
    double a = radius, b = top_radius, aa = a * a, ab = a * b, bb = b * b, sum = a + b, square = aa + ab + bb;
    double volume = REAL_PI / 3.0 * height * square;
    double across = REAL_PI / 20.0 * height * (aa * (aa + ab + bb) + bb * (ab + bb));
    double middle = 0.25 * (sum * sum) * ((sum * sum) / square) + ab * (ab / square);
    double along = REAL_PI / 20.0 * (height * height * height) * middle;
    return diagonal_mass(volume, across + along, across + along, 2.0 * across);
}

/* Second moments C = integral of x x^T. */
typedef struct moments {
    double xx, yy, zz, xy, yz, zx;
} moments;

static abut_mat3 inertia_of(moments c) {
    return abut_mat3_make(abut_vec3_make(c.yy + c.zz, -c.xy, -c.zx), abut_vec3_make(-c.xy, c.zz + c.xx, -c.yz),
                          abut_vec3_make(-c.zx, -c.yz, c.xx + c.yy));
}

static abut_mass mass_from(double volume, abut_vec3 centre, moments c) {
    return (abut_mass){.mass = volume, .volume = volume, .centre = centre, .inertia = inertia_of(c)};
}

/* Adds weight (a a^T + b b^T + c c^T + s s^T), s = a + b + c. With the weight (six times the volume) / 120 this is the second moment of the
 * tetrahedron (0, a, b, c). */
static void add_products(moments *sum, double weight, abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    abut_vec3 s = abut_add(a, abut_add(b, c));
    sum->xx += weight * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
    sum->yy += weight * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
    sum->zz += weight * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
    sum->xy += weight * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
    sum->yz += weight * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
    sum->zx += weight * (a.z * a.x + b.z * b.x + c.z * c.x + s.z * s.x);
}

/* Integrals over the tetrahedra between `apex` and the fans of the faces. Lengths are relative to the surface's size. */
typedef struct integrals {
    double volume;
    abut_vec3 first; /* of x - apex */
    moments second;  /* of (x - apex) (x - apex)^T */
} integrals;

static integrals integrate(const mass_surface *surface, abut_vec3 apex) {
    integrals sum = {0};
    double scale = 1.0 / surface->size;
    for (int32_t f = 0; f < surface->face_count; f++) {
        const int32_t *loop = surface->corners + (surface->first != NULL ? surface->first[f] : 3 * f);
        int32_t count = surface->first != NULL ? surface->first[f + 1] - surface->first[f] : 3;
        abut_vec3 a = abut_scale(scale, abut_sub(surface->vertices[loop[0]], apex));
        abut_vec3 b = abut_scale(scale, abut_sub(surface->vertices[loop[1]], apex));
        for (int32_t i = 2; i < count; i++) {
            abut_vec3 c = abut_scale(scale, abut_sub(surface->vertices[loop[i]], apex));
            double six = abut_dot(a, triangle_area(a, b, c));
            sum.volume += six / 6.0;
            sum.first = abut_add_scaled(sum.first, six / 24.0, abut_add(a, abut_add(b, c)));
            add_products(&sum.second, six / 120.0, a, b, c);
            b = c;
        }
    }
    return sum;
}

/* Computed twice, about a point inside each time, so that no large terms cancel: first to find the centre, then about the centre. */
abut_mass mass_of_surface(const mass_surface *surface, abut_vec3 apex) {
    double size = surface->size;
    integrals rough = integrate(surface, apex);
    if (!(rough.volume > 0.0)) {
        return (abut_mass){0};
    }
    abut_vec3 centre = abut_add_scaled(apex, size / rough.volume, rough.first);
    integrals fine = integrate(surface, centre);
    double cube = size * size * size, fifth = cube * size * size;
    moments c = fine.second;
    moments scaled = {fifth * c.xx, fifth * c.yy, fifth * c.zz, fifth * c.xy, fifth * c.yz, fifth * c.zx};
    return mass_from(cube * fine.volume, centre, scaled);
}

abut_mass mass_of_polytope(const polytope *surface) {
    const mass_surface faces = {surface->vertices, surface->face_first, surface->face_vertices, surface->face_count, surface->size};
    return mass_of_surface(&faces, polytope_mean_vertex(surface));
}

/* R I R^T, where R turns the frame of the inertia I into the compound's frame. */
static abut_mat3 turned_inertia(abut_mat3 turn, abut_mat3 inertia) {
    return abut_mat3_mul(turn, abut_mat3_mul(inertia, abut_mat3_transpose(turn)));
}

abut_mass mass_of_parts(const abut_part *parts, int32_t count) {
    abut_mass sum = {0};
    abut_vec3 anchor = abut_pose_apply(parts[0].pose, parts[0].shape->unit_mass.centre), moment = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        const abut_mass *part = &parts[i].shape->unit_mass;
        sum.volume += part->volume;
        moment = abut_add_scaled(moment, part->volume, abut_sub(abut_pose_apply(parts[i].pose, part->centre), anchor));
    }
    sum.mass = sum.volume;
    sum.centre = abut_add_scaled(anchor, 1.0 / sum.volume, moment);
    moments far = {0};
    abut_mat3 near = {0};
    for (int32_t i = 0; i < count; i++) {
        const abut_mass *part = &parts[i].shape->unit_mass;
        abut_mat3 own = turned_inertia(abut_mat3_from_quat(parts[i].pose.rotation), part->inertia);
        abut_vec3 arm = abut_sub(abut_pose_apply(parts[i].pose, part->centre), sum.centre);
        near = abut_mat3_make(abut_add(near.x, own.x), abut_add(near.y, own.y), abut_add(near.z, own.z));
        far.xx += part->volume * arm.x * arm.x;
        far.yy += part->volume * arm.y * arm.y;
        far.zz += part->volume * arm.z * arm.z;
        far.xy += part->volume * arm.x * arm.y;
        far.yz += part->volume * arm.y * arm.z;
        far.zx += part->volume * arm.z * arm.x;
    }
    abut_mat3 outer = inertia_of(far);
    double xy = 0.5 * (near.x.y + near.y.x) + outer.x.y;
    double yz = 0.5 * (near.y.z + near.z.y) + outer.y.z;
    double zx = 0.5 * (near.z.x + near.x.z) + outer.z.x;
    sum.inertia = abut_mat3_make(abut_vec3_make(near.x.x + outer.x.x, xy, zx), abut_vec3_make(xy, near.y.y + outer.y.y, yz),
                                 abut_vec3_make(zx, yz, near.z.z + outer.z.z));
    return sum;
}
