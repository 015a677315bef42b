/* A body of rounded triangles from its mesh, or from another body whose vertices moved: checks, radii, the hierarchy, mass. */

#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/bounds.h"
#include "shape/build/corners.h"
#include "shape/build/repeated.h"
#include "shape/facet/lip.h"
#include "shape/facet/mesh.h"
#include "shape/facet/saddle.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"
#include "shape/skin/soup.h"

abut_facetmesh_def abut_facetmesh_def_default(void) { return (abut_facetmesh_def){.vertices = NULL}; }

static abut_status blame(abut_facetmesh_report *report, int32_t culprit, abut_status status) {
    report->culprit = culprit;
    return status;
}

/* ---- numbers ---- */

static abut_status check_vertices(const char *call, const char *name, const abut_vec3 *vertices, int32_t count,
                                  abut_facetmesh_report *report) {
    for (int32_t v = 0; v < count; v++) {
        if (!abut_vec3_is_finite(vertices[v])) {
            (void)refused_element(call, name, v, vertices[v]);
            return blame(report, v, ABUT_ERROR_NOT_FINITE);
        }
    }
    return ABUT_OK;
}

static abut_status check_radii(const char *call, const char *name, const double *radii, int32_t count, abut_facetmesh_report *report) {
    for (int32_t i = 0; radii != NULL && i < count; i++) {
        if (!(radii[i] > 0.0)) {
            (void)refused(call, "%s[%d] is %s: it must be above 0", name, (int)i,
                          isnan(radii[i])  ? "NaN"
                          : radii[i] < 0.0 ? "negative"
                                           : "0");
            return blame(report, i, isnan(radii[i]) ? ABUT_ERROR_NOT_FINITE : ABUT_ERROR_INVALID_ARGUMENT);
        }
    }
    return ABUT_OK;
}

/* Both radii of a facet: their mean curvature is above 0, or it is flat. */
static bool is_mean_convex(double radius, double across) {
    const double along = 1.0 / radius, beside = 1.0 / across;
    return (isinf(radius) && isinf(across)) || (isfinite(along) && isfinite(beside) && along + beside > 0.0);
}

static abut_status check_cross(const char *call, const abut_facetmesh_def *def, abut_facetmesh_report *report) {
    if (def->cross_radii == NULL) {
        return ABUT_OK;
    }
    if (argument_is_null(call, "def->radii", def->radii) || argument_is_null(call, "def->directions", def->directions)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < def->triangle_count; i++) {
        double across = def->cross_radii[i];
        if (isnan(across) || !abut_vec3_is_finite(def->directions[i])) {
            (void)refused(call, "%s[%d] is not finite", isnan(across) ? "def->cross_radii" : "def->directions", (int)i);
            return blame(report, i, ABUT_ERROR_NOT_FINITE);
        }
        if (across == 0.0 || !is_mean_convex(def->radii[i], across)) {
            (void)refused(call, "def->cross_radii[%d] is %.9g: the mean of both curvatures must be above 0", (int)i, across);
            return blame(report, i, ABUT_ERROR_INVALID_ARGUMENT);
        }
    }
    return ABUT_OK;
}

static bool lacks_arrays(const char *call, const abut_facetmesh_def *def) {
    const int32_t most = 100000000;
    return argument_is_null(call, "def->vertices", def->vertices) || argument_is_null(call, "def->triangles", def->triangles) ||
           argument_is_below(call, "def->vertex_count", def->vertex_count, 4) ||
           argument_is_outside(call, "def->triangle_count", def->triangle_count, 4, most);
}

