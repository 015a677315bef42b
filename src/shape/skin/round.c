/*
 * Skins of curved surfaces. A sphere's facets are exact at any size. Those of a cylinder's or cone's side have twice the radius of the circle around it, the
 * radius of their mean curvature, so the skin is off the surface by up to the square of an edge over sixteen radii, 6e-4 of a radius.
 */
#include <math.h>

#include "base/elementary.h"
#include "base/real.h"
#include "shape/curvature.h"
#include "shape/skin/soup.h"
#include "shape/smooth.h"

/* ---- surfaces of revolution about the z axis ---- */

enum { AROUND = 64, ARC = AROUND / 4, MOST_ROWS = 256 };

/* A point of the profile, in the half-plane of the radius and z. */
typedef struct profile_point {
    double rho, z;
} profile_point;

static abut_vec3 on_circle(profile_point p, int at) {
    double sine, cosine;
    elementary_sin_cos(2.0 * REAL_PI * (at % AROUND) / AROUND, &sine, &cosine);
    return abut_vec3_make(p.rho * cosine, p.rho * sine, p.z);
}

/* The ring between two points of the profile, the lower one first. */
static void add_ring(profile_point low, profile_point high, double radius, abut_feature feature, skin_soup *soup) {
    for (int i = 0; i < AROUND; ++i) {
        const abut_vec3 a = on_circle(low, i), b = on_circle(low, i + 1), c = on_circle(high, i), d = on_circle(high, i + 1);
        const abut_vec3 first[3] = {a, b, d}, second[3] = {a, d, c};
        skin_add(soup, first, radius, feature);
        skin_add(soup, second, radius, feature);
    }
}

/* The quarter circles of radius r about the height z: below for an end of -1, above for 1. */
static void add_dome(double radius, double z, int end, int32_t index, skin_soup *soup) {
    for (int i = 0; i < ARC; ++i) {
        profile_point p[2];
        for (int k = 0; k < 2; ++k) {
            double sine, cosine;
            elementary_sin_cos(0.5 * REAL_PI * (i + k) / ARC, &sine, &cosine);
            p[k] = (profile_point){i + k < ARC ? radius * cosine : 0.0, z + end * radius * sine};
        }
        add_ring(p[end < 0 ? 1 : 0], p[end < 0 ? 0 : 1], radius, (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = index}, soup);
    }
}

static void add_disc(double radius, double z, int end, skin_soup *soup) {
    const abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = end > 0};
    for (int i = 0; i < AROUND && radius > 0.0; ++i) {
        const profile_point rim = {radius, z};
        const abut_vec3 corner[3] = {{0.0, 0.0, z}, on_circle(rim, end > 0 ? i : i + 1), on_circle(rim, end > 0 ? i + 1 : i)};
        skin_add(soup, corner, INFINITY, feature);
    }
}

/* The side from one circle to the other, in rows about as high as the edges around are long. across: the part of the outward normal across the axis. */
static void add_side(profile_point low, profile_point high, double across, int32_t index, skin_soup *soup) {
    double slant = elementary_hypot(high.rho - low.rho, high.z - low.z), edge = 2.0 * REAL_PI * real_max(low.rho, high.rho) / AROUND;
    double wanted = ceil(slant / edge);
    int rows = wanted < MOST_ROWS ? (int)wanted : MOST_ROWS;
    for (int i = 0; i < rows; ++i) {
        double t = (double)i / rows, s = (double)(i + 1) / rows;
        const profile_point p = {low.rho + t * (high.rho - low.rho), low.z + t * (high.z - low.z)};
        const profile_point q = i + 1 < rows ? (profile_point){low.rho + s * (high.rho - low.rho), low.z + s * (high.z - low.z)} : high;
        add_ring(p, q, (p.rho + q.rho) / across, (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = index}, soup);
    }
}

