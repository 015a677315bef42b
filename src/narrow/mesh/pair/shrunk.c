/* A closed mesh whose faces lie a little deeper: see shrunk.h. Mesh frame. */
#include "narrow/mesh/pair/shrunk.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "shape/bounds.h"
#include "shape/trimesh.h"

/* ---- the moves of the vertices ---- */

typedef struct shrinking {
    const trimesh *mesh;
    double by;
    abut_vec3 *normal; /* [triangle_count] outwards; 0 for degenerate triangles */
    double *angle;     /* [3 triangle_count] of each corner [rad] */
    int32_t *lead;     /* [vertex_count] the vertex that stands for all of one place that triangles join; the arrays below are of these */
    abut_vec3 *move;   /* [vertex_count] */
    abut_vec3 *asked;  /* [vertex_count] by the faces together, each weighted by its angle */
    double *weight;    /* [vertex_count] the sum of the angles */
} shrinking;

static bool begin(shrinking *of, const trimesh *mesh, double by) {
    const size_t triangles = (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
    *of = (shrinking){.mesh = mesh,
                      .by = by,
                      .normal = memory_allocate(triangles, sizeof *of->normal),
                      .angle = memory_allocate(triangles, 3 * sizeof *of->angle),
                      .lead = memory_allocate(vertices, sizeof *of->lead),
                      .move = memory_allocate(vertices, sizeof *of->move),
                      .asked = memory_allocate(vertices, sizeof *of->asked),
                      .weight = memory_allocate(vertices, sizeof *of->weight)};
    return of->normal != NULL && of->angle != NULL && of->lead != NULL && of->move != NULL && of->asked != NULL && of->weight != NULL;
}

static void end(shrinking *of) {
    memory_release(of->normal);
    memory_release(of->angle);
    memory_release(of->lead);
    memory_release(of->move);
    memory_release(of->asked);
    memory_release(of->weight);
}

static int32_t lead_of(shrinking *of, int32_t vertex) {
    while (of->lead[vertex] != vertex) {
        of->lead[vertex] = of->lead[of->lead[vertex]];
        vertex = of->lead[vertex];
    }
    return vertex;
}

static void join(shrinking *of, int32_t p, int32_t q) {
    p = lead_of(of, p);
    q = lead_of(of, q);
    of->lead[p > q ? p : q] = p > q ? q : p;
}

/* Triangles that share a side need not share vertices, and move together nevertheless: the surface would tear. */
static void join_vertices(shrinking *of) {
    const trimesh *mesh = of->mesh;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        of->lead[v] = v;
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        int32_t next = mesh->twin[c] % 3 == 2 ? mesh->twin[c] - 2 : mesh->twin[c] + 1;
        join(of, mesh->corners[c], mesh->corners[next]);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        of->lead[v] = lead_of(of, v);
    }
}

static double angle_between(abut_vec3 u, abut_vec3 v) { return elementary_atan2(abut_length(abut_cross(u, v)), abut_dot(u, v)); }

static void look_at_triangle(shrinking *of, int32_t index) {
    abut_triangle t;
    abut_vec3 across;
    trimesh_triangle(of->mesh, index, &t);
    if (trimesh_is_flat(of->mesh, t.corner, &across)) {
        return;
    }
    of->normal[index] = abut_unit(across);
    for (int k = 0; k < 3; ++k) {
        abut_vec3 at = t.corner[k];
        double angle = angle_between(abut_sub(t.corner[(k + 1) % 3], at), abut_sub(t.corner[(k + 2) % 3], at));
        of->angle[3 * index + k] = angle;
        of->weight[of->lead[t.vertex[k]]] += angle;
    }
}

/* Each face asks its vertices for what it is still to move. False once no face asks. */
static bool ask(shrinking *of) {
    const double enough = 0.01;
    bool any = false;
    for (int32_t c = 0; c < 3 * of->mesh->triangle_count; ++c) {
        int32_t v = of->lead[of->mesh->corners[c]];
        abut_vec3 n = of->normal[c / 3];
        double missing = of->by + abut_dot(n, of->move[v]);
        if (of->angle[c] > 0.0 && missing > enough * of->by) {
            of->asked[v] = abut_add_scaled(of->asked[v], -missing * of->angle[c], n);
            any = true;
        }
    }
    return any;
}

/* All faces at a vertex are served together: in turn, opposed ones would drive it to and fro. */
static void serve(shrinking *of) {
    const double most = 8.0 * of->by;
    for (int32_t v = 0; v < of->mesh->vertex_count; ++v) {
        if (of->weight[v] > 0.0) {
            of->move[v] = abut_add_scaled(of->move[v], 1.0 / of->weight[v], of->asked[v]);
            double length = abut_length(of->move[v]);
            of->move[v] = length > most ? abut_scale(most / length, of->move[v]) : of->move[v];
            of->asked[v] = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
}

static bool place_vertices(trimesh *mesh, const trimesh *from, double by) {
    const int rounds = 64;
    shrinking of;
    mesh->vertices = memory_allocate((size_t)from->vertex_count, sizeof *mesh->vertices);
    bool fine = begin(&of, from, by) && mesh->vertices != NULL;
    if (fine) {
        join_vertices(&of);
    }
    for (int32_t i = 0; i < from->triangle_count && fine; ++i) {
        look_at_triangle(&of, i);
    }
    for (int round = 0; round < rounds && fine && ask(&of); ++round) {
        serve(&of);
    }
    for (int32_t v = 0; v < from->vertex_count && fine; ++v) {
        mesh->vertices[v] = abut_add(from->vertices[v], of.move[of.lead[v]]);
    }
    end(&of);
    return fine;
}

/* ---- the mesh ---- */

static bool place_tree(trimesh *mesh, const trimesh *from) {
    abut_aabb *boxes = memory_allocate((size_t)mesh->triangle_count, sizeof *boxes);
    for (int32_t i = 0; i < mesh->triangle_count && boxes != NULL; ++i) {
        abut_triangle triangle;
        trimesh_triangle(mesh, i, &triangle);
        boxes[i] = bounds_of_points(triangle.corner, 3);
    }
    bool fine = boxes != NULL && packed_tree_refit(&mesh->tree, &from->tree, boxes, mesh->triangle_count, mesh->order);
    memory_release(boxes);
    return fine;
}

bool shrunk_mesh_make(shrunk_mesh *made, const placed_mesh *mesh, double by) {
    *made = (shrunk_mesh){.placed = *mesh, .mesh = *mesh->mesh};
    made->placed.mesh = &made->mesh;
    made->mesh.vertices = NULL;
    made->mesh.tree = (packed_tree){0};
    if (place_vertices(&made->mesh, mesh->mesh, by) && place_tree(&made->mesh, mesh->mesh)) {
        return true;
    }
    shrunk_mesh_free(made);
    return false;
}

void shrunk_mesh_free(shrunk_mesh *made) {
    memory_release(made->mesh.vertices);
    packed_tree_release(&made->mesh.tree);
    *made = (shrunk_mesh){0};
}
