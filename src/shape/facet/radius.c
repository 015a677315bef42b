/*
 * Radii of curvature from a mesh. Take units of the radius of the corners' circle, its centre as origin, and the plane of the triangle as
 * z = 0. The surface above the triangle is modelled as
 *
 *     z = s (x^2 + y^2 + z^2 - 1) + b g(x, y) + c h(x, y),
 *
 * a sphere through the three corners (the power of a point) plus the saddles x^2 - y^2 and 2 x y, minus the affine functions that make the
 * saddles vanish at the corners. s, b and c are the least-squares fit to the vertices of all triangles that touch the triangle. The height
 * of the sphere's centre is 1 / (2 s), below the plane for s < 0. On a sphere, b = c = 0 solves the equations exactly. On other surfaces s
 * is the mean curvature to first order, -2 s = H.
 */
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/facet/saddle.h"

typedef struct patch {
    abut_vec3 origin, u, v, normal; /* of the corners' circle */
    double unit;                    /* 1 / its radius */
    double x[3], y[3];              /* the corners */
    double determinant;             /* twice the area of the triangle */
    double matrix[3][3], right[3];  /* normal equations for s, b, c */
    double powers, heights;         /* the equation for s alone */
} patch;

static void look_at(patch *p, const abut_vec3 corner[3], const facet_side *side) {
    *p = (patch){.origin = side->foot, .normal = side->normal, .unit = 1.0 / side->foot_radius};
    abut_tangent_frame(side->normal, &p->u, &p->v);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 way = abut_scale(p->unit, abut_sub(abut_sub(corner[i], corner[0]), p->origin));
        p->x[i] = abut_dot(p->u, way);
        p->y[i] = abut_dot(p->v, way);
    }
    p->determinant = (p->x[1] - p->x[0]) * (p->y[2] - p->y[0]) - (p->x[2] - p->x[0]) * (p->y[1] - p->y[0]);
}

/* The two saddles at a point, minus the affine functions that equal them at the corners. */
static void saddles(const patch *p, double x, double y, double *first, double *second) {
    double dx = x - p->x[0], dy = y - p->y[0];
    double weight1 = (dx * (p->y[2] - p->y[0]) - (p->x[2] - p->x[0]) * dy) / p->determinant;
    double weight2 = ((p->x[1] - p->x[0]) * dy - dx * (p->y[1] - p->y[0])) / p->determinant;
    const double weight[3] = {1.0 - weight1 - weight2, weight1, weight2};
    *first = x * x - y * y;
    *second = 2.0 * x * y;
    for (int i = 0; i < 3; ++i) {
        *first -= weight[i] * (p->x[i] * p->x[i] - p->y[i] * p->y[i]);
        *second -= weight[i] * 2.0 * p->x[i] * p->y[i];
    }
}

/* Adds a nearby vertex, seen from the first corner. Nearer vertices weigh more. */
static void add_vertex(patch *p, abut_vec3 from_corner) {
    abut_vec3 way = abut_scale(p->unit, abut_sub(from_corner, p->origin));
    double square = abut_length_squared(way), x = abut_dot(p->u, way), y = abut_dot(p->v, way), height = abut_dot(p->normal, way);
    double weight = 1.0 / ((square + 1.0) * (square + 1.0));
    double row[3] = {square - 1.0};
    saddles(p, x, y, &row[1], &row[2]);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            p->matrix[i][k] += weight * row[i] * row[k];
        }
        p->right[i] += weight * row[i] * height;
    }
    p->powers += weight * row[0] * row[0];
    p->heights += weight * row[0] * height;
}

/* The sphere and the saddles of a patch. */
typedef struct fit {
    double s, b, c;
} fit;

static fit sphere_alone(const patch *p) { return (fit){.s = p->powers > 0.0 ? p->heights / p->powers : 0.0}; }