void skin_of_revolution(const abut_shape *shape, skin_soup *soup) {
    if (shape_is_frustum(shape)) {
        const frustum *f = &shape->round;
        add_disc(f->radius[0], f->z[0], -1, soup);
        add_side((profile_point){f->radius[0], f->z[0]}, (profile_point){f->radius[1], f->z[1]}, f->normal_rho, 0, soup);
        add_disc(f->radius[1], f->z[1], 1, soup);
        return;
    }
    double r = shape->radius, h = shape->kind == ABUT_SHAPE_CAPSULE ? shape->half_length : 0.0;
    add_dome(r, -h, -1, 0, soup);
    if (h > 0.0) {
        add_side((profile_point){r, -h}, (profile_point){r, h}, 1.0, 2, soup);
    }
    add_dome(r, h, 1, h > 0.0 ? 1 : 0, soup);
}

/* ---- strictly convex surfaces ---- */

/* Each octant of directions is a grid of this many rows. Corners are where the surface has these outward normals, so they are dense where it bends. */
enum { ROWS = 24 };

static abut_vec3 direction_of(int octant, int i, int j) {
    int k = ROWS - i - j;
    return abut_unit(abut_vec3_make((octant & 1) != 0 ? -i : i, (octant & 2) != 0 ? -j : j, (octant & 4) != 0 ? -k : k));
}

/* The radius of the mean of both curvatures where the surface has this outward normal, and the saddle. A sharp point has the radius 0; facets there have the
 * radius of their corners' circle. */
static double mean_radius(const abut_shape *shape, abut_vec3 normal, abut_vec3 *saddle) {
    abut_curvature c;
    *saddle = abut_vec3_make(0.0, 0.0, 0.0);
    if (shape_curvature(NULL, shape, normal, &c) != ABUT_OK) {
        return INFINITY;
    }
    double sum = c.curvature[0] + c.curvature[1], radius = 2.0 / sum, least = 1e-12 * shape->size;
    if (!(sum > 0.0 && radius < 1e6 * shape->size)) {
        return INFINITY;
    }
    if (radius > least) {
        *saddle = abut_scale(0.5 * (c.curvature[1] - c.curvature[0]), c.direction[1]);
    }
    return real_max(radius, least);
}

static void add_of_normals(const abut_shape *shape, const abut_vec3 d[3], bool turned, skin_soup *soup) {
    const abut_vec3 middle = abut_add(d[0], abut_add(d[1], d[2]));
    const abut_vec3 corner[3] = {smooth_support(shape, d[0]), smooth_support(shape, d[turned ? 2 : 1]),
                                 smooth_support(shape, d[turned ? 1 : 2])};
    abut_vec3 saddle;
    const double radius = mean_radius(shape, abut_unit(middle), &saddle);
    skin_add_saddle(soup, corner, radius, saddle, (abut_feature){.kind = ABUT_FEATURE_SMOOTH});
}

void skin_of_smooth(const abut_shape *shape, skin_soup *soup) {
    for (int octant = 0; octant < 8; ++octant) {
        bool turned = octant == 1 || octant == 2 || octant == 4 || octant == 7; /* mirrored */
        for (int i = 0; i < ROWS; ++i) {
            for (int j = 0; i + j < ROWS; ++j) {
                const abut_vec3 a = direction_of(octant, i, j), b = direction_of(octant, i + 1, j), c = direction_of(octant, i, j + 1);
                const abut_vec3 first[3] = {a, b, c};
                add_of_normals(shape, first, turned, soup);
                if (i + j + 2 <= ROWS) {
                    const abut_vec3 second[3] = {b, direction_of(octant, i + 1, j + 1), c};
                    add_of_normals(shape, second, turned, soup);
                }
            }
        }
    }
}

void skin_of_convex(const abut_shape *shape, skin_soup *soup) {
    if (shape->kind == ABUT_SHAPE_BOX || shape->kind == ABUT_SHAPE_POLYTOPE) {
        skin_of_polytope(shape, soup);
    } else if (smooth_is(shape)) {
        skin_of_smooth(shape, soup);
    } else {
        skin_of_revolution(shape, soup);
    }
}
