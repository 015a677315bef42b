#include "answer.h"

#include <abut/mesh.h>
#include <abut/smooth.h>
#include <float.h>

#include "target.h"

static bool is_convex(const abut_shape *shape) {
    abut_kind kind = abut_shape_kind(shape);
    return kind != ABUT_SHAPE_PLANE && kind != ABUT_SHAPE_COMPOUND && kind != ABUT_SHAPE_TRIMESH;
}

/* ---- sizes ---- */

static double largest_of(abut_vec3 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

static double size_of(const abut_shape *shape) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_PLANE) {
        return 0.0;
    }
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    return largest_of(abut_sub(bounds.upper, bounds.lower));
}

/* Largest distance of a point of the shape from the origin of its frame; for a plane, its offset. */
static double reach_of(const abut_shape *shape) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_PLANE) {
        return fabs(abut_shape_plane_offset(shape));
    }
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    return fmax(largest_of(bounds.lower), largest_of(bounds.upper));
}

/* At most the shape's least width; close to it for boxes and balls. */
static double thickness_of(const abut_shape *shape) {
    abut_mass mass;
    double size = size_of(shape);
    return abut_shape_mass(shape, 1.0, &mass) == ABUT_OK ? mass.volume / (size * size) : INFINITY;
}

/* How far the vertices of a polytope are from its face planes: the largest distance of a vertex beyond a face, or of a face's own vertex from the face's
 * plane. */
static double dent_of(const abut_shape *shape) {
    enum { MOST_WORK = 100000 };
    abut_polytope_view view;
    double dent = 0.0;
    if (abut_shape_polytope(shape, &view) != ABUT_OK || view.vertex_count > MOST_WORK / view.face_count) {
        return 0.0;
    }
    for (int32_t f = 0; f < view.face_count; f++) {
        double lowest = INFINITY, highest = -INFINITY;
        for (int32_t c = view.face_first[f]; c < view.face_first[f + 1]; c++) {
            double height = abut_dot(view.face_normals[f], view.vertices[view.face_vertices[c]]);
            lowest = fmin(lowest, height);
            highest = fmax(highest, height);
        }
        for (int32_t v = 0; v < view.vertex_count; v++) {
            highest = fmax(highest, abut_dot(view.face_normals[f], view.vertices[v]));
        }
        dent = fmax(dent, highest - lowest);
    }
    return dent;
}

placed_pair answer_place(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    placed_pair pair = {.a = a, .b = b, .pose_a = pose_a, .pose_b = pose_b, .sizes = size_of(a) + size_of(b)};
    pair.rounding = DBL_EPSILON * (reach_of(a) + reach_of(b) + 2.0 * largest_of(pose_a.position) + 2.0 * largest_of(pose_b.position));
    pair.dent = dent_of(a) + dent_of(b);
    pair.thin = fmin(thickness_of(a), thickness_of(b));
    pair.coarse = pair.rounding > 1e-3 * pair.thin;
    return pair;
}

/* ---- widths ---- */

/* (x^p + y^p)^(1 / p), for x, y >= 0. */
static double norm_of(double x, double y, double p) {
    double large = fmax(x, y);
    return large > 0.0 ? large * pow(pow(x / large, p) + pow(y / large, p), 1.0 / p) : 0.0;
}

/* Dual norm of an ellipsoid or a superquadric. */
static double smooth_extent(const abut_shape *shape, abut_vec3 axes, abut_vec3 direction) {
    double e1, e2, x = axes.x * fabs(direction.x), y = axes.y * fabs(direction.y), z = axes.z * fabs(direction.z);
    abut_shape_exponents(shape, &e1, &e2);
    bool ellipsoid = abut_shape_kind(shape) == ABUT_SHAPE_ELLIPSOID;
    return ellipsoid ? abut_length(abut_vec3_make(x, y, z)) : norm_of(norm_of(x, y, 2.0 / (2.0 - e2)), z, 2.0 / (2.0 - e1));
}

