/*
 * Single shapes, and the Gauss maps of polytopes: each face is a point of the sphere, its normal; each edge is the arc between the normals of its two faces;
 * each vertex is the cell enclosed by the normals of the faces around it.
 */
#include <stdlib.h>

#include "tool/shape_argument.h"
#include "io/surface/shape_json.h"
#include "state.h"

/* A side of a face: from one vertex to the next, counter-clockwise about the face. */
typedef struct side {
    int32_t from, to, face;
    int32_t before; /* the vertex before `from` */
} side;

static int compare_sides(const void *a, const void *b) {
    const side *p = a, *q = b;
    return p->from != q->from ? (p->from > q->from) - (p->from < q->from) : (p->to > q->to) - (p->to < q->to);
}

static const side *find_side(const side *sides, int32_t count, int32_t from, int32_t to) {
    side key = {.from = from, .to = to};
    return bsearch(&key, sides, (size_t)count, sizeof key, compare_sides);
}

static void make_sides(const abut_polytope_view *view, side *sides) {
    for (int32_t f = 0; f < view->face_count; f++) {
        int32_t first = view->face_first[f], n = view->face_first[f + 1] - first;
        for (int32_t k = 0; k < n; k++) {
            const int32_t *corners = view->face_vertices + first;
            sides[first + k] = (side){corners[k], corners[(k + 1) % n], f, corners[(k + n - 1) % n]};
        }
    }
    qsort(sides, (size_t)view->face_first[view->face_count], sizeof *sides, compare_sides);
}

static json_t *normals_json(const abut_polytope_view *view) {
    json_t *normals = json_array();
    for (int32_t f = 0; f < view->face_count; f++) {
        normals = module_append(normals, json_real(view->face_normals[f].x));
        normals = module_append(normals, json_real(view->face_normals[f].y));
        normals = module_append(normals, json_real(view->face_normals[f].z));
    }
    return normals;
}

static json_t *edges_json(const abut_polytope_view *view, const side *sides, int32_t count) {
    json_t *edges = json_array();
    for (int32_t e = 0; e < view->edge_count; e++) {
        int32_t i = view->edge_vertices[2 * e], j = view->edge_vertices[2 * e + 1];
        const side *one = find_side(sides, count, i, j), *other = find_side(sides, count, j, i);
        edges = module_append(edges, json_pack("[i,i]", one ? (int)one->face : -1, other ? (int)other->face : -1));
    }
    return edges;
}

/* Orders the faces around the vertex counter-clockwise, seen from outside. Each face follows the one that shares the side which leads to the vertex in it. */
static json_t *cycle_json(int32_t vertex, const side *sides, int32_t count) {
    json_t *cycle = json_array();
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (sides[middle].from < vertex) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const side *first = low < count && sides[low].from == vertex ? &sides[low] : NULL, *at = first;
    for (int32_t i = 0; at && i < count; i++) {
        cycle = module_append(cycle, json_integer(at->face));
        at = find_side(sides, count, vertex, at->before);
        at = at == first ? NULL : at;
    }
    return cycle;
}

static json_t *gauss_json(const abut_shape *shape) {
    abut_polytope_view view;
    if (abut_shape_polytope(shape, &view) != ABUT_OK) {
        return json_null();
    }
    int32_t count = view.face_first[view.face_count];
    side *sides = module_room(NULL, count, sizeof *sides);
    if (!sides) {
        return NULL;
    }
    make_sides(&view, sides);
    json_t *vertices = json_array();
    for (int32_t v = 0; v < view.vertex_count; v++) {
        vertices = module_append(vertices, cycle_json(v, sides, count));
    }
    json_t *gauss =
        json_pack("{s:o, s:o, s:o}", "normals", normals_json(&view), "edges", edges_json(&view, sides, count), "vertices", vertices);
    free(sides);
    return gauss;
}

static json_t *shapes_json(const abut_shape *shape) {
    shape_list list = {.shapes = NULL};
    abut_status status = shape_list_add(&list, shape);
    status = status ? status : shape_list_describe(&list);
    json_t *shapes = status ? NULL : json_array();
    for (int32_t i = 0; i < list.count; i++) {
        shapes = module_append(shapes, status ? NULL : shape_json(&list.entries[i]));
    }
    shape_list_release(&list);
    return shapes;
}

static json_t *centre_json(const abut_shape *shape) {
    abut_mass mass;
    abut_vec3 c;
    if (abut_shape_mass(shape, 1.0, &mass) != ABUT_OK) {
        return json_null();
    }
    c = mass.centre;
    return json_pack("[f,f,f]", c.x, c.y, c.z);
}

static json_t *placement_json(const shape_placement *placement) {
    abut_vec3 p = placement->pose.position;
    abut_quat q = placement->pose.rotation;
    return placement->given ? json_pack("[f,f,f,f,f,f,f]", p.x, p.y, p.z, q.x, q.y, q.z, q.w) : json_null();
}

const char *module_shape_json(const char *argument, int32_t hull) {
    static char *text;
    abut_error error;
    abut_shape *shape = NULL;
    shape_placement placement;
    if (shape_argument_read(argument, hull != 0, &shape, &placement, &error)) {
        module_fail_error(&error);
        return NULL;
    }
    json_t *document = json_pack("{s:o, s:i, s:o, s:o, s:o}", "shapes", shapes_json(shape), "root", 0, "placement",
                                 placement_json(&placement), "centre", centre_json(shape), "gauss", gauss_json(shape));
    abut_shape_release(shape);
    return module_text(document, &text);
}