static abut_status check(const char *call, const abut_facetmesh_def *def, abut_facetmesh_report *report) {
    if (argument_is_null(call, "def", def) || lacks_arrays(call, def)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = check_vertices(call, "def->vertices", def->vertices, def->vertex_count, report);
    if (status != ABUT_OK) {
        return status;
    }
    for (int32_t c = 0; c < 3 * def->triangle_count; c++) {
        if (def->triangles[c] < 0 || def->triangles[c] >= def->vertex_count) {
            (void)refused(call, "def->triangles[%d] is %d: it must be an index of %d vertices", (int)c, (int)def->triangles[c],
                          (int)def->vertex_count);
            return blame(report, c, ABUT_ERROR_INVALID_ARGUMENT);
        }
    }
    status = check_radii(call, "def->radii", def->radii, def->triangle_count, report);
    status = status == ABUT_OK ? check_cross(call, def, report) : status;
    if (status == ABUT_OK && def->lip_radius != 0.0 &&
        (argument_is_not_positive(call, "def->lip_radius", def->lip_radius) ||
         argument_is_not_finite(call, "def->lip_radius", def->lip_radius) || argument_is_null(call, "def->radii", def->radii))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return status;
}

/* ---- adjacency ---- */

static void topology_release(facet_topology *topology) {
    if (topology == NULL || atomic_fetch_sub_explicit(&topology->references, 1, memory_order_acq_rel) != 1) {
        return;
    }
    memory_release(topology->corners);
    memory_release(topology->place);
    memory_release(topology->twin);
    memory_release(topology->order);
    memory_release(topology);
}

static facet_topology *topology_allocate(int32_t vertex_count, int32_t triangle_count) {
    facet_topology *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    size_t triangles = (size_t)triangle_count;
    atomic_init(&made->references, 1);
    made->vertex_count = vertex_count;
    made->triangle_count = triangle_count;
    made->corners = memory_allocate(triangles, 3 * sizeof *made->corners);
    made->place = memory_allocate((size_t)vertex_count, sizeof *made->place);
    made->twin = memory_allocate(triangles, 3 * sizeof *made->twin);
    made->order = memory_allocate(triangles, sizeof *made->order);
    if (made->corners == NULL || made->place == NULL || made->twin == NULL || made->order == NULL) {
        topology_release(made);
        return NULL;
    }
    return made;
}

/* joined: [3 triangle_count] the triangles; vertices at the same place count as one. */
static bool join_places(facet_topology *topology, const abut_vec3 *vertices, int32_t *joined) {
    int32_t count = topology->vertex_count;
    int32_t *all = memory_allocate((size_t)count, sizeof *all);
    for (int32_t v = 0; all != NULL && v < count; v++) {
        all[v] = v;
    }
    bool done = all != NULL && repeated_map(vertices, all, count, topology->place);
    for (int32_t c = 0; done && c < 3 * topology->triangle_count; c++) {
        joined[c] = topology->place[topology->corners[c]];
    }
    memory_release(all);
    return done;
}

static abut_status find_twins(facet_topology *topology, const abut_vec3 *vertices, abut_facetmesh_report *report) {
    int32_t *joined = memory_allocate((size_t)topology->triangle_count, 3 * sizeof *joined);
    loops faces = {.face_count = topology->triangle_count, .vertex = joined};
    corners map;
    bool done = joined != NULL && join_places(topology, vertices, joined) &&
                corners_map(&map, &faces, topology->vertex_count, &report->open_edge_count) == ABUT_OK;
    if (done) {
        memcpy(topology->twin, map.twin, 3 * (size_t)topology->triangle_count * sizeof *topology->twin);
        corners_release(&map);
        for (int32_t c = 0; c < 3 * topology->triangle_count && report->first_open < 0; c++) {
            report->first_open = topology->twin[c] < 0 ? c / 3 : -1;
        }
    }
    memory_release(joined);
    return !done ? ABUT_ERROR_OUT_OF_MEMORY : report->open_edge_count > 0 ? ABUT_ERROR_NOT_CLOSED : ABUT_OK;
}

static facet_topology *topology_share(facet_topology *topology) {
    atomic_fetch_add_explicit(&topology->references, 1, memory_order_relaxed);
    return topology;
}

/* ---- facets ---- */

/* Where the curvatures of facets come from. */
typedef struct curving {
    const double *radii;       /* NULL: estimated */
    const double *cross_radii; /* NULL: round in all directions, or as `like` */
    const abut_vec3 *directions;
    const abut_vec3 *saddles; /* NULL: none given directly */
    const facetmesh *like;    /* the body whose saddles move with its triangles; NULL: none */
    const facetmesh *thick;   /* the body whose thicknesses are kept; NULL: they are measured */
    bool principal;           /* with estimated radii: saddles are estimated, too */
} curving;

static bool curving_has_saddles(const curving *from) {
    return from->radii == NULL ? from->principal
                               : from->cross_radii != NULL || from->saddles != NULL || (from->like != NULL && from->like->saddle != NULL);
}

static bool allocate(abut_shape *made, facet_topology *topology, const curving *from) {
    size_t triangles = (size_t)topology->triangle_count;
    facetmesh *facets = made->facets = memory_allocate(1, sizeof *facets);
    if (facets == NULL) {
        topology_release(topology);
        return false;
    }
    facets->topology = topology;
    facets->side = memory_allocate(triangles, sizeof *facets->side);
    facets->corner = memory_allocate(triangles, 3 * sizeof *facets->corner);
    facets->radius = memory_allocate(triangles, sizeof *facets->radius);
    facets->saddle = curving_has_saddles(from) ? memory_allocate(triangles, sizeof *facets->saddle) : NULL;
    trimesh *mesh = made->mesh = memory_allocate(1, sizeof *mesh);
    if (mesh == NULL) {
        return false;
    }
    *mesh = (trimesh){.vertex_count = topology->vertex_count,
                      .triangle_count = topology->triangle_count,
                      .item_count = topology->triangle_count,
                      .corners = topology->corners,
                      .order = topology->order,
                      .closed = true};
    mesh->vertices = memory_allocate((size_t)topology->vertex_count, sizeof *mesh->vertices);
    return facets->side != NULL && facets->corner != NULL && facets->radius != NULL && mesh->vertices != NULL &&
           (facets->saddle != NULL || !curving_has_saddles(from));
}

static void take_radii(abut_shape *made, const curving *from, abut_facetmesh_report *report) {
    facetmesh *facets = made->facets;
    const abut_aabb all = bounds_of_points(made->mesh->vertices, made->mesh->vertex_count);
    facets->estimated = from->radii == NULL;
    if (facets->estimated) {
        facet_radius_estimate(facets->topology, made->mesh->vertices, bounds_extent(all), facets->radius, facets->saddle,
                              &report->concave_count);
        return;
    }
    for (int32_t i = 0; i < facets->topology->triangle_count; i++) {
        double radius = from->radii[i], across = from->cross_radii != NULL ? from->cross_radii[i] : radius;
        facets->radius[i] = across != radius ? 2.0 / (1.0 / radius + 1.0 / across) : radius;
    }
}

/* The saddle of given radii, in the plane of the triangle. False if the direction is perpendicular to it. */
static bool saddle_given(const curving *from, int32_t i, abut_vec3 normal, abut_vec3 *saddle) {
    double along = from->radii[i], across = from->cross_radii[i], size = 0.5 * (1.0 / along - 1.0 / across);
    const abut_vec3 given = abut_unit(from->directions[i]), direction = abut_add_scaled(given, -abut_dot(given, normal), normal);
    *saddle = abut_vec3_make(0.0, 0.0, 0.0);
    if (along == across) {
        return true;
    }
    if (!(abut_length_squared(direction) > 1e-12)) {
        return false;
    }
    const abut_vec3 d = abut_unit(direction);
    *saddle = size > 0.0 ? abut_scale(size, d) : abut_scale(-size, abut_cross(normal, d));
    return true;
}

/* A saddle that keeps its angle to the first side of the triangle. */
static abut_vec3 saddle_moved(abut_vec3 saddle, const abut_vec3 was[3], abut_vec3 normal_was, const abut_vec3 is[3], abut_vec3 normal) {
    const abut_vec3 u = abut_unit(abut_sub(was[1], was[0])), to = abut_unit(abut_sub(is[1], is[0]));
    const double x = abut_dot(saddle, u), y = abut_dot(saddle, abut_cross(normal_was, u));
    return abut_add(abut_scale(x, to), abut_scale(y, abut_cross(normal, to)));
}

/* Gives a prepared facet its saddle; a radius that was raised makes it smaller, so that both principal radii keep their ratio. */
static bool take_saddle(facetmesh *facets, const curving *from, int32_t i) {
    facet_side *side = &facets->side[i];
    abut_vec3 *saddle = &facets->saddle[i];
    bool known = true;
    if (from->radii != NULL && from->cross_radii != NULL) {
        known = saddle_given(from, i, side->normal, saddle);
    } else if (from->saddles != NULL) {
        *saddle = abut_add_scaled(from->saddles[i], -abut_dot(from->saddles[i], side->normal), side->normal);
    } else if (from->radii != NULL) {
        const facet_side *was = &from->like->side[i];
        *saddle = saddle_moved(from->like->saddle[i], was->corner, was->normal, side->corner, side->normal);
    }
    if (side->radius < INFINITY && known) {
        side->saddle = abut_scale(facets->radius[i] / side->radius, *saddle);
    }
    return known;
}

static void note_radius(const facet_side *side, double given, abut_facetmesh_report *report) {
    report->raised_count += side->radius > given;
    if (!(side->radius < INFINITY)) {
        ++report->flat_count;
        return;
    }
    report->least_radius = report->least_radius > 0.0 ? real_min(report->least_radius, side->radius) : side->radius;
    report->greatest_radius = real_max(report->greatest_radius, side->radius);
}

/* A body of given radii of which no facet has a saddle is one that is round in all directions. */
static void drop_no_saddles(facetmesh *facets) {
    bool any = facets->saddle == NULL || facets->estimated;
    for (int32_t i = 0; !any && i < facets->topology->triangle_count; i++) {
        any = facets->saddle[i].x != 0.0 || facets->saddle[i].y != 0.0 || facets->saddle[i].z != 0.0;
    }
    if (!any) {
        memory_release(facets->saddle);
        facets->saddle = NULL;
    }
}

static abut_status make_sides(const char *call, abut_shape *made, const curving *from, abut_facetmesh_report *report) {
    facetmesh *facets = made->facets;
    for (int32_t i = 0; i < facets->topology->triangle_count; i++) {
        abut_triangle triangle;
        trimesh_triangle(made->mesh, i, &triangle);
        abut_vec3 *corner = &facets->corner[3 * (size_t)i];
        memcpy(corner, triangle.corner, sizeof triangle.corner);
        const abut_facet facet = {{corner[0], corner[1], corner[2]}, facets->radius[i]};
        abut_status status = facet_make_side(&facet, abut_vec3_make(0.0, 0.0, 0.0), &facets->side[i]);
        facets->side[i].corner = corner;
        if (status == ABUT_ERROR_NOT_FINITE) {
            return status;
        }
        if (status != ABUT_OK) {
            report->first_degenerate = report->degenerate_count++ == 0 ? i : report->first_degenerate;
        } else if (facets->saddle != NULL && !take_saddle(facets, from, i)) {
            (void)refused(call, "def->directions[%d] is perpendicular to its triangle, or zero", (int)i);
            return blame(report, i, ABUT_ERROR_INVALID_ARGUMENT);
        } else {
            note_radius(&facets->side[i], facets->radius[i], report);
        }
    }
    return report->degenerate_count > 0 ? ABUT_ERROR_DEGENERATE : ABUT_OK;
}

/* ---- inside ---- */

static double signed_volume(const trimesh *mesh) {
    abut_vec3 from = mesh->vertices[mesh->corners[0]];
    double six = 0.0;
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        abut_triangle t;
        trimesh_triangle(mesh, i, &t);
        six += abut_dot(abut_sub(t.corner[0], from), abut_cross(abut_sub(t.corner[1], from), abut_sub(t.corner[2], from)));
    }
    return six / 6.0;
}

static abut_status weigh(abut_shape *made, abut_facetmesh_report *report) {
    const trimesh *mesh = made->mesh;
    const abut_aabb all = bounds_of_points(mesh->vertices, mesh->vertex_count);
    const mass_surface surface = {mesh->vertices, NULL, mesh->corners, mesh->triangle_count, bounds_extent(all)};
    report->volume = signed_volume(mesh);
    if (report->volume < 0.0) {
        return ABUT_ERROR_NOT_OUTWARD;
    }
    made->unit_mass = mass_of_surface(&surface, abut_lerp(all.lower, all.upper, 0.5));
    return made->unit_mass.volume > 0.0 ? ABUT_OK : ABUT_ERROR_DEGENERATE;
}

/* ---- the hierarchy ---- */

/* pattern: a tree to refit, or NULL to build one. */
static bool make_tree(abut_shape *made, const packed_tree *pattern) {
    facetmesh *facets = made->facets;
    int32_t count = facets->topology->triangle_count;
    abut_aabb *boxes = memory_allocate((size_t)count, sizeof *boxes);
    for (int32_t i = 0; boxes != NULL && i < count; i++) {
        boxes[i] = facet_cap_bounds(&facets->side[i]);
    }
    packed_tree *tree = &made->mesh->tree;
    bool done = boxes != NULL && (pattern == NULL ? packed_tree_build(tree, boxes, count, facets->topology->order)
                                                  : packed_tree_refit(tree, pattern, boxes, count, facets->topology->order));
    memory_release(boxes);
    facets->ball = done ? memory_allocate((size_t)tree->node_count, sizeof *facets->ball) : NULL;
    facets->tangents = done ? memory_allocate((size_t)tree->node_count, sizeof *facets->tangents) : NULL;
    return facets->ball != NULL && facets->tangents != NULL;
}

static size_t bytes_of(const abut_shape *made) {
    const facetmesh *facets = made->facets;
    size_t triangles = (size_t)facets->topology->triangle_count, vertices = (size_t)facets->topology->vertex_count;
    size_t own = triangles * (sizeof *facets->side + 3 * sizeof *facets->corner + sizeof *facets->radius);
    own += facets->saddle != NULL ? triangles * sizeof *facets->saddle : 0;
    size_t shared = sizeof *facets->topology + triangles * 3 * sizeof *facets->topology->twin + vertices * sizeof *facets->topology->place;
    return sizeof *made + sizeof *facets + own + shared + trimesh_bytes(made->mesh) +
           (size_t)made->mesh->tree.node_count * (sizeof *facets->ball + sizeof *facets->tangents);
}

/* ---- all of it ---- */

static void keep_depths(facetmesh *facets, const facetmesh *of) {
    facets->deepest = of->deepest;
    for (int32_t i = 0; i < facets->topology->triangle_count; i++) {
        facets->side[i].depth = of->side[i].depth;
    }
}

/* vertices and radii have been checked. The shape takes over the topology. known: the mass of a shape whose skin this is, else NULL. */
static abut_status fill(const char *call, abut_shape *made, facet_topology *topology, const packed_tree *pattern, const abut_vec3 *vertices,
                        const curving *from, const abut_mass *known, abut_facetmesh_report *report) {
    if (!allocate(made, topology, from)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t v = 0; v < topology->vertex_count; v++) { /* -0 becomes 0 */
        made->mesh->vertices[v] = abut_add(vertices[v], abut_vec3_make(0.0, 0.0, 0.0));
    }
    take_radii(made, from, report);
    abut_status status = make_sides(call, made, from, report);
    drop_no_saddles(made->facets);
    if (known != NULL) {
        made->unit_mass = *known;
    } else {
        status = status == ABUT_OK ? weigh(made, report) : status;
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (!make_tree(made, pattern)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->bounds = facetmesh_bounds(made, abut_pose_identity(), abut_mat3_identity());
    made->size = bounds_extent(made->bounds);
    facetmesh_make_balls(made->facets, &made->mesh->tree, made->size);
    facetmesh_make_tangents(made->facets, &made->mesh->tree);
    made->facets->reach = facetmesh_reach_from(made->facets, abut_vec3_make(0.0, 0.0, 0.0));
    if (from->thick != NULL) {
        keep_depths(made->facets, from->thick);
    } else {
        facetmesh_find_depths(made);
    }
    made->facets->centre_reach = facetmesh_reach_from(made->facets, made->unit_mass.centre);
    made->facets->widest = report->greatest_radius;
    made->facets->highest = facetmesh_find_highest(made->facets);
    report->bytes = bytes_of(made);
    return ABUT_OK;
}

static abut_status refuse_facets(const char *call, abut_status status, const abut_facetmesh_report *report) {
    switch (status) {
    case ABUT_ERROR_NOT_FINITE:
        return refuse(status, call, "the triangles are too large: products of their sides overflow");
    case ABUT_ERROR_NOT_OUTWARD:
        return refuse(status, call, "the triangles are wound inward: the volume is %.9g", report->volume);
    case ABUT_ERROR_DEGENERATE:
        return report->degenerate_count > 0
                   ? refuse(status, call, "triangle %d has no area (%d such)", (int)report->first_degenerate, (int)report->degenerate_count)
                   : refuse(status, call, "the triangles enclose no volume");
    default:
        return status;
    }
}

static abut_status finish(const char *call, abut_shape *made, abut_status status, const abut_facetmesh_report *report, abut_shape **shape) {
    if (status != ABUT_OK) {
        shape_free(made);
        return refuse_facets(call, status, report);
    }
    return shape_publish(call, made, shape);
}

static abut_status create(const char *call, const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape);

/* Takes over the topology of the mesh without lips. */
static abut_status create_lipped(const char *call, const abut_facetmesh_def *def, facet_topology *topology, abut_facetmesh_report *report,
                                 abut_shape **shape) {
    lipped_mesh mesh;
    int32_t culprit;
    abut_status status = lipped_mesh_make(def, topology->twin, &mesh, &culprit);
    topology_release(topology);
    if (status == ABUT_ERROR_DEGENERATE) {
        report->first_degenerate = culprit;
        report->degenerate_count = 1;
        return refuse_facets(call, status, report);
    }
    if (status == ABUT_ERROR_INVALID_ARGUMENT) {
        (void)refused(call, "def->lip_radius is %.9g: too large for triangle %d, or less than a thousandth of its side", def->lip_radius,
                      (int)culprit);
    }
    if (status != ABUT_OK) {
        return culprit >= 0 ? blame(report, culprit, status) : status;
    }
    const abut_facetmesh_def lipped = {.vertices = mesh.vertices,
                                       .vertex_count = mesh.vertex_count,
                                       .triangles = mesh.triangles,
                                       .triangle_count = mesh.triangle_count,
                                       .radii = mesh.radii,
                                       .cross_radii = mesh.cross_radii,
                                       .directions = mesh.directions};
    status = create(call, &lipped, report, shape);
    lipped_mesh_release(&mesh);
    return status;
}

static abut_status create(const char *call, const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape) {
    abut_status status = argument_is_null(call, "shape", shape) ? ABUT_ERROR_INVALID_ARGUMENT : check(call, def, report);
    if (status != ABUT_OK) {
        return status;
    }
    facet_topology *topology = topology_allocate(def->vertex_count, def->triangle_count);
    if (topology == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    memcpy(topology->corners, def->triangles, 3 * (size_t)def->triangle_count * sizeof *topology->corners);
    status = find_twins(topology, def->vertices, report);
    if (status == ABUT_OK && def->lip_radius > 0.0) {
        return create_lipped(call, def, topology, report, shape);
    }
    abut_shape *made = status == ABUT_OK ? shape_allocate(ABUT_SHAPE_FACETMESH) : NULL;
    if (made == NULL) {
        topology_release(topology);
        if (status == ABUT_ERROR_NOT_CLOSED) {
            (void)refused(call, "the triangles are not closed: triangle %d has an open edge (%d such)", (int)report->first_open,
                          (int)report->open_edge_count);
        }
        return status == ABUT_OK ? ABUT_ERROR_OUT_OF_MEMORY : status;
    }
    const curving from = {.radii = def->radii, .cross_radii = def->cross_radii, .directions = def->directions, .principal = def->principal};
    return finish(call, made, fill(call, made, topology, NULL, def->vertices, &from, NULL, report), report, shape);
}

static abut_facetmesh_report nothing_found(void) {
    return (abut_facetmesh_report){.first_open = -1, .first_degenerate = -1, .culprit = -1};
}

abut_status abut_shape_create_facetmesh(const abut_facetmesh_def *def, abut_facetmesh_report *report, abut_shape **shape) {
    abut_facetmesh_report found = nothing_found();
    abut_status status = create(CALL_NAME, def, &found, shape);
    if (report != NULL) {
        *report = found;
    }
    return status;
}

/* ---- moved ---- */

static abut_status check_moved(const char *call, const facet_topology *topology, const abut_vec3 *vertices, const double *radii,
                               abut_facetmesh_report *report) {
    abut_status status = check_vertices(call, "vertices", vertices, topology->vertex_count, report);
    status = status == ABUT_OK ? check_radii(call, "radii", radii, topology->triangle_count, report) : status;
    for (int32_t v = 0; status == ABUT_OK && v < topology->vertex_count; v++) {
        abut_vec3 apart = abut_sub(vertices[v], vertices[topology->place[v]]);
        if (apart.x != 0.0 || apart.y != 0.0 || apart.z != 0.0) {
            (void)refused(call, "vertices[%d] and vertices[%d] were at one place and are apart now", (int)topology->place[v], (int)v);
            status = blame(report, v, ABUT_ERROR_NOT_CLOSED);
        }
    }
    return status;
}

static abut_status move(const char *call, const abut_shape *shape, const abut_vec3 *vertices, const double *radii, const abut_shape *thick,
                        abut_facetmesh_report *report, abut_shape **moved) {
    if (argument_is_null(call, "shape", shape) || argument_is_null(call, "vertices", vertices) || argument_is_null(call, "moved", moved)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind != ABUT_SHAPE_FACETMESH) {
        return shape_refuse_kind(call, "shape", shape, "a facetmesh");
    }
    const facetmesh *facets = shape->facets;
    abut_status status = check_moved(call, facets->topology, vertices, radii, report);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_FACETMESH);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    const bool kept = radii == NULL && !facets->estimated;
    const curving from = {.radii = kept ? facets->radius : radii,
                          .like = kept ? facets : NULL,
                          .thick = thick != NULL ? thick->facets : NULL,
                          .principal = facets->saddle != NULL};
    return finish(call, made, fill(call, made, topology_share(facets->topology), &shape->mesh->tree, vertices, &from, NULL, report), report,
                  moved);
}

abut_status abut_shape_create_facetmesh_moved(const abut_shape *shape, const abut_vec3 *vertices, const double *radii,
                                              abut_facetmesh_report *report, abut_shape **moved) {
    abut_facetmesh_report found = nothing_found();
    abut_status status = move(CALL_NAME, shape, vertices, radii, NULL, &found, moved);
    if (report != NULL) {
        *report = found;
    }
    return status;
}

abut_status facetmesh_move(const char *call, const abut_shape *shape, const abut_vec3 *vertices, const abut_shape *thick,
                           abut_shape **moved) {
    abut_facetmesh_report found = nothing_found();
    return move(call, shape, vertices, NULL, thick, &found, moved);
}

/* ---- skins ---- */

/* Corners at the same place are neighbours. The twins of edges are not used. */
static facet_topology *topology_of_soup(const skin_soup *soup) {
    facet_topology *made = topology_allocate(3 * soup->count, soup->count);
    for (int32_t c = 0; made != NULL && c < 3 * soup->count; c++) {
        made->corners[c] = c;
    }
    if (made != NULL && !join_places(made, soup->corner, made->twin)) {
        topology_release(made);
        return NULL;
    }
    return made;
}

static abut_status fill_skin(abut_shape *made, facet_topology *topology, const skin_soup *soup, const abut_mass *mass) {
    abut_facetmesh_report found = nothing_found();
    const curving from = {.radii = soup->radius, .saddles = soup->saddled ? soup->saddle : NULL};
    abut_status status = fill(NULL, made, topology, NULL, soup->corner, &from, mass, &found);
    facetmesh *facets = made->facets;
    if (status == ABUT_OK) {
        facets->feature = memory_allocate((size_t)soup->count, sizeof *facets->feature);
        status = facets->feature == NULL ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK;
    }
    if (status == ABUT_OK) {
        memcpy(facets->feature, soup->feature, (size_t)soup->count * sizeof *facets->feature);
        facets->two_sided = soup->two_sided;
        facets->deepest = soup->two_sided ? facets->reach : facets->deepest;
    }
    for (int32_t i = 0; status == ABUT_OK && soup->two_sided && i < soup->count; i++) {
        facets->side[i].depth = facets->reach; /* behind a surface with two sides is its back, and no body */
    }
    return status;
}

abut_status facetmesh_make_skin(const skin_soup *soup, const abut_mass *mass, abut_shape **skin) {
    if (soup->out_of_memory || soup->count == 0) {
        return soup->out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_ERROR_DEGENERATE;
    }
    facet_topology *topology = topology_of_soup(soup);
    abut_shape *made = topology != NULL ? shape_allocate(ABUT_SHAPE_FACETMESH) : NULL;
    if (made == NULL) {
        topology_release(topology);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = fill_skin(made, topology, soup, mass);
    if (status != ABUT_OK) {
        shape_free(made);
        return status;
    }
    *skin = made;
    return ABUT_OK;
}

/* ---- memory ---- */

void facetmesh_release(facetmesh *facets, trimesh *mesh) {
    if (facets == NULL) {
        return;
    }
    if (mesh != NULL) {
        mesh->corners = mesh->order = NULL;
    }
    topology_release(facets->topology);
    memory_release(facets->side);
    memory_release(facets->corner);
    memory_release(facets->radius);
    memory_release(facets->saddle);
    memory_release(facets->ball);
    memory_release(facets->tangents);
    memory_release(facets->feature);
    memory_release(facets);
}