static double frustum_extent(const abut_shape *shape, abut_vec3 direction) {
    abut_aabb box = abut_shape_bounds(shape, abut_pose_identity());
    double across = hypot(direction.x, direction.y);
    return fmax(abut_shape_radius(shape) * across + box.lower.z * direction.z,
                abut_shape_top_radius(shape) * across + box.upper.z * direction.z);
}

/* The largest value of direction . x over the shape, in the shape's frame. */
static double extent_of(const abut_shape *shape, abut_vec3 direction) {
    abut_polytope_view view;
    abut_vec3 axes = abut_shape_semi_axes(shape);
    if (axes.x > 0.0) {
        return smooth_extent(shape, axes, direction);
    }
    if (abut_shape_height(shape) > 0.0) {
        return frustum_extent(shape, direction);
    }
    if (abut_shape_polytope(shape, &view) != ABUT_OK) {
        return abut_shape_radius(shape) * abut_length(direction) + abut_shape_half_length(shape) * fabs(direction.z);
    }
    double most = -INFINITY;
    for (int32_t i = 0; i < view.vertex_count; i++) {
        most = fmax(most, abut_dot(direction, view.vertices[i]));
    }
    return most;
}

double answer_separation(const placed_pair *pair, abut_vec3 normal) {
    double a = extent_of(pair->a, abut_quat_rotate_inverse(pair->pose_a.rotation, abut_neg(normal)));
    double b = extent_of(pair->b, abut_quat_rotate_inverse(pair->pose_b.rotation, normal));
    return abut_dot(normal, abut_sub(pair->pose_a.position, pair->pose_b.position)) - a - b;
}

/* ---- contacts ---- */

static bool is_inside(abut_aabb box, abut_vec3 p, double slack) {
    return p.x >= box.lower.x - slack && p.x <= box.upper.x + slack && p.y >= box.lower.y - slack && p.y <= box.upper.y + slack &&
           p.z >= box.lower.z - slack && p.z <= box.upper.z + slack;
}

static bool mesh_has_feature(const abut_shape *mesh, abut_feature feature) {
    int32_t triangles = abut_shape_triangle_count(mesh), vertices = abut_shape_vertex_count(mesh);
    int32_t count = feature.kind == ABUT_FEATURE_FACE     ? triangles
                    : feature.kind == ABUT_FEATURE_EDGE   ? 3 * triangles
                    : feature.kind == ABUT_FEATURE_VERTEX ? vertices
                                                          : 0;
    return feature.part == 0 && feature.index >= 0 && feature.index < count;
}

/* An end is a disc with a rim, or an apex. */
static bool frustum_has_feature(const abut_shape *shape, abut_feature feature) {
    if (feature.kind == ABUT_FEATURE_SMOOTH || feature.index > 1) {
        return feature.kind == ABUT_FEATURE_SMOOTH && feature.index == 0;
    }
    bool apex = (feature.index == 0 ? abut_shape_radius(shape) : abut_shape_top_radius(shape)) == 0.0;
    return apex == (feature.kind == ABUT_FEATURE_VERTEX) && feature.kind != ABUT_FEATURE_NONE;
}

static bool has_feature(const abut_shape *shape, abut_feature feature) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_TRIMESH) {
        return mesh_has_feature(shape, feature);
    }
    abut_part part;
    if (abut_shape_part(shape, feature.part, &part) != ABUT_OK || feature.index < 0) {
        return false;
    }
    abut_polytope_view view;
    bool faceted = abut_shape_polytope(part.shape, &view) == ABUT_OK;
    if (abut_shape_height(part.shape) > 0.0) {
        return frustum_has_feature(part.shape, feature);
    }
    switch (feature.kind) {
    case ABUT_FEATURE_FACE:
        return faceted ? feature.index < view.face_count : abut_shape_kind(part.shape) == ABUT_SHAPE_PLANE && feature.index == 0;
    case ABUT_FEATURE_EDGE:
        return faceted && feature.index < view.edge_count;
    case ABUT_FEATURE_VERTEX:
        return faceted && feature.index < view.vertex_count;
    case ABUT_FEATURE_SMOOTH:
        return !faceted && feature.index <= (abut_shape_kind(part.shape) == ABUT_SHAPE_CAPSULE ? 2 : 0);
    default:
        return false;
    }
}