/* Solves by elimination. If the vertices cannot distinguish the saddles from the sphere, as those of a tetrahedron, fits the sphere alone. */
static fit solve(const patch *p) {
    const double hidden = 1e-8;
    double m[3][3], r[3];
    for (int i = 0; i < 3; ++i) { /* s last, so that back substitution gives it first */
        for (int k = 0; k < 3; ++k) {
            m[i][k] = p->matrix[(i + 1) % 3][(k + 1) % 3];
        }
        r[i] = p->right[(i + 1) % 3];
    }
    for (int i = 0; i < 2; ++i) {
        if (!(m[i][i] > hidden * p->matrix[i + 1][i + 1])) {
            return sphere_alone(p);
        }
        for (int k = i + 1; k < 3; ++k) {
            double factor = m[k][i] / m[i][i];
            for (int l = i; l < 3; ++l) {
                m[k][l] -= factor * m[i][l];
            }
            r[k] -= factor * r[i];
        }
    }
    if (!(m[2][2] > hidden * p->matrix[0][0])) {
        return sphere_alone(p);
    }
    fit found = {.s = r[2] / m[2][2]};
    found.c = (r[1] - m[1][2] * found.s) / m[1][1];
    found.b = (r[0] - m[0][1] * found.c - m[0][2] * found.s) / m[0][0];
    return found;
}

/* The saddle of a fit: half the difference of both principal curvatures, along the direction of the greater one. The curvature of the
 * saddles is -2 b and 2 b along both axes, and -2 c between them. */
static abut_vec3 saddle_of(const patch *p, const fit *found) {
    return facet_saddle_make(-2.0 * p->unit * found->b, -2.0 * p->unit * found->c, p->u, p->v);
}

static int32_t previous(int32_t corner) { return corner % 3 == 0 ? corner + 2 : corner - 1; }

/* s per length; 0 for a triangle without a face. *circle receives the radius of the corners' circle. saddle: may be NULL. */
static double estimate(const facet_topology *topology, const abut_vec3 *vertices, int32_t facet, double *circle, abut_vec3 *saddle) {
    const int32_t *index = &topology->corners[3 * (size_t)facet];
    const int32_t place[3] = {topology->place[index[0]], topology->place[index[1]], topology->place[index[2]]};
    const abut_vec3 corner[3] = {vertices[index[0]], vertices[index[1]], vertices[index[2]]};
    const abut_facet flat = {{corner[0], corner[1], corner[2]}, INFINITY};
    facet_side side;
    *circle = 0.0;
    if (saddle != NULL) {
        *saddle = abut_vec3_make(0.0, 0.0, 0.0);
    }
    if (facet_make_side(&flat, corner[0], &side) != ABUT_OK) {
        return 0.0;
    }
    *circle = side.foot_radius;
    patch p;
    look_at(&p, corner, &side);
    for (int32_t c = 3 * facet; c < 3 * facet + 3; ++c) {
        int32_t at = c;
        do { /* around the vertex of the corner */
            int32_t vertex = topology->place[topology->corners[previous(at)]];
            if (vertex != place[0] && vertex != place[1] && vertex != place[2]) {
                add_vertex(&p, abut_sub(vertices[vertex], corner[0]));
            }
            at = topology->twin[previous(at)];
        } while (at != c);
    }
    const fit found = solve(&p);
    if (saddle != NULL) {
        *saddle = saddle_of(&p, &found);
    }
    return found.s * p.unit;
}

void facet_radius_estimate(const facet_topology *topology, const abut_vec3 *vertices, double extent, double *radius, abut_vec3 *saddle,
                           int32_t *concave) {
    *concave = 0;
    for (int32_t f = 0; f < topology->triangle_count; ++f) {
        double circle, s = estimate(topology, vertices, f, &circle, saddle != NULL ? &saddle[f] : NULL), half = 0.5 / fabs(s);
        bool flat = !(half < FACETMESH_FLATTEST * extent);
        *concave += !flat && s > 0.0;
        radius[f] = flat || s > 0.0 ? INFINITY : sqrt(circle * circle + half * half);
    }
}
