/*
 * Mass properties by quadrature for surfaces described by the caller's functions. Parametric surfaces: by the divergence theorem, over the
 * parameters. Implicit surfaces: in spherical coordinates about the point inside if convex; else in columns along z between the sign
 * changes of the function.
 */

#include <math.h>

#include "base/elementary.h"
#include "base/real.h"
#include "shape/mass.h"
#include "shape/formula/body.h"
#include "shape/user.h"

/* Gauss-Legendre points for eight values on [-1, 1]. */
enum { GAUSS = 8 };
static const double gauss_point[GAUSS] = {-0.96028985649753623, -0.79666647741362674, -0.52553240991632899, -0.18343464249564980,
                                          0.18343464249564980,  0.52553240991632899,  0.79666647741362674,  0.96028985649753623};
static const double gauss_weight[GAUSS] = {0.10122853629037626, 0.22238103445337447, 0.31370664587788729, 0.36268378337836198,
                                           0.36268378337836198, 0.31370664587788729, 0.22238103445337447, 0.10122853629037626};

/* Point and weight number i of eight times `panels` on a range. */
static double place_on(const double range[2], int panels, int i, double *weight) {
    double width = (range[1] - range[0]) / panels;
    *weight = 0.5 * width * gauss_weight[i % GAUSS];
    return range[0] + width * (i / GAUSS + 0.5 + 0.5 * gauss_point[i % GAUSS]);
}

/* Integrals of 1, x and x x^T over the body, about an anchor. */
typedef struct body_sums {
    double volume;
    abut_vec3 first;
    double xx, yy, zz, xy, yz, zx;
} body_sums;

static abut_mass mass_of_sums(const body_sums *s, abut_vec3 anchor) {
    double v = s->volume;
    if (!(fabs(v) > 0.0)) {
        return (abut_mass){.mass = 0.0};
    }
    abut_vec3 c = abut_scale(1.0 / v, s->first);
    double xx = s->xx - v * c.x * c.x, yy = s->yy - v * c.y * c.y, zz = s->zz - v * c.z * c.z;
    double xy = s->xy - v * c.x * c.y, yz = s->yz - v * c.y * c.z, zx = s->zx - v * c.z * c.x;
    return (abut_mass){
        .mass = v,
        .volume = v,
        .centre = abut_add(anchor, c),
        .inertia = abut_mat3_make(abut_vec3_make(yy + zz, -xy, -zx), abut_vec3_make(-xy, zz + xx, -yz), abut_vec3_make(-zx, -yz, xx + yy))};
}

/* An element of the surface at p with area times normal `a`: div (x, 0, 0) = 1 and so on. */
static void add_area(body_sums *s, abut_vec3 p, abut_vec3 a) {
    s->volume += abut_dot(p, a) / 3.0;
    s->first = abut_add(s->first, abut_vec3_make(0.5 * p.x * p.x * a.x, 0.5 * p.y * p.y * a.y, 0.5 * p.z * p.z * a.z));
    s->xx += p.x * p.x * p.x * a.x / 3.0;
    s->yy += p.y * p.y * p.y * a.y / 3.0;
    s->zz += p.z * p.z * p.z * a.z / 3.0;
    s->xy += 0.5 * p.x * p.x * p.y * a.x;
    s->yz += 0.5 * p.y * p.y * p.z * a.y;
    s->zx += 0.5 * p.z * p.z * p.x * a.z;
}

/* Sums over a surface that tell whether it is closed: of its area vectors a, of p a^T, and of |p| |a|. */
typedef struct closure {
    abut_vec3 area, x, y, z;
    double total;
    double plain; /* of |a| */
} closure;

static void add_closure(closure *c, abut_vec3 p, abut_vec3 a) {
    c->area = abut_add(c->area, a);
    c->x = abut_add_scaled(c->x, p.x, a);
    c->y = abut_add_scaled(c->y, p.y, a);
    c->z = abut_add_scaled(c->z, p.z, a);
    c->total += abut_length(p) * abut_length(a);
    c->plain += abut_length(a);
}

/* The sum of a is 0 for a closed surface, and that of p a^T is its volume times the identity: the fluxes of constant and linear fields. */
static bool is_open(const closure *c, double volume) {
    const double crack = 1e-3;
    abut_vec3 x = abut_sub(c->x, abut_vec3_make(volume, 0, 0)), y = abut_sub(c->y, abut_vec3_make(0, volume, 0)),
              z = abut_sub(c->z, abut_vec3_make(0, 0, volume));
    double linear = real_max(abut_length(x), real_max(abut_length(y), abut_length(z)));
    return abut_length(c->area) > crack * c->plain || linear > crack * c->total;
}