/* How far a point of the contact may lie outside of a shape's bounds. A body that has sunk into a mesh can be deepest beside it: then the foot of its deepest
 * point lies in the plane of a triangle, no farther from it than the body is wide. */
static double slack_beside(const placed_pair *pair, const abut_shape *shape, const abut_shape *other, const abut_contact *c) {
    bool beside = (c->flags & ABUT_CONTACT_WITNESS) != 0 && abut_shape_kind(shape) == ABUT_SHAPE_TRIMESH && c->gap < 0.0;
    return 1e-6 * pair->sizes + 16.0 * pair->rounding + (beside ? 1.75 * size_of(other) : 0.0);
}

static void check_contact(const placed_pair *pair, double margin, const abut_contact *c) {
    FUZZ_REQUIRE(abut_vec3_is_finite(c->on_a) && abut_vec3_is_finite(c->on_b) && abut_vec3_is_finite(c->normal) && isfinite(c->gap) &&
                     isfinite(c->area),
                 "on_a (%g, %g, %g) on_b (%g, %g, %g) normal (%g, %g, %g) gap %g area %g", c->on_a.x, c->on_a.y, c->on_a.z, c->on_b.x,
                 c->on_b.y, c->on_b.z, c->normal.x, c->normal.y, c->normal.z, c->gap, c->area);
    FUZZ_REQUIRE(fabs(abut_length(c->normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(c->normal));
    double slack = 1e-13 * pair->sizes + 16.0 * pair->rounding, gap = abut_dot(c->normal, abut_sub(c->on_a, c->on_b));
    FUZZ_REQUIRE(fabs(gap - c->gap) <= slack, "gap %.17g, of the points %.17g, allowed %g", c->gap, gap, slack);
    FUZZ_REQUIRE(c->gap <= margin + 1e-13 * pair->sizes + pair->rounding, "gap %.17g, margin %.17g", c->gap, margin);
    FUZZ_REQUIRE(c->area >= -1e-13 * pair->sizes * pair->sizes, "area %g", c->area); /* rounding may make it negative */
    FUZZ_REQUIRE((c->flags & ~(uint32_t)(ABUT_CONTACT_NORMAL_CHOSEN | ABUT_CONTACT_WITNESS)) == 0, "flags %" PRIu32, c->flags);
    FUZZ_REQUIRE(has_feature(pair->a, c->feature_a), "A: kind %d, index %d", (int)c->feature_a.kind, (int)c->feature_a.index);
    FUZZ_REQUIRE(has_feature(pair->b, c->feature_b), "B: kind %d, index %d", (int)c->feature_b.kind, (int)c->feature_b.index);
    bool inside_a = is_inside(abut_shape_bounds(pair->a, pair->pose_a), c->on_a, slack_beside(pair, pair->a, pair->b, c));
    bool inside_b = is_inside(abut_shape_bounds(pair->b, pair->pose_b), c->on_b, slack_beside(pair, pair->b, pair->a, c));
    FUZZ_REQUIRE(pair->coarse || inside_a, "on_a (%g, %g, %g) is out of bounds", c->on_a.x, c->on_a.y, c->on_a.z);
    FUZZ_REQUIRE(pair->coarse || inside_b, "on_b (%g, %g, %g) is out of bounds", c->on_b.x, c->on_b.y, c->on_b.z);
}

double answer_deepest(const abut_contact *contacts, int32_t count) {
    double deepest = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        deepest = fmin(deepest, contacts[i].gap);
    }
    return deepest;
}

static void check_order(const abut_contact *contacts, int32_t count) {
    enum { MOST_IDS = 200 }; /* the check compares all pairs of ids, so it is limited to few contacts */
    for (int32_t i = 0; i < count; i++) {
        int32_t patch = i == 0 ? 0 : contacts[i - 1].patch;
        FUZZ_REQUIRE(contacts[i].patch == patch || (i > 0 && contacts[i].patch == patch + 1), "contact %d: patch %d after %d", (int)i,
                     (int)contacts[i].patch, (int)patch);
        for (int32_t k = 0; k < i && i < MOST_IDS; k++) {
            FUZZ_REQUIRE(contacts[k].id != contacts[i].id, "contacts %d and %d have one id", (int)k, (int)i);
        }
    }
}

/* ---- no direction has a larger separation ---- */

typedef struct directions {
    abut_polytope_view view;
    abut_pose pose;
} directions;

static abut_vec3 edge_of(const directions *d, int32_t edge) {
    const int32_t *end = &d->view.edge_vertices[2 * edge];
    return abut_quat_rotate(d->pose.rotation, abut_sub(d->view.vertices[end[1]], d->view.vertices[end[0]]));
}

static void require_no_more(const placed_pair *pair, abut_vec3 direction, double gap, double slack, const char *what) {
    double separation = answer_separation(pair, direction);
    FUZZ_REQUIRE(separation <= gap + slack, "gap %.17g, but %.17g along %s (%.17g, %.17g, %.17g), allowed %g", gap, separation, what,
                 direction.x, direction.y, direction.z, slack);
}

/* For two polytopes, the direction of largest separation is a face normal or perpendicular to an edge of each. */
static void check_most_separation(const placed_pair *pair, double gap) {
    enum { MOST_EDGES = 60 };
    directions d[2] = {{.pose = pair->pose_a}, {.pose = pair->pose_b}};
    if (abut_shape_polytope(pair->a, &d[0].view) != ABUT_OK || abut_shape_polytope(pair->b, &d[1].view) != ABUT_OK) {
        return;
    }
    double slack = 1e-9 * fabs(gap) + 1e-11 * pair->sizes + 4.0 * pair->dent + 16.0 * pair->rounding;
    for (int k = 0; k < 2; k++) {
        for (int32_t f = 0; f < d[k].view.face_count; f++) {
            abut_vec3 outward = abut_quat_rotate(d[k].pose.rotation, d[k].view.face_normals[f]);
            require_no_more(pair, k == 0 ? abut_neg(outward) : outward, gap, slack, "a face's normal");
        }
    }
    for (int32_t i = 0; i < d[0].view.edge_count && i < MOST_EDGES; i++) {
        for (int32_t j = 0; j < d[1].view.edge_count && j < MOST_EDGES; j++) {
            abut_vec3 p = edge_of(&d[0], i), q = edge_of(&d[1], j), across = abut_cross(p, q);
            if (abut_length(across) > 1e-4 * abut_length(p) * abut_length(q)) {
                require_no_more(pair, abut_unit(across), gap, slack, "two edges");
                require_no_more(pair, abut_neg(abut_unit(across)), gap, slack, "two edges");
            }
        }
    }
}

bool answer_is_extreme(const placed_pair *pair, const abut_collide_settings *settings, double gap) {
    return is_convex(pair->a) && is_convex(pair->b) && !pair->coarse &&
           (settings->normal == ABUT_NORMAL_MINIMUM || gap > 1e-9 * pair->sizes + 16.0 * pair->rounding);
}

void answer_check(const placed_pair *pair, const abut_collide_settings *settings, const abut_contact *contacts, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        check_contact(pair, settings->margin, &contacts[i]);
    }
    check_order(contacts, count);
    if (count > 0 && !pair->coarse && is_convex(pair->a) && is_convex(pair->b)) {
        double separation = answer_separation(pair, contacts[0].normal), deepest = answer_deepest(contacts, count);
        double slack = 2e-9 * pair->sizes + 16.0 * pair->rounding;
        FUZZ_REQUIRE(fabs(deepest - separation) <= slack,
                     "deepest gap %.17g of %d, the bodies' separation along its normal %.17g, "
                     "allowed %g",
                     deepest, (int)count, separation, slack);
        if (answer_is_extreme(pair, settings, deepest)) {
            check_most_separation(pair, deepest);
        }
    }
}

