/* The triangles at a point outside of the body: see spot.h. Set frame. */
#include "narrow/mesh/convex/spot.h"

static bool is_same(abut_vec3 p, abut_vec3 q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

void mesh_spot_free(mesh_spot *spot) {
    if (spot->made) {
        mesh_set_free(&spot->set);
        mesh_hub_free(&spot->hub);
    }
    spot->made = spot->looked = false;
}

void mesh_spot_go_to(mesh_spot *spot, const mesh_surface *surface, abut_vec3 point) {
    if (spot->made && is_same(spot->point, point)) {
        return;
    }
    mesh_spot_free(spot);
    mesh_surface_gather(surface, point, surface->same, &spot->set);
    spot->hub = (mesh_hub){.count = 0};
    spot->point = point;
    spot->made = true;
}

/* Whether the point is a corner of the triangle. What is seen around it then does not depend on the triangle. */
static bool is_corner(const mesh_triangle *t, abut_vec3 point) {
    return is_same(t->corner[0], point) || is_same(t->corner[1], point) || is_same(t->corner[2], point);
}

void mesh_spot_look_around(mesh_spot *spot, const mesh_surface *surface, mesh_point *at) {
    bool shared = spot->made && is_same(spot->point, at->closest) && is_corner(&at->nearest, at->closest);
    if (shared && spot->looked) {
        at->outwards = spot->around.outwards;
        at->on_rim = spot->around.on_rim;
        return;
    }
    mesh_point_look_around(surface, at);
    if (shared) {
        spot->around = *at;
        spot->looked = true;
    }
}
