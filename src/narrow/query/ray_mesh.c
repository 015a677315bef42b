/*
 * Ray against triangles without gaps (Woop, Benthin, Wald, "Watertight ray/triangle intersection"). The triangle is projected along the
 * ray. Two triangles that share an edge compute on which side of it the ray passes from the same numbers in the same way, so they agree.
 */

#include "narrow/query/ray_mesh.h"

typedef struct seen {
    double x, y, z; /* across the ray, and along its dominant axis */
} seen;

typedef struct ray_search {
    const trimesh *mesh;
    abut_vec3 origin, way;
    int along; /* axis of the direction's largest component */
    double shear_x, shear_y, scale;
    bool met;
    mesh_entry entry;
} ray_search;

static double component(abut_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static seen look(const ray_search *s, abut_vec3 corner) {
    abut_vec3 p = abut_sub(corner, s->origin);
    double z = component(p, s->along);
    return (seen){component(p, (s->along + 1) % 3) - s->shear_x * z, component(p, (s->along + 2) % 3) - s->shear_y * z, s->scale * z};
}

/* The side of the edge on which the ray passes. Swapping p and q changes only the sign, to the last bit. */
static double side_of(const seen *p, const seen *q) { return p->x * q->y - p->y * q->x; }

/* Most triangles are beside the ray: that is asked first. */
static void approach(void *context, int32_t index, const abut_triangle *triangle, double *limit) {
    ray_search *s = context;
    seen p[3];
    double share[3];
    for (int i = 0; i < 3; ++i) {
        p[i] = look(s, triangle->corner[i]);
    }
    for (int i = 0; i < 3; ++i) {
        share[(i + 2) % 3] = side_of(&p[i], &p[(i + 1) % 3]);
    }
    bool left = share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0, right = share[0] <= 0.0 && share[1] <= 0.0 && share[2] <= 0.0;
    double sum = share[0] + share[1] + share[2];
    if (!(left || right) || sum == 0.0) {
        return;
    }
    abut_vec3 across;
    bool flat = trimesh_is_flat(s->mesh, triangle->corner, &across);
    double slope = abut_dot(across, s->way);
    if (flat || (slope >= 0.0 && !s->mesh->two_sided)) {
        return;
    }
    double fraction = (share[0] * p[0].z + share[1] * p[1].z + share[2] * p[2].z) / sum;
    double slack = 1e-14 * (fabs(p[0].z) + fabs(p[1].z) + fabs(p[2].z)); /* for a ray that starts on the surface */
    if (!(fraction >= -slack) || fraction > *limit || (fraction == *limit && s->met && index > s->entry.triangle)) {
        return;
    }
    s->met = true;
    s->entry = (mesh_entry){fraction > 0.0 ? fraction : 0.0, abut_unit(slope > 0.0 ? abut_neg(across) : across), index};
    *limit = fraction > 0.0 ? fraction : 0.0;
}

bool ray_enter_mesh(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, mesh_entry *entry) {
    double x = fabs(way.x), y = fabs(way.y), z = fabs(way.z);
    ray_search s = {.mesh = mesh, .origin = origin, .way = way, .along = x >= y && x >= z ? 0 : y >= z ? 1 : 2};
    double most = component(way, s.along);
    s.shear_x = component(way, (s.along + 1) % 3) / most;
    s.shear_y = component(way, (s.along + 2) % 3) / most;
    s.scale = 1.0 / most;
    trimesh_along(mesh, origin, way, 1.0, approach, &s);
    *entry = s.entry;
    return s.met;
}