void answer_check_apart(const placed_pair *pair, const abut_collide_settings *settings, const abut_cache *cache) {
    abut_vec3 direction = abut_unit(cache->axis); /* from A to B, frame of A */
    if (!(abut_length_squared(direction) > 0.0) || !is_convex(pair->a) || !is_convex(pair->b)) {
        return;
    }
    double separation = answer_separation(pair, abut_neg(abut_quat_rotate(pair->pose_a.rotation, direction)));
    FUZZ_REQUIRE(separation >= settings->margin - 1e-12 * pair->sizes - 16.0 * pair->rounding,
                 "no contacts, but the separation along the cached direction is %.17g, margin %.17g", separation, settings->margin);
}

/* Checks both bounds: bodies scaled by less than alpha are separated along the normal; bodies scaled by alpha have a point in common. */
static void check_alpha(const placed_pair *pair, const abut_growth *g) {
    double between = abut_dot(g->normal, abut_sub(g->contraction_a, g->contraction_b));
    double widths = between - answer_separation(pair, g->normal), slack = 1e-9 * pair->sizes + 64.0 * pair->rounding;
    FUZZ_REQUIRE(g->alpha_lower * widths <= between + slack * fmax(1.0, g->alpha), "lower %.17g, of the widths %.17g", g->alpha_lower,
                 between / widths);
    /* The contact point on a round surface is known only to the square root of the rounding error. */
    abut_vec3 a = abut_lerp(g->contraction_a, g->on_a, g->alpha), b = abut_lerp(g->contraction_b, g->on_b, g->alpha);
    double near = (slack + 1e-7 * pair->sizes) * fmax(1.0, g->alpha), apart = abut_distance_between(a, b);
    FUZZ_REQUIRE(apart <= near && abut_distance_between(a, g->touch) <= near, "alpha %.17g: the points are %g apart, allowed %g", g->alpha,
                 apart, near);
}