abut_mass mass_of_parametric(const abut_parametric_def *def, bool *open) {
    enum { PANELS = 16 };
    double wu, wv;
    abut_vec3 anchor = parametric_at(def, place_on(def->u_range, PANELS, 0, &wu), place_on(def->v_range, PANELS, 0, &wv)).s;
    body_sums s = {.volume = 0.0};
    closure c = {.total = 0.0};
    for (int i = 0; i < PANELS * GAUSS; ++i) {
        double u = place_on(def->u_range, PANELS, i, &wu);
        for (int k = 0; k < PANELS * GAUSS; ++k) {
            abut_parametric_point at = parametric_at(def, u, place_on(def->v_range, PANELS, k, &wv));
            abut_vec3 p = abut_sub(at.s, anchor), a = abut_scale(wu * wv, abut_cross(at.su, at.sv));
            add_area(&s, p, a);
            add_closure(&c, p, a);
        }
    }
    *open = is_open(&c, s.volume);
    return mass_of_sums(&s, anchor);
}

/* A cone with its tip at the anchor and the solid angle `angle` about a direction d, which ends at t d. */
static void add_cone(body_sums *s, abut_vec3 d, double t, double angle) {
    double cube = t * t * t, second = angle * cube * t * t / 5.0;
    s->volume += angle * cube / 3.0;
    s->first = abut_add_scaled(s->first, angle * cube * t / 4.0, d);
    s->xx += second * d.x * d.x;
    s->yy += second * d.y * d.y;
    s->zz += second * d.z * d.z;
    s->xy += second * d.x * d.y;
    s->yz += second * d.y * d.z;
    s->zx += second * d.z * d.x;
}

static abut_mass mass_of_star(const abut_implicit_def *def) {
    enum { PANELS = 24, TURNS = 128 };
    const double heights[2] = {-1.0, 1.0}, turn = 2.0 * REAL_PI;
    body_sums s = {.volume = 0.0};
    for (int i = 0; i < PANELS * GAUSS; ++i) {
        double weight, z = place_on(heights, PANELS, i, &weight), c = sqrt(1.0 - z * z);
        for (int k = 0; k < TURNS; ++k) {
            abut_vec3 d = abut_vec3_make(c * elementary_cos(turn * k / TURNS), c * elementary_sin(turn * k / TURNS), z);
            add_cone(&s, d, implicit_exit(def, d), weight * turn / TURNS);
        }
    }
    return mass_of_sums(&s, def->inside);
}

/* The piece of a column between two heights; `area` is the column's cross section. */
static void add_column(body_sums *s, double x, double y, double low, double high, double area) {
    double length = area * (high - low), middle = 0.5 * (low + high), z = length * middle;
    s->volume += length;
    s->first = abut_add(s->first, abut_vec3_make(length * x, length * y, z));
    s->xx += length * x * x;
    s->yy += length * y * y;
    s->zz += area * (high * high * high - low * low * low) / 3.0;
    s->xy += length * x * y;
    s->yz += z * y;
    s->zx += z * x;
}

static double value_at(const abut_implicit_def *def, double x, double y, double z) {
    abut_vec3 point = abut_vec3_make(x, y, z);
    return formula_defines(def) ? formula_value(def, point) : implicit_at(def, point).value;
}

/* The height between two heights where the function changes sign. */
static double crossing(const abut_implicit_def *def, double x, double y, double inner, double outer) {
    enum { HALVINGS = 50 };
    for (int i = 0; i < HALVINGS; ++i) {
        double middle = 0.5 * (inner + outer);
        if (value_at(def, x, y, middle) < 0.0) {
            inner = middle;
        } else {
            outer = middle;
        }
    }
    return 0.5 * (inner + outer);
}

static abut_mass mass_of_columns(const abut_implicit_def *def) {
    enum { COLUMNS = 240, STEPS = 64 };
    const abut_aabb *box = &def->bounds;
    const abut_vec3 anchor = def->inside, extent = abut_sub(box->upper, box->lower);
    const double area = extent.x * extent.y / (COLUMNS * COLUMNS);
    body_sums s = {.volume = 0.0};
    for (int i = 0; i < COLUMNS;
         ++i) { /* uniform: at the border, where the length of columns falls like a square root, the errors cancel */
        double x = box->lower.x + extent.x * (i + 0.5) / COLUMNS;
        for (int k = 0; k < COLUMNS; ++k) {
            double y = box->lower.y + extent.y * (k + 0.5) / COLUMNS, below = box->lower.z, from = below;
            bool inside = false;
            for (int j = 0; j <= STEPS; ++j) {
                double z = box->lower.z + (box->upper.z - box->lower.z) * j / STEPS;
                bool now = j < STEPS && value_at(def, x, y, z) < 0.0;
                if (now && !inside) {
                    from = j > 0 ? crossing(def, x, y, z, below) : z;
                } else if (!now && inside) {
                    add_column(&s, x - anchor.x, y - anchor.y, from - anchor.z, crossing(def, x, y, below, z) - anchor.z, area);
                }
                inside = now;
                below = z;
            }
        }
    }
    return mass_of_sums(&s, anchor);
}

abut_mass mass_of_implicit(const abut_implicit_def *def) { return def->convex ? mass_of_star(def) : mass_of_columns(def); }