void answer_check_growth(const placed_pair *pair, abut_status status, const abut_growth *g) {
    FUZZ_REQUIRE(isfinite(g->alpha) && isfinite(g->alpha_lower) && isfinite(g->gap) && abut_vec3_is_finite(g->normal) &&
                     abut_vec3_is_finite(g->touch) && abut_vec3_is_finite(g->on_a) && abut_vec3_is_finite(g->on_b) &&
                     abut_vec3_is_finite(g->contraction_a) && abut_vec3_is_finite(g->contraction_b),
                 "alpha %g, gap %g, normal (%g, %g, %g)", g->alpha, g->gap, g->normal.x, g->normal.y, g->normal.z);
    FUZZ_REQUIRE(g->alpha >= 0.0 && g->alpha_lower <= g->alpha, "alpha %.17g, lower %.17g", g->alpha, g->alpha_lower);
    FUZZ_REQUIRE(fabs(abut_length(g->normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(g->normal));
    FUZZ_REQUIRE((status == ABUT_OK) == (g->alpha - g->alpha_lower <= 1e-9 * g->alpha), "%s: alpha %.17g, lower %.17g",
                 abut_status_name(status), g->alpha, g->alpha_lower);
    double separation = answer_separation(pair, g->normal), slack = 2e-9 * pair->sizes + 16.0 * pair->rounding;
    FUZZ_REQUIRE(fabs(separation - g->gap) <= slack, "gap %.17g, the bodies' separation along the normal %.17g, allowed %g", g->gap,
                 separation, slack);
    if (status == ABUT_OK && !pair->coarse) {
        check_alpha(pair, g);
    }
}
