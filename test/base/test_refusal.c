/*
 * Every public call that refuses its arguments tells the log which one, and why: at least one refusal for each argument that can be refused.
 * test_refusal.py checks that no function and no argument is missing here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include <abut/abut.h>

#include "base/argument.h"
#include "support/refusal.h"
#include "support/user_surface.h"

#define INVALID ABUT_ERROR_INVALID_ARGUMENT
#define NOT_FINITE ABUT_ERROR_NOT_FINITE
#define DEGENERATE ABUT_ERROR_DEGENERATE
#define NOT_CLOSED ABUT_ERROR_NOT_CLOSED
#define NOT_CONVEX ABUT_ERROR_NOT_CONVEX
#define NOT_OUTWARD ABUT_ERROR_NOT_OUTWARD
#define UNSUPPORTED ABUT_ERROR_UNSUPPORTED
#define UNSUPPORTED_PAIR ABUT_ERROR_UNSUPPORTED_PAIR

static const abut_vec3 zero = {0, 0, 0}, one = {1, 1, 1}, up = {0, 0, 1}, nan_y = {0, NAN, 0};
static const abut_pose at_origin = {{0, 0, 0}, {0, 0, 0, 1}}, turned_badly = {{0, 0, 0}, {0, 0, 0, 0.5}},
                       lost = {{0, 0, INFINITY}, {0, 0, 0, 1}};

/* Shapes that the calls are about. */
static abut_shape *ball, *box, *plane, *sheet, *grain, *compound, *saddle, *thread;
static abut_shape *unmade;

/* ---- a tetrahedron, as a surface ---- */

static const abut_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
static const int32_t inward[12] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 0, 2, 3};
static const int32_t sizes[4] = {3, 3, 3, 3};

static abut_polytope_def polytope_def(void) {
    return (abut_polytope_def){.vertices = corners, .vertex_count = 4, .face_sizes = sizes, .face_count = 4, .face_vertices = triangles};
}

static abut_facetmesh_def facetmesh_def(void) {
    abut_facetmesh_def def = abut_facetmesh_def_default();
    def.vertices = corners;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 4;
    return def;
}

static abut_trimesh_def trimesh_def(void) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = corners;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 1; /* not closed */
    return def;
}

/* ---- surfaces of functions ---- */

/* A ball of radius 1. */
static void round_surface(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    *at = (abut_implicit_point){abut_length_squared(p) - 1.0, abut_scale(2.0, p), {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
}

static void empty_surface(void *context, abut_vec3 p, abut_implicit_point *at) {
    (void)context;
    *at = (abut_implicit_point){abut_length_squared(p) + 1.0, abut_scale(2.0, p), {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}};
}

/* All of it is one point. */
static void pointlike_surface(void *context, double u, double v, abut_parametric_point *at) {
    (void)context;
    (void)u;
    (void)v;
    memset(at, 0, sizeof *at);
}

static abut_implicit_def implicit_def(void) {
    return (abut_implicit_def){.function = round_surface, .bounds = {{-2, -2, -2}, {2, 2, 2}}, .convex = true};
}

static abut_parametric_def parametric_def(void) {
    return (abut_parametric_def){.function = pointlike_surface, .u_range = {0, 1}, .v_range = {0, 1}, .convex = true};
}

static int set_up(void **state) {
    (void)state;
    const abut_trimesh_def open = trimesh_def();
    const abut_facetmesh_def facets = facetmesh_def();
    const abut_part part = {NULL, at_origin};
    abut_implicit_def any = implicit_def();
    any.convex = false;
    assert_int_equal(abut_shape_create_sphere(1.0, &ball), ABUT_OK);
    assert_int_equal(abut_shape_create_box(one, &box), ABUT_OK);
    assert_int_equal(abut_shape_create_plane(up, 0.0, &plane), ABUT_OK);
    assert_int_equal(abut_shape_create_trimesh(&open, NULL, &sheet), ABUT_OK);
    assert_int_equal(abut_shape_create_facetmesh(&facets, NULL, &grain), ABUT_OK);
    assert_int_equal(abut_shape_create_implicit(&any, &saddle), ABUT_OK);
    static user_torus too_thin = {2.0, 0.03}; /* for the grid of its surface */
    any = user_torus_implicit(&too_thin);
    assert_int_equal(abut_shape_create_implicit(&any, &thread), ABUT_OK);
    abut_part parts[2] = {part, part};
    parts[0].shape = parts[1].shape = box;
    assert_int_equal(abut_shape_create_compound(parts, 2, &compound), ABUT_OK);
    refusal_listen();
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    refusal_silence();
    abut_shape *all[] = {ball, box, plane, sheet, grain, compound, saddle, thread};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        abut_shape_release(all[i]);
    }
    return 0;
}

/* ---- base/argument.h itself ---- */

static void test_numbers_that_are_not_finite_read_the_same_everywhere(void **state) {
    (void)state;
    assert_true(refused_value("call", "x", NAN, "finite"));
    assert_string_equal(refusal_message(), "call: x is NaN: it must be finite");
    assert_true(refused_value("call", "x", -INFINITY, "finite"));
    assert_string_equal(refusal_message(), "call: x is -infinity: it must be finite");
    assert_true(refused_vector("call", "v", abut_vec3_make(0, 0, INFINITY)));
    assert_string_equal(refusal_message(), "call: v.z is infinity: it must be finite");
    assert_true(argument_is_no_pose("call", "pose", turned_badly));
    assert_string_equal(refusal_message(), "call: pose.rotation has the norm 0.5: it must be a unit quaternion");
}

static void test_a_call_without_a_name_says_nothing(void **state) {
    (void)state;
    refusal_clear();
    assert_int_equal(refuse(INVALID, NULL, "x is %d", 1), INVALID);
    assert_true(argument_is_null(NULL, "x", NULL));
    assert_int_equal(refusal_count(), 0);
}

static void test_a_refusal_without_a_log_is_the_same(void **state) {
    (void)state;
    refusal_clear();
    refusal_silence();
    assert_int_equal(abut_shape_create_sphere(-1.0, &unmade), INVALID);
    refusal_listen();
    assert_int_equal(refusal_count(), 0);
}

static void test_what_is_accepted_says_nothing(void **state) {
    (void)state;
    abut_shape *made = NULL;
    const abut_polytope_def def = polytope_def();
    ACCEPTS(ABUT_OK, abut_shape_create_polytope(&def, NULL, &made));
    abut_shape_release(made);
    const abut_implicit_def smooth = implicit_def();
    ACCEPTS(ABUT_OK, abut_shape_create_implicit(&smooth, &made));
    abut_shape_release(made);
}

static void test_allocator(void **state) {
    (void)state;
    const abut_allocator allocator = {NULL, NULL, NULL};
    REFUSES(INVALID, "allocator->allocate is NULL", abut_set_allocator(&allocator));
}

/* ---- shape.h ---- */

static void test_round_shapes(void **state) {
    (void)state;
    REFUSES(NOT_FINITE, "radius is NaN: it must be finite", abut_shape_create_sphere(NAN, &unmade));
    REFUSES(INVALID, "radius is -1: it must be above 0", abut_shape_create_sphere(-1.0, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_sphere(1.0, NULL));
    REFUSES(INVALID, "the shape is too large, too small or too thin", abut_shape_create_sphere(1e-80, &unmade));
    REFUSES(NOT_FINITE, "radius is infinity", abut_shape_create_capsule(INFINITY, 1.0, &unmade));
    REFUSES(INVALID, "half_length is -2: it must be at least 0", abut_shape_create_capsule(1.0, -2.0, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_capsule(1.0, 1.0, NULL));
    REFUSES(NOT_FINITE, "half.y is NaN", abut_shape_create_ellipsoid(nan_y, &unmade));
    REFUSES(INVALID, "half.x is 0: it must be above 0", abut_shape_create_ellipsoid(zero, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_ellipsoid(one, NULL));
    REFUSES(INVALID, "half.x is 0", abut_shape_create_superquadric(zero, 1.0, 1.0, &unmade));
    REFUSES(INVALID, "e1 is 0.1: it must be between 0.2 and 1.8", abut_shape_create_superquadric(one, 0.1, 1.0, &unmade));
    REFUSES(NOT_FINITE, "e2 is NaN", abut_shape_create_superquadric(one, 1.0, NAN, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_superquadric(one, 1.0, 1.0, NULL));
}

static void test_contraction_points(void **state) {
    (void)state;
    REFUSES(INVALID, "shape is NULL", abut_shape_create_with_contraction(NULL, zero, &unmade));
    REFUSES(INVALID, "shape is a plane: it must be bounded and convex", abut_shape_create_with_contraction(plane, zero, &unmade));
    REFUSES(NOT_FINITE, "point.y is NaN", abut_shape_create_with_contraction(box, nan_y, &unmade));
    REFUSES(INVALID, "point is 0 inside the shape: it must be inside by more than 1e-09",
            abut_shape_create_with_contraction(box, one, &unmade));
    REFUSES(INVALID, "point is -1 inside the shape", abut_shape_create_with_contraction(ball, abut_vec3_make(0, 0, 2), &unmade));
    REFUSES(INVALID, "made is NULL", abut_shape_create_with_contraction(ball, zero, NULL));
}

static void test_masses(void **state) {
    (void)state;
    const abut_mat3 unit = abut_mat3_identity();
    const abut_mass fine = {1.0, 0.0, zero, unit}, none = {0.0, 0.0, zero, unit}, infinite = {1.0, 0.0, nan_y, unit},
                    long_axis = {1.0, 0.0, zero, {{1, 0, 0}, {0, 1, 0}, {0, 0, 3}}},
                    open = {1.0, 0.0, zero, {{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, far_centre = {1.0, 0.0, {1e200, 0, 0}, unit},
                    light_and_large = {1e-310, 0.0, zero, unit};
    REFUSES(INVALID, "shape is NULL", abut_shape_create_with_mass(NULL, &fine, &unmade));
    REFUSES(INVALID, "mass is NULL", abut_shape_create_with_mass(box, NULL, &unmade));
    REFUSES(INVALID, "made is NULL", abut_shape_create_with_mass(box, &fine, NULL));
    REFUSES(INVALID, "shape is a plane: it must be bounded, and no facetmesh", abut_shape_create_with_mass(plane, &fine, &unmade));
    REFUSES(INVALID, "mass->mass is 0: it must be above 0", abut_shape_create_with_mass(box, &none, &unmade));
    REFUSES(NOT_FINITE, "mass->centre.y is NaN", abut_shape_create_with_mass(box, &infinite, &unmade));
    REFUSES(NOT_FINITE, "mass->inertia is not finite", abut_shape_create_with_mass(box, &open, &unmade));
    REFUSES(INVALID, "mass->inertia is that of no body", abut_shape_create_with_mass(box, &long_axis, &unmade));
    REFUSES(INVALID, "mass: its centre, or its inertia over its mass, leaves the range of numbers",
            abut_shape_create_with_mass(box, &far_centre, &unmade));
    REFUSES(INVALID, "mass: its centre, or its inertia over its mass, leaves the range of numbers",
            abut_shape_create_with_mass(box, &light_and_large, &unmade));
    abut_shape *made;
    ACCEPTS(ABUT_OK, abut_shape_create_with_mass(box, &fine, &made));
    const abut_part part = {made, at_origin};
    REFUSES(INVALID, "parts[0].shape has a mass of its own", abut_shape_create_compound(&part, 1, &unmade));
    abut_shape_release(made);
}

static void test_frustums(void **state) {
    (void)state;
    REFUSES(NOT_FINITE, "radius is NaN", abut_shape_create_cylinder(NAN, 1.0, &unmade));
    REFUSES(NOT_FINITE, "half_height is infinity", abut_shape_create_cylinder(1.0, INFINITY, &unmade));
    REFUSES(INVALID, "radius is -1: it must be above 0", abut_shape_create_cylinder(-1.0, 1.0, &unmade));
    REFUSES(INVALID, "half_height is 0: it must be above 0", abut_shape_create_cylinder(1.0, 0.0, &unmade));
    REFUSES(INVALID, "the shape is too large, too small or too thin", abut_shape_create_cylinder(1.0, 1e-20, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_cylinder(1.0, 1.0, NULL));
    REFUSES(NOT_FINITE, "height is NaN", abut_shape_create_cone(1.0, NAN, &unmade));
    REFUSES(INVALID, "radius is 0: it must be above 0", abut_shape_create_cone(0.0, 1.0, &unmade));
    REFUSES(INVALID, "height is -2: it must be above 0", abut_shape_create_cone(1.0, -2.0, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_cone(1.0, 1.0, NULL));
    REFUSES(NOT_FINITE, "top_radius is NaN", abut_shape_create_frustum(1.0, NAN, 1.0, &unmade));
    REFUSES(INVALID, "radius is -1: it must be at least 0", abut_shape_create_frustum(-1.0, 1.0, 1.0, &unmade));
    REFUSES(INVALID, "top_radius is -1: it must be at least 0", abut_shape_create_frustum(1.0, -1.0, 1.0, &unmade));
    REFUSES(INVALID, "height is 0: it must be above 0", abut_shape_create_frustum(1.0, 1.0, 0.0, &unmade));
    REFUSES(INVALID, "radius and top_radius are both 0", abut_shape_create_frustum(0.0, 0.0, 1.0, &unmade));
    REFUSES(INVALID, "top_radius is 1e-20: it must be 0 or above the rounding error of the size 2",
            abut_shape_create_frustum(1.0, 1e-20, 1.0, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_frustum(1.0, 1.0, 1.0, NULL));
}

static void test_flat_shapes(void **state) {
    (void)state;
    REFUSES(INVALID, "half.y is -1: it must be above 0", abut_shape_create_box(abut_vec3_make(1, -1, 1), &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_box(one, NULL));
    REFUSES(INVALID, "radius is 0", abut_shape_create_prism(0.0, 1.0, 0, &unmade));
    REFUSES(INVALID, "half_height is 0", abut_shape_create_prism(1.0, 0.0, 0, &unmade));
    REFUSES(INVALID, "sides is 2: it must be between 3 and 4096", abut_shape_create_prism(1.0, 1.0, 2, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_prism(1.0, 1.0, 0, NULL));
    REFUSES(NOT_FINITE, "radius is NaN", abut_shape_create_pyramid(NAN, 1.0, 0, &unmade));
    REFUSES(INVALID, "height is -1", abut_shape_create_pyramid(1.0, -1.0, 0, &unmade));
    REFUSES(INVALID, "sides is 5000", abut_shape_create_pyramid(1.0, 1.0, 5000, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_pyramid(1.0, 1.0, 0, NULL));
    REFUSES(INVALID, "normal is zero", abut_shape_create_plane(zero, 0.0, &unmade));
    REFUSES(NOT_FINITE, "offset is infinity", abut_shape_create_plane(up, INFINITY, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_plane(up, 0.0, NULL));
}

static void test_polytopes(void **state) {
    (void)state;
    abut_polytope_def def = polytope_def();
    REFUSES(INVALID, "def is NULL", abut_shape_create_polytope(NULL, NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_polytope(&def, NULL, NULL));
    def.vertex_count = 3;
    REFUSES(INVALID, "def->vertex_count is 3: it must be at least 4", abut_shape_create_polytope(&def, NULL, &unmade));
    def = polytope_def();
    def.tolerance = NAN;
    REFUSES(INVALID, "def->tolerance is NaN", abut_shape_create_polytope(&def, NULL, &unmade));
    def = polytope_def();
    const int32_t wild[12] = {0, 2, 1, 0, 1, 7, 1, 2, 3, 0, 3, 2};
    def.face_vertices = wild;
    REFUSES(INVALID, "def->face_vertices[5] is 7: it must be an index of 4 vertices", abut_shape_create_polytope(&def, NULL, &unmade));
    def.face_vertices = inward;
    REFUSES(NOT_OUTWARD, "def: ", abut_shape_create_polytope(&def, NULL, &unmade));
    const int32_t twisted[12] = {0, 1, 2, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    def.face_vertices = twisted;
    REFUSES(NOT_CLOSED, "def: ", abut_shape_create_polytope(&def, NULL, &unmade));
    const abut_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}, wrong[4] = {{0, 0, 0}, {1, 0, 0}, {0, INFINITY, 0}, {1, 1, 0}};
    def = polytope_def();
    def.vertices = flat;
    REFUSES(DEGENERATE, "def: ", abut_shape_create_polytope(&def, NULL, &unmade));
    def.vertices = wrong;
    REFUSES(NOT_FINITE, "def->vertices[2].y is infinity", abut_shape_create_polytope(&def, NULL, &unmade));
    REFUSES(INVALID, "points is NULL", abut_shape_create_hull(NULL, 4, &unmade));
    REFUSES(INVALID, "count is 3", abut_shape_create_hull(corners, 3, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_hull(corners, 4, NULL));
    if (abut_has(ABUT_CAPABILITY_HULL)) {
        REFUSES(DEGENERATE, "points span no volume", abut_shape_create_hull(flat, 4, &unmade));
        REFUSES(NOT_FINITE, "points[2].y is infinity", abut_shape_create_hull(wrong, 4, &unmade));
    }
}

static void test_compounds(void **state) {
    (void)state;
    abut_part parts[2] = {{box, at_origin}, {plane, at_origin}};
    REFUSES(INVALID, "parts is NULL", abut_shape_create_compound(NULL, 1, &unmade));
    REFUSES(INVALID, "count is 0", abut_shape_create_compound(parts, 0, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_compound(parts, 1, NULL));
    REFUSES(INVALID, "parts[1].shape is not convex and bounded", abut_shape_create_compound(parts, 2, &unmade));
    parts[1] = (abut_part){ball, turned_badly};
    REFUSES(INVALID, "parts[1].pose.rotation has the norm 0.5", abut_shape_create_compound(parts, 2, &unmade));
    parts[1].shape = NULL;
    REFUSES(INVALID, "parts[1].shape is NULL", abut_shape_create_compound(parts, 2, &unmade));
}

static void test_questions_about_shapes(void **state) {
    (void)state;
    abut_polytope_view view;
    abut_part part;
    abut_vec3 point;
    abut_mass mass;
    REFUSES(INVALID, "shape is a sphere: it must be a box or a polytope", abut_shape_polytope(ball, &view));
    REFUSES(INVALID, "view is NULL", abut_shape_polytope(box, NULL));
    REFUSES(INVALID, "shape is NULL", abut_shape_part(NULL, 0, &part));
    REFUSES(INVALID, "index is 2: it must be below 2", abut_shape_part(compound, 2, &part));
    REFUSES(INVALID, "part is NULL", abut_shape_part(compound, 0, NULL));
    REFUSES(INVALID, "shape is NULL", abut_shape_support(NULL, up, &point, NULL));
    REFUSES(INVALID, "direction is zero", abut_shape_support(box, zero, &point, NULL));
    REFUSES(NOT_FINITE, "direction.y is NaN", abut_shape_support(box, nan_y, &point, NULL));
    REFUSES(INVALID, "point is NULL", abut_shape_support(box, up, NULL, NULL));
    REFUSES(NOT_CONVEX, "shape is a smooth shape that is not convex", abut_shape_support(saddle, up, &point, NULL));
    REFUSES(INVALID, "shape is NULL", abut_shape_mass(NULL, 1.0, &mass));
    REFUSES(INVALID, "density is 0: it must be above 0", abut_shape_mass(box, 0.0, &mass));
    REFUSES(INVALID, "mass is NULL", abut_shape_mass(box, 1.0, NULL));
    REFUSES(NOT_CLOSED, "shape is a mesh without an inside", abut_shape_mass(sheet, 1.0, &mass));
}

/* ---- smooth.h ---- */

static void test_implicit_shapes(void **state) {
    (void)state;
    abut_implicit_def def = implicit_def();
    REFUSES(INVALID, "def is NULL", abut_shape_create_implicit(NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_implicit(&def, NULL));
    def.function = NULL;
    REFUSES(INVALID, "def->function is NULL", abut_shape_create_implicit(&def, &unmade));
    REFUSES(INVALID, "def->function is NULL", abut_implicit_check(&def, NULL));
    def = implicit_def();
    def.inside.x = 3.0;
    REFUSES(INVALID, "def->inside does not lie within def->bounds", abut_shape_create_implicit(&def, &unmade));
    def = implicit_def();
    def.bounds.lower.y = NAN;
    REFUSES(NOT_FINITE, "def->bounds.lower.y is NaN", abut_shape_create_implicit(&def, &unmade));
    REFUSES(NOT_FINITE, "def->bounds.lower.y is NaN", abut_implicit_check(&def, NULL));
    def = implicit_def();
    def.function = empty_surface;
    REFUSES(INVALID, "def->function at def->inside is 1: it must be below 0", abut_shape_create_implicit(&def, &unmade));
    def = implicit_def();
    def.bounds.upper.x = 0.5;
    REFUSES(INVALID, "def: a ray from def->inside leaves def->bounds", abut_shape_create_implicit(&def, &unmade));
    REFUSES(INVALID, "def is NULL", abut_implicit_check(NULL, NULL));
}

static void test_parametric_shapes(void **state) {
    (void)state;
    abut_parametric_def def = parametric_def();
    REFUSES(INVALID, "def is NULL", abut_shape_create_parametric(NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_parametric(&def, NULL));
    REFUSES(INVALID, "def->function at u = ", abut_shape_create_parametric(&def, &unmade));
    def.v_range[1] = 0.0;
    REFUSES(INVALID, "def->v_range is empty: 0 is not below 0", abut_shape_create_parametric(&def, &unmade));
    REFUSES(INVALID, "def->v_range is empty", abut_parametric_check(&def, NULL));
    def.u_range[0] = -INFINITY;
    REFUSES(NOT_FINITE, "def->u_range[0] is -infinity", abut_shape_create_parametric(&def, &unmade));
    REFUSES(INVALID, "def is NULL", abut_parametric_check(NULL, NULL));
}

static void test_formulas(void **state) {
    (void)state;
    abut_implicit_formula_def a = {.formula = "x^2 + y^2 + z^2 - 1", .bounds = {{-2, -2, -2}, {2, 2, 2}}, .convex = true};
    REFUSES(INVALID, "def is NULL", abut_shape_create_implicit_formula(NULL, NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_implicit_formula(&a, NULL, NULL));
    a.inside.x = 1.5;
    REFUSES(INVALID, "def->function at def->inside is 1.25: it must be below 0", abut_shape_create_implicit_formula(&a, NULL, &unmade));
    a.formula = "x^2 + y^ + 1) / 2";
    REFUSES(INVALID, "def->formula: column 13: expected an operator or the end, found ')'",
            abut_shape_create_implicit_formula(&a, NULL, &unmade));
    a.parameter_count = -1;
    REFUSES(INVALID, "def->parameter_count is -1", abut_shape_create_implicit_formula(&a, NULL, &unmade));
    abut_parametric_formula_def b = {.x = "u", .y = "v", .u_range = {0, 1}, .v_range = {0, 1}};
    REFUSES(INVALID, "def is NULL", abut_shape_create_parametric_formula(NULL, NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_parametric_formula(&b, NULL, NULL));
    REFUSES(INVALID, "def->z is NULL", abut_shape_create_parametric_formula(&b, NULL, &unmade));
    b.z = "w";
    REFUSES(INVALID, "def->z: column 1: unknown name 'w'", abut_shape_create_parametric_formula(&b, NULL, &unmade));
    REFUSES(INVALID, "ring_radius is 1: it must be above tube_radius", abut_shape_create_torus(1.0, 1.0, &unmade));
    REFUSES(INVALID, "tube_radius is 0: it must be above 0", abut_shape_create_torus(1.0, 0.0, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_torus(1.0, 0.5, NULL));
}

static void test_definitions_of_shapes(void **state) {
    (void)state;
    abut_implicit_def implicit;
    const abut_shape *mesh;
    abut_parametric_def parametric;
    REFUSES(INVALID, "shape is NULL", abut_shape_implicit(NULL, &implicit));
    REFUSES(INVALID, "shape is a box", abut_shape_implicit(box, &implicit));
    REFUSES(INVALID, "def is NULL", abut_shape_implicit(saddle, NULL));
    REFUSES(INVALID, "shape is NULL", abut_shape_parametric(NULL, &parametric));
    REFUSES(INVALID, "def is NULL", abut_shape_parametric(saddle, NULL));
    REFUSES(INVALID, "shape is NULL", abut_shape_surface_mesh(NULL, &mesh, NULL));
    REFUSES(INVALID, "shape is a box", abut_shape_surface_mesh(box, &mesh, NULL));
    REFUSES(NOT_CLOSED, "shape: the triangles of its surface do not enclose it", abut_shape_surface_mesh(thread, &mesh, NULL));
    REFUSES(INVALID, "mesh is NULL", abut_shape_surface_mesh(saddle, NULL, NULL));
}

static void test_curvature(void **state) {
    (void)state;
    abut_curvature curvature;
    REFUSES(INVALID, "shape is NULL", abut_shape_curvature(NULL, up, &curvature));
    REFUSES(INVALID, "shape is a trimesh", abut_shape_curvature(sheet, up, &curvature));
    REFUSES(INVALID, "direction is zero", abut_shape_curvature(box, zero, &curvature));
    REFUSES(INVALID, "curvature is NULL", abut_shape_curvature(box, up, NULL));
    REFUSES(NOT_CONVEX, "shape is a smooth shape that is not convex", abut_shape_curvature(saddle, up, &curvature));
    REFUSES(INVALID, "shape is a box: it must be a smooth shape", abut_shape_curvature_at(box, up, &curvature));
    REFUSES(NOT_FINITE, "point.y is NaN", abut_shape_curvature_at(saddle, nan_y, &curvature));
    REFUSES(INVALID, "curvature is NULL", abut_shape_curvature_at(saddle, up, NULL));
    REFUSES(DEGENERATE, "point: the surface has no normal", abut_shape_curvature_at(saddle, zero, &curvature));
}

/* ---- mesh.h, facetmesh.h, facet.h ---- */

static void test_trimeshes(void **state) {
    (void)state;
    const int32_t wild[3] = {0, -1, 2};
    abut_trimesh_def def = trimesh_def(), nothing = {0};
    abut_triangle triangle;
    REFUSES(INVALID, "def is NULL", abut_shape_create_trimesh(NULL, NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_trimesh(&def, NULL, NULL));
    REFUSES(INVALID, "def is zero-initialised: start from abut_trimesh_def_default()", abut_shape_create_trimesh(&nothing, NULL, &unmade));
    def.scale.z = 0.0;
    REFUSES(INVALID, "def->scale is (1, 1, 0)", abut_shape_create_trimesh(&def, NULL, &unmade));
    def = trimesh_def();
    def.smooth_angle = 1.06;
    REFUSES(INVALID, "def->smooth_angle is 1.06: it must be between 0 and 1.047197551", abut_shape_create_trimesh(&def, NULL, &unmade));
    def.smooth_angle = NAN;
    REFUSES(NOT_FINITE, "def->smooth_angle is NaN: it must be finite", abut_shape_create_trimesh(&def, NULL, &unmade));
    def = trimesh_def();
    def.pose = turned_badly;
    REFUSES(INVALID, "def->pose.rotation has the norm 0.5", abut_shape_create_trimesh(&def, NULL, &unmade));
    def.pose = lost;
    REFUSES(NOT_FINITE, "def->pose.position.z is infinity", abut_shape_create_trimesh(&def, NULL, &unmade));
    def = trimesh_def();
    def.triangles = wild;
    REFUSES(INVALID, "def->triangles[1] is -1: it must be an index of 4 vertices", abut_shape_create_trimesh(&def, NULL, &unmade));
    const abut_vec3 heap[3] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
    def.triangles = (const int32_t[]){0, 1, 2};
    def.vertices = heap;
    def.vertex_count = 3;
    REFUSES(DEGENERATE, "def->vertices are all at one place", abut_shape_create_trimesh(&def, NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_triangle(NULL, 0, &triangle));
    REFUSES(INVALID, "index is 1: it must be below 1", abut_shape_triangle(sheet, 1, &triangle));
    REFUSES(INVALID, "triangle is NULL", abut_shape_triangle(sheet, 0, NULL));
}

static void test_heightfields(void **state) {
    (void)state;
    const double heights[4] = {0, 0, 0, NAN};
    abut_heightfield_def def = {.heights = heights, .columns = 2, .rows = 2, .spacing_x = 1.0, .spacing_y = 1.0};
    REFUSES(INVALID, "def is NULL", abut_shape_create_heightfield(NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_heightfield(&def, NULL));
    REFUSES(NOT_FINITE, "def->heights[3] is not finite", abut_shape_create_heightfield(&def, &unmade));
    def.columns = 1;
    REFUSES(INVALID, "def->columns is 1: it must be at least 2", abut_shape_create_heightfield(&def, &unmade));
}

static void test_facetmeshes(void **state) {
    (void)state;
    abut_facetmesh_def def = facetmesh_def(), nothing = {0};
    const double radii[4] = {1, 1, -1, 1};
    abut_vec3 moved[4];
    REFUSES(INVALID, "def is NULL", abut_shape_create_facetmesh(NULL, NULL, &unmade));
    REFUSES(INVALID, "shape is NULL", abut_shape_create_facetmesh(&def, NULL, NULL));
    REFUSES(INVALID, "def->vertices is NULL", abut_shape_create_facetmesh(&nothing, NULL, &unmade));
    def.radii = radii;
    REFUSES(INVALID, "def->radii[2] is negative: it must be above 0", abut_shape_create_facetmesh(&def, NULL, &unmade));
    const double good[4] = {1, 1, 1, 1}, cross[4] = {2, 2, -0.5, 2};
    const abut_vec3 along[4] = {{1, 1, 0}, {1, 0, 1}, {1, -1, 0}, {1, 0, 0}};
    def.radii = NULL;
    def.cross_radii = cross;
    REFUSES(INVALID, "def->radii is NULL", abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.radii = good;
    REFUSES(INVALID, "def->directions is NULL", abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.directions = along;
    REFUSES(INVALID, "def->cross_radii[2] is -0.5: the mean of both curvatures must be above 0",
            abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.cross_radii = radii;
    REFUSES(INVALID, "def->cross_radii[2] is -1", abut_shape_create_facetmesh(&def, NULL, &unmade));
    const double least[4] = {2, 2, 1e-310, 2};
    def.cross_radii = least;
    REFUSES(INVALID, "def->cross_radii[2] is 1e-310", abut_shape_create_facetmesh(&def, NULL, &unmade));
    const double flatter[4] = {2, 2, 2, 2};
    def.cross_radii = flatter;
    REFUSES(INVALID, "def->directions[3] is perpendicular to its triangle, or zero", abut_shape_create_facetmesh(&def, NULL, &unmade));
    const double flat[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    def = facetmesh_def();
    def.lip_radius = 0.05;
    REFUSES(INVALID, "def->radii is NULL", abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.radii = flat;
    def.lip_radius = -1.0;
    REFUSES(INVALID, "def->lip_radius is -1", abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.lip_radius = INFINITY;
    REFUSES(INVALID, "def->lip_radius is inf", abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.lip_radius = 0.5;
    REFUSES(INVALID, "def->lip_radius is 0.5: too large for triangle 0", abut_shape_create_facetmesh(&def, NULL, &unmade));
    def.lip_radius = 1e-4;
    REFUSES(INVALID, "def->lip_radius is 0.0001: too large for triangle 0, or less than a thousandth of its side",
            abut_shape_create_facetmesh(&def, NULL, &unmade));
    def = facetmesh_def();
    def.triangles = inward;
    REFUSES(NOT_OUTWARD, "the triangles are wound inward", abut_shape_create_facetmesh(&def, NULL, &unmade));
    const int32_t open[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 1, 2, 3};
    def.triangles = open;
    REFUSES(NOT_CLOSED, "the triangles are not closed: triangle ", abut_shape_create_facetmesh(&def, NULL, &unmade));
    const abut_vec3 line[4] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 0, 1}};
    def = facetmesh_def();
    def.vertices = line;
    REFUSES(DEGENERATE, "triangle 0 has no area", abut_shape_create_facetmesh(&def, NULL, &unmade));
    memcpy(moved, corners, sizeof moved);
    REFUSES(INVALID, "shape is a box: it must be a facetmesh", abut_shape_create_facetmesh_moved(box, moved, NULL, NULL, &unmade));
    REFUSES(INVALID, "vertices is NULL", abut_shape_create_facetmesh_moved(grain, NULL, NULL, NULL, &unmade));
    REFUSES(INVALID, "radii[2] is negative", abut_shape_create_facetmesh_moved(grain, moved, radii, NULL, &unmade));
    REFUSES(INVALID, "moved is NULL", abut_shape_create_facetmesh_moved(grain, moved, NULL, NULL, NULL));
    moved[1].y = NAN;
    REFUSES(NOT_FINITE, "vertices[1].y is NaN", abut_shape_create_facetmesh_moved(grain, moved, NULL, NULL, &unmade));
}

static void test_facets_of_shapes(void **state) {
    (void)state;
    abut_facet facet;
    abut_facet_sphere sphere;
    REFUSES(INVALID, "shape is NULL", abut_shape_facet(NULL, at_origin, 0, &facet));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_shape_facet(grain, turned_badly, 0, &facet));
    REFUSES(INVALID, "index is 4: it must be below 4", abut_shape_facet(grain, at_origin, 4, &facet));
    REFUSES(INVALID, "facet is NULL", abut_shape_facet(grain, at_origin, 0, NULL));
    abut_facet_curvatures curvatures;
    REFUSES(INVALID, "shape is NULL", abut_shape_facet_curvatures(NULL, at_origin, 0, &curvatures));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_shape_facet_curvatures(grain, turned_badly, 0, &curvatures));
    REFUSES(INVALID, "index is 4: it must be below 4", abut_shape_facet_curvatures(grain, at_origin, 4, &curvatures));
    REFUSES(INVALID, "curvatures is NULL", abut_shape_facet_curvatures(grain, at_origin, 0, NULL));
    REFUSES(INVALID, "shape is NULL", abut_shape_facet_sphere(NULL, at_origin, 0, &sphere));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_shape_facet_sphere(grain, turned_badly, 0, &sphere));
    REFUSES(INVALID, "index is -1: it must be at least 0", abut_shape_facet_sphere(grain, at_origin, -1, &sphere));
    REFUSES(INVALID, "sphere is NULL", abut_shape_facet_sphere(grain, at_origin, 0, NULL));
    facet = (abut_facet){{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.0};
    REFUSES(INVALID, "facet is NULL", abut_facet_make_sphere(NULL, &sphere));
    REFUSES(INVALID, "sphere is NULL", abut_facet_make_sphere(&facet, NULL));
    REFUSES(INVALID, "facet->radius is 0: it must be above 0", abut_facet_make_sphere(&facet, &sphere));
    facet.radius = 1.0;
    facet.corner[2] = abut_vec3_make(2, 0, 0);
    REFUSES(DEGENERATE, "facet->corner: the corners lie on one line", abut_facet_make_sphere(&facet, &sphere));
    facet.corner[2].x = NAN;
    REFUSES(NOT_FINITE, "facet->corner[2].x is NaN", abut_facet_make_sphere(&facet, &sphere));
}

/* ---- tetra.h, tetra_mesh.h ---- */

static const abut_simplex tetra = {4, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, none = {0, {{0, 0, 0}}};

static void test_simplices(void **state) {
    (void)state;
    abut_vec3 displacement[4];
    abut_rigid_depth rigid;
    abut_simplex wrong = tetra;
    wrong.vertex[3].y = INFINITY;
    REFUSES(INVALID, "simplex is NULL", abut_simplex_push(NULL, up, 0.0, displacement, NULL));
    REFUSES(INVALID, "simplex->count is 0: it must be between 1 and 4", abut_simplex_push(&none, up, 0.0, displacement, NULL));
    REFUSES(INVALID, "normal is zero", abut_simplex_push(&tetra, zero, 0.0, displacement, NULL));
    REFUSES(NOT_FINITE, "offset is NaN", abut_simplex_push(&tetra, up, NAN, displacement, NULL));
    REFUSES(INVALID, "displacement is NULL", abut_simplex_push(&tetra, up, 0.0, NULL, NULL));
    REFUSES(INVALID, "a is NULL", abut_simplex_rigid_depth(NULL, &tetra, &rigid));
    REFUSES(NOT_FINITE, "b->vertex[3].y is infinity", abut_simplex_rigid_depth(&tetra, &wrong, &rigid));
    REFUSES(INVALID, "rigid is NULL", abut_simplex_rigid_depth(&tetra, &tetra, NULL));
    wrong.vertex[3].y = DBL_MAX;
    wrong.vertex[2].y = -DBL_MAX;
    REFUSES(NOT_FINITE, "a and b: the simplices are too far apart", abut_simplex_rigid_depth(&tetra, &wrong, &rigid));
}

static void test_depths(void **state) {
    (void)state;
    const abut_depth_settings nothing = {0};
    abut_depth_settings settings = abut_depth_settings_default();
    abut_depth depth;
    REFUSES(INVALID, "a is NULL", abut_simplex_depth(NULL, &tetra, NULL, &depth));
    REFUSES(INVALID, "b->count is 0", abut_simplex_depth(&tetra, &none, NULL, &depth));
    REFUSES(INVALID, "settings is zero-initialised: start from abut_depth_settings_default()",
            abut_simplex_depth(&tetra, &tetra, &nothing, &depth));
    REFUSES(INVALID, "depth is NULL", abut_simplex_depth(&tetra, &tetra, NULL, NULL));
    settings.weight_a = -1.0;
    REFUSES(INVALID, "settings->weight_a is -1: it must be above 0", abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    settings.weight_a = settings.weight_b = INFINITY;
    REFUSES(INVALID, "settings->weight_a and settings->weight_b are both infinity", abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    settings = abut_depth_settings_default();
    settings.mode = ABUT_DEPTH_BEST_K;
    settings.best_k = 89;
    REFUSES(INVALID, "settings->best_k is 89: it must be between 1 and 88", abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    settings.mode = ABUT_DEPTH_PAPER;
    settings.volume_ratio = 0.5;
    REFUSES(INVALID, "settings->volume_ratio is set, but settings->mode", abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    settings.volume_ratio = -0.5;
    REFUSES(INVALID, "settings->volume_ratio is -0.5: it must be at least 0", abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    settings.mode = ABUT_DEPTH_FREE;
    settings.volume_ratio = NAN;
    REFUSES(INVALID, "settings->volume_ratio is NaN: it must be at least 0", abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    settings.volume_ratio = 1.0;
    REFUSES(INVALID, "settings->volume_ratio is 1: it must be at least 0 and below 1",
            abut_simplex_depth(&tetra, &tetra, &settings, &depth));
    REFUSES(INVALID, "a is NULL", abut_simplex_depth_along(NULL, &tetra, up, NULL, &depth));
    REFUSES(INVALID, "b is NULL", abut_simplex_depth_along(&tetra, NULL, up, NULL, &depth));
    REFUSES(INVALID, "normal is zero", abut_simplex_depth_along(&tetra, &tetra, zero, NULL, &depth));
    REFUSES(INVALID, "settings is zero-initialised", abut_simplex_depth_along(&tetra, &tetra, up, &nothing, &depth));
    REFUSES(INVALID, "depth is NULL", abut_simplex_depth_along(&tetra, &tetra, up, NULL, NULL));
}

static void test_depth_gradients(void **state) {
    (void)state;
    const abut_depth_settings nothing = {0};
    abut_vec3 gradient_a[4], gradient_b[4];
    abut_depth depth = {.relation = ABUT_DEPTH_INTERSECTING};
    REFUSES(INVALID, "a->count is 0", abut_depth_gradient(&none, &tetra, NULL, &depth, gradient_a, gradient_b));
    REFUSES(INVALID, "b is NULL", abut_depth_gradient(&tetra, NULL, NULL, &depth, gradient_a, gradient_b));
    REFUSES(INVALID, "settings is zero-initialised", abut_depth_gradient(&tetra, &tetra, &nothing, &depth, gradient_a, gradient_b));
    REFUSES(INVALID, "depth is no result of these simplices", abut_depth_gradient(&tetra, &tetra, NULL, &depth, gradient_a, gradient_b));
    REFUSES(INVALID, "gradient_a is NULL", abut_depth_gradient(&tetra, &tetra, NULL, &depth, NULL, gradient_b));
    REFUSES(INVALID, "gradient_b is NULL", abut_depth_gradient(&tetra, &tetra, NULL, &depth, gradient_a, NULL));
}

static void test_depth_batches(void **state) {
    (void)state;
    const abut_depth_settings nothing = {0};
    const abut_simplex a[3] = {tetra, none, tetra}, b[3] = {tetra, tetra, tetra};
    abut_depth depths[3];
    REFUSES(INVALID, "a is NULL", abut_simplex_depth_batch(NULL, b, 3, NULL, NULL, depths));
    REFUSES(INVALID, "b is NULL", abut_simplex_depth_batch(a, NULL, 3, NULL, NULL, depths));
    REFUSES(INVALID, "count is -1", abut_simplex_depth_batch(a, b, -1, NULL, NULL, depths));
    REFUSES(INVALID, "settings is zero-initialised", abut_simplex_depth_batch(a, b, 3, &nothing, NULL, depths));
    REFUSES(INVALID, "depths is NULL", abut_simplex_depth_batch(a, b, 3, NULL, NULL, NULL));
    REFUSES(ABUT_OK, "a[1].count is 0: it must be between 1 and 4", abut_simplex_depth_batch(a, b, 3, NULL, NULL, depths));
    assert_int_equal(depths[1].status, INVALID);
}

static abut_tetra_mesh tetra_mesh(void) {
    static const int32_t element[4] = {0, 1, 2, 3};
    return (abut_tetra_mesh){.vertices = corners, .vertex_count = 4, .elements = element, .element_count = 1};
}

static void test_tetra_meshes(void **state) {
    (void)state;
    const abut_depth_settings nothing = {0};
    const int32_t wild[4] = {0, 1, 2, 9};
    abut_tetra_mesh a = tetra_mesh(), b = tetra_mesh();
    abut_element_pair pairs[2] = {{0, 0}, {0, 3}};
    abut_depth depths[2];
    int64_t count;
    b.elements = wild;
    REFUSES(INVALID, "a is NULL", abut_tetra_mesh_candidates(NULL, &a, NULL, pairs, 2, &count));
    REFUSES(INVALID, "b->elements[3] is 9: it must be an index of 4 vertices", abut_tetra_mesh_candidates(&a, &b, NULL, pairs, 2, &count));
    REFUSES(INVALID, "pairs is NULL", abut_tetra_mesh_candidates(&a, &a, NULL, NULL, 2, &count));
    REFUSES(INVALID, "capacity is -1", abut_tetra_mesh_candidates(&a, &a, NULL, pairs, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_tetra_mesh_candidates(&a, &a, NULL, pairs, 2, NULL));
    REFUSES(INVALID, "a is NULL", abut_tetra_mesh_intersections(NULL, &a, NULL, pairs, 2, &count));
    REFUSES(INVALID, "b->elements[3] is 9", abut_tetra_mesh_intersections(&a, &b, NULL, pairs, 2, &count));
    REFUSES(INVALID, "pairs is NULL", abut_tetra_mesh_intersections(&a, &a, NULL, NULL, 2, &count));
    REFUSES(INVALID, "capacity is -1", abut_tetra_mesh_intersections(&a, &a, NULL, pairs, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_tetra_mesh_intersections(&a, &a, NULL, pairs, 2, NULL));
    REFUSES(INVALID, "a is NULL", abut_tetra_mesh_depth(NULL, &a, pairs, 1, NULL, NULL, depths));
    REFUSES(INVALID, "b->elements[3] is 9", abut_tetra_mesh_depth(&a, &b, pairs, 1, NULL, NULL, depths));
    REFUSES(INVALID, "pairs[1] is (0, 3)", abut_tetra_mesh_depth(&a, &a, pairs, 2, NULL, NULL, depths));
    REFUSES(INVALID, "count is -1", abut_tetra_mesh_depth(&a, &a, pairs, -1, NULL, NULL, depths));
    REFUSES(INVALID, "settings is zero-initialised", abut_tetra_mesh_depth(&a, &a, pairs, 1, &nothing, NULL, depths));
    REFUSES(INVALID, "depths is NULL", abut_tetra_mesh_depth(&a, &a, pairs, 1, NULL, NULL, NULL));
}

static void test_resolve(void **state) {
    (void)state;
    abut_tetra_mesh a = tetra_mesh(), b = tetra_mesh(), c = tetra_mesh();
    abut_resolve_settings settings = abut_resolve_settings_default();
    abut_resolve_report report;
    abut_element_pair remaining[2];
    abut_vec3 moved_a[4], moved_b[4];
    const double mass[4] = {1, 1, 0, 1}, odd[4] = {1, NAN, 1, 1};
    const abut_vec3 far[4] = {{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {0, 0, 1}};
    c.vertices = far;
    b.vertex_count = -1;
    settings.round_limit = -1;
    REFUSES(INVALID, "a is NULL", abut_tetra_mesh_resolve(NULL, &a, NULL, NULL, NULL, NULL, moved_a, moved_b, remaining, 2, &report));
    REFUSES(INVALID, "b->vertex_count is -1",
            abut_tetra_mesh_resolve(&a, &b, NULL, NULL, NULL, NULL, moved_a, moved_b, remaining, 2, &report));
    REFUSES(NOT_FINITE, "b->vertices[2] is not finite",
            abut_tetra_mesh_resolve(&a, &c, NULL, NULL, NULL, NULL, moved_a, moved_b, remaining, 2, &report));
    REFUSES(INVALID, "mass_a[2] is 0", abut_tetra_mesh_resolve(&a, &a, mass, NULL, NULL, NULL, moved_a, moved_b, remaining, 2, &report));
    REFUSES(NOT_FINITE, "mass_b[1] is NaN",
            abut_tetra_mesh_resolve(&a, &a, NULL, odd, NULL, NULL, moved_a, moved_b, remaining, 2, &report));
    REFUSES(INVALID, "settings->round_limit is -1",
            abut_tetra_mesh_resolve(&a, &a, NULL, NULL, &settings, NULL, moved_a, moved_b, remaining, 2, &report));
    settings = abut_resolve_settings_default();
    settings.volume_ratio = -0.5;
    REFUSES(INVALID, "settings->volume_ratio is -0.5: it must be at least 0 and below 1",
            abut_tetra_mesh_resolve(&a, &a, NULL, NULL, &settings, NULL, moved_a, moved_b, remaining, 2, &report));
    REFUSES(INVALID, "moved_a is NULL", abut_tetra_mesh_resolve(&a, &a, NULL, NULL, NULL, NULL, NULL, moved_b, remaining, 2, &report));
    REFUSES(INVALID, "moved_b is NULL", abut_tetra_mesh_resolve(&a, &a, NULL, NULL, NULL, NULL, moved_a, NULL, remaining, 2, &report));
    REFUSES(INVALID, "remaining is NULL", abut_tetra_mesh_resolve(&a, &a, NULL, NULL, NULL, NULL, moved_a, moved_b, NULL, 2, &report));
    REFUSES(INVALID, "capacity is -1", abut_tetra_mesh_resolve(&a, &a, NULL, NULL, NULL, NULL, moved_a, moved_b, remaining, -1, &report));
    REFUSES(INVALID, "report is NULL", abut_tetra_mesh_resolve(&a, &a, NULL, NULL, NULL, NULL, moved_a, moved_b, remaining, 2, NULL));
}

/* ---- solve.h, pressure.h ---- */

static void test_lcp(void **state) {
    (void)state;
    const double matrix[4] = {1, 2, 0, 1}, unit[1] = {1}, q[1] = {-1}, odd[1] = {NAN};
    const abut_lcp_settings nothing = {0};
    const abut_lcp_body bodies[1] = {{1.0, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    abut_lcp_row rows[1] = {{0, 5, {0, 0, 1}, {0, 0, 0}, {0, 0, -1}, {0, 0, 0}}};
    double z[1];
    abut_lcp *lcp = NULL;
    REFUSES(INVALID, "lcp is NULL", abut_lcp_create(NULL));
    assert_int_equal(abut_lcp_create(&lcp), ABUT_OK);
    REFUSES(INVALID, "lcp is NULL", abut_lcp_set_matrix(NULL, 1, unit));
    REFUSES(INVALID, "n is -1", abut_lcp_set_matrix(lcp, -1, unit));
    REFUSES(INVALID, "matrix is NULL", abut_lcp_set_matrix(lcp, 1, NULL));
    REFUSES(INVALID, "matrix is not symmetric: [1][0] is 0, [0][1] is 2", abut_lcp_set_matrix(lcp, 2, matrix));
    REFUSES(NOT_FINITE, "matrix[0][0] or its mirror is not finite", abut_lcp_set_matrix(lcp, 1, odd));
    REFUSES(INVALID, "lcp is NULL", abut_lcp_set_rows(NULL, bodies, 1, rows, 1));
    REFUSES(INVALID, "bodies is NULL", abut_lcp_set_rows(lcp, NULL, 1, rows, 1));
    REFUSES(INVALID, "body_count is -1", abut_lcp_set_rows(lcp, bodies, -1, rows, 1));
    REFUSES(INVALID, "rows[0].body_b is 5: it must be -1 or an index of 1 bodies", abut_lcp_set_rows(lcp, bodies, 1, rows, 1));
    REFUSES(INVALID, "row_count is -1", abut_lcp_set_rows(lcp, bodies, 1, rows, -1));
    rows[0].body_b = 0;
    REFUSES(INVALID, "rows[0].body_a and body_b are both 0", abut_lcp_set_rows(lcp, bodies, 1, rows, 1));
    rows[0].body_b = -1;
    rows[0].linear_a.x = NAN;
    REFUSES(NOT_FINITE, "rows[0] has a number that is not finite", abut_lcp_set_rows(lcp, bodies, 1, rows, 1));
    assert_int_equal(abut_lcp_set_matrix(lcp, 1, unit), ABUT_OK);
    REFUSES(INVALID, "lcp is NULL", abut_lcp_solve(NULL, q, NULL, z, NULL, NULL));
    REFUSES(INVALID, "q is NULL", abut_lcp_solve(lcp, NULL, NULL, z, NULL, NULL));
    REFUSES(NOT_FINITE, "q[0] is not finite", abut_lcp_solve(lcp, odd, NULL, z, NULL, NULL));
    REFUSES(INVALID, "settings is zero-initialised: start from abut_lcp_settings_default()",
            abut_lcp_solve(lcp, q, &nothing, z, NULL, NULL));
    REFUSES(INVALID, "z is NULL", abut_lcp_solve(lcp, q, NULL, NULL, NULL, NULL));
    abut_lcp_destroy(lcp);
}

static abut_pressure_law law(void) {
    const abut_material steel = {2e11, 0.3};
    abut_pressure_law made;
    assert_int_equal(abut_pressure_law_make(&steel, &steel, &made), ABUT_OK);
    return made;
}

static void test_pressure_laws(void **state) {
    (void)state;
    const abut_material steel = {2e11, 0.3}, cork = {1e7, 0.6}, rigid = {INFINITY, 0.3};
    const abut_pressure_law nothing = {0};
    abut_pressure_law made = law();
    abut_pressure_disc disc;
    double number;
    REFUSES(INVALID, "a is NULL", abut_pressure_law_make(NULL, &steel, &made));
    REFUSES(INVALID, "b->poisson is 0.6: it must be above -1 and at most 0.5", abut_pressure_law_make(&steel, &cork, &made));
    REFUSES(INVALID, "law is NULL", abut_pressure_law_make(&steel, &steel, NULL));
    REFUSES(INVALID, "a and b are both rigid", abut_pressure_law_make(&rigid, &rigid, &made));
    REFUSES(INVALID, "restitution is 0: it must be above 0 and at most 1", abut_pressure_damping(0.0, true, &number));
    REFUSES(INVALID, "damping is NULL", abut_pressure_damping(0.5, true, NULL));
    REFUSES(INVALID, "damping is -1", abut_pressure_restitution(-1.0, true, &number));
    REFUSES(INVALID, "restitution is NULL", abut_pressure_restitution(0.5, true, NULL));
    REFUSES(INVALID, "law is zero-initialised: start from abut_pressure_law_make()",
            abut_pressure_spheres(&nothing, 1.0, 0.0, false, &disc));
    REFUSES(INVALID, "radius is 0", abut_pressure_spheres(&made, 0.0, 0.0, false, &disc));
    REFUSES(NOT_FINITE, "gap is NaN", abut_pressure_spheres(&made, 1.0, NAN, false, &disc));
    REFUSES(INVALID, "disc is NULL", abut_pressure_spheres(&made, 1.0, 0.0, false, NULL));
    made.friction = 0.5;
    made.shear_modulus = 0.0;
    REFUSES(INVALID, "law->shear_modulus is 0", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.friction = 0.0;
    made.twisting_resistance = 0.1;
    REFUSES(INVALID, "law->shear_modulus is 0", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.twisting_resistance = -0.1;
    REFUSES(INVALID, "law->twisting_resistance is -0.1", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.twisting_resistance = 0.0;
    made.stiffness = -2.0;
    REFUSES(INVALID, "law->stiffness is -2", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.stiffness = 3.0;
    made.adhesion = ABUT_ADHESION_DMT;
    made.adhesion_work = 1.0;
    REFUSES(INVALID, "law->stiffness is 3: there is no adhesion", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.stiffness = 0.0;
    made.liquid_volume = -1.0;
    REFUSES(INVALID, "law->liquid_volume is -1", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.liquid_volume = 1e-9;
    made.surface_tension = NAN;
    REFUSES(INVALID, "law->surface_tension is NaN", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.surface_tension = 0.07;
    made.contact_angle = 2.0;
    REFUSES(INVALID, "law->contact_angle is 2", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.contact_angle = 0.0;
    made.adhesion = ABUT_ADHESION_MAUGIS;
    made.adhesion_work = 1.0;
    REFUSES(INVALID, "law->adhesion_strength is 0", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.adhesion_strength = INFINITY;
    REFUSES(INVALID, "law->adhesion_strength is infinity", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
    made.adhesion = ABUT_ADHESION_NONE;
    made.rolling_resistance = NAN;
    REFUSES(INVALID, "law->rolling_resistance is NaN", abut_pressure_spheres(&made, 1.0, 0.0, false, &disc));
}

static void test_pressure_pair(void **state) {
    (void)state;
    const abut_pressure_law rule = law();
    const abut_pressure_id same[2] = {{1, 2, 3, 4}, {1, 2, 3, 4}};
    abut_facet_contact contacts[2] = {
        {.relation = ABUT_FACET_CONTACT, .normal = {0, 0, 1}, .radius = 1.0, .gap = -0.1, .sphere_gap = -0.1},
        {.relation = ABUT_FACET_CONTACT, .normal = {0, 0, 1}, .radius = 1.0, .gap = -0.1, .sphere_gap = -0.1}};
    abut_pressure_body bodies[2] = {{.inverse_mass = 1.0}, {.inverse_mass = 1.0}};
    abut_pressure_history before = {.count = 1}, after = {.capacity = 1};
    abut_pressure_result result;
    REFUSES(INVALID, "contacts is NULL", abut_pressure_pair(NULL, same, 2, &rule, bodies, 0.1, NULL, NULL, &result));
    REFUSES(INVALID, "ids: two contacts have the surfaces", abut_pressure_pair(contacts, same, 2, &rule, bodies, 0.1, NULL, NULL, &result));
    REFUSES(INVALID, "count is -1", abut_pressure_pair(contacts, NULL, -1, &rule, bodies, 0.1, NULL, NULL, &result));
    REFUSES(INVALID, "law is NULL", abut_pressure_pair(contacts, NULL, 2, NULL, bodies, 0.1, NULL, NULL, &result));
    REFUSES(INVALID, "bodies is NULL", abut_pressure_pair(contacts, NULL, 2, &rule, NULL, 0.1, NULL, NULL, &result));
    REFUSES(INVALID, "time_step is -1", abut_pressure_pair(contacts, NULL, 2, &rule, bodies, -1.0, NULL, NULL, &result));
    REFUSES(INVALID, "before->memory is NULL", abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, &before, NULL, &result));
    REFUSES(INVALID, "after->memory is NULL", abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, NULL, &after, &result));
    REFUSES(INVALID, "result is NULL", abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, NULL, NULL, NULL));
    abut_pressure_memory memory = {.normal = {0, 0, 1}, .roll_stiffness = -1.0};
    before.memory = &memory;
    REFUSES(INVALID, "before->memory[0] has a stiffness below 0",
            abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, &before, NULL, &result));
    memory.roll.y = NAN;
    REFUSES(NOT_FINITE, "before->memory[0] has a number that is not finite",
            abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, &before, NULL, &result));
    bodies[1].inverse_mass = -1.0;
    REFUSES(INVALID, "bodies[1].inverse_mass is -1", abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, NULL, NULL, &result));
    bodies[1].inverse_mass = 1.0;
    contacts[1].offset = -1.0;
    REFUSES(INVALID, "contacts[1] has an offset below 0", abut_pressure_pair(contacts, NULL, 2, &rule, bodies, 0.1, NULL, NULL, &result));
}

/* ---- collide.h, query.h ---- */

static abut_pair pair_of(const abut_shape *a, const abut_shape *b) { return (abut_pair){a, at_origin, b, at_origin}; }

static void test_pairs(void **state) {
    (void)state;
    abut_pair pair = pair_of(ball, box);
    abut_contact contacts[4];
    int32_t count;
    REFUSES(INVALID, "pair is NULL", abut_collide(NULL, NULL, NULL, contacts, 4, &count));
    REFUSES(INVALID, "contacts is NULL", abut_collide(&pair, NULL, NULL, NULL, 4, &count));
    REFUSES(INVALID, "capacity is -1", abut_collide(&pair, NULL, NULL, contacts, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_collide(&pair, NULL, NULL, contacts, 4, NULL));
    pair.b = NULL;
    REFUSES(INVALID, "pair->b is NULL", abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    pair = (abut_pair){ball, at_origin, box, turned_badly};
    REFUSES(INVALID, "pair->pose_b.rotation has the norm 0.5: it must be a unit quaternion",
            abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    pair.pose_a = lost;
    REFUSES(NOT_FINITE, "pair->pose_a.position.z is infinity", abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    pair = (abut_pair){ball, turned_badly, box, lost};
    REFUSES(NOT_FINITE, "pair->pose_b.position.z is infinity", abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    pair = pair_of(ball, box);
    pair.pose_b.position.x = 1e200;
    REFUSES(NOT_FINITE, "pair->pose_a and pair->pose_b are too far apart", abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    pair = pair_of(plane, plane);
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a plane and a plane", abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    pair = pair_of(ball, box);
    ACCEPTS(ABUT_OK, abut_collide(&pair, NULL, NULL, contacts, 4, &count));
    ACCEPTS(ABUT_ERROR_CAPACITY, abut_collide(&pair, NULL, NULL, NULL, 0, &count));
}

static void test_collide_settings(void **state) {
    (void)state;
    const abut_pair pair = pair_of(ball, box);
    abut_collide_settings settings = abut_collide_settings_default();
    abut_contact contacts[4];
    abut_separation separation;
    abut_growth growth;
    int32_t count;
    settings.feature_angle = NAN;
    REFUSES(NOT_FINITE, "settings->feature_angle is NaN: it must be finite", abut_collide(&pair, &settings, NULL, contacts, 4, &count));
    settings.feature_angle = 1.0;
    REFUSES(INVALID, "settings->feature_angle is 1: it must be between 0 and 0.7853981634",
            abut_distance(&pair, &settings, NULL, &separation));
    settings = abut_collide_settings_default();
    settings.margin = -1.0;
    REFUSES(INVALID, "settings->margin is -1: it must be at least 0", abut_collide(&pair, &settings, NULL, contacts, 4, &count));
    settings = abut_collide_settings_default();
    settings.baseline.mesh_rule = (abut_mesh_rule)17;
    REFUSES(INVALID, "settings->baseline.mesh_rule is 17", abut_growth_distance(&pair, &settings, &growth));
    settings = abut_collide_settings_default();
    settings.previous_normal = nan_y;
    REFUSES(NOT_FINITE, "settings->previous_normal.y is NaN", abut_collide(&pair, &settings, NULL, contacts, 4, &count));
}

static void test_mesh_groups(void **state) {
    (void)state;
    abut_collide_settings settings = abut_collide_settings_default();
    abut_part meshes[2] = {{sheet, at_origin}, {sheet, turned_badly}}, others[2] = {{sheet, at_origin}, {box, at_origin}};
    abut_contact contacts[4];
    int32_t count;
    settings.weld = 1.0;
    REFUSES(INVALID, "shape is NULL", abut_collide_meshes(NULL, at_origin, meshes, 1, NULL, contacts, 4, &count));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_collide_meshes(ball, turned_badly, meshes, 1, NULL, contacts, 4, &count));
    REFUSES(INVALID, "meshes is NULL", abut_collide_meshes(ball, at_origin, NULL, 1, NULL, contacts, 4, &count));
    REFUSES(INVALID, "meshes[1].pose.rotation has the norm 0.5",
            abut_collide_meshes(ball, at_origin, meshes, 2, NULL, contacts, 4, &count));
    REFUSES(UNSUPPORTED_PAIR, "meshes[1].shape is a box: it must be a trimesh",
            abut_collide_meshes(ball, at_origin, others, 2, NULL, contacts, 4, &count));
    REFUSES(UNSUPPORTED_PAIR, "shape is of kind implicit, not convex, and has no mesh of its surface",
            abut_collide_meshes(thread, at_origin, meshes, 1, NULL, contacts, 4, &count));
    REFUSES(INVALID, "mesh_count is 0", abut_collide_meshes(ball, at_origin, meshes, 0, NULL, contacts, 4, &count));
    REFUSES(INVALID, "settings->weld is 1: it must be between 0 and 0.1",
            abut_collide_meshes(ball, at_origin, meshes, 1, &settings, contacts, 4, &count));
    REFUSES(INVALID, "contacts is NULL", abut_collide_meshes(ball, at_origin, meshes, 1, NULL, NULL, 4, &count));
    REFUSES(INVALID, "capacity is -1", abut_collide_meshes(ball, at_origin, meshes, 1, NULL, contacts, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_collide_meshes(ball, at_origin, meshes, 1, NULL, contacts, 4, NULL));
}

static void test_batches(void **state) {
    (void)state;
    const abut_pair pairs[3] = {pair_of(ball, box), pair_of(ball, NULL), pair_of(box, box)};
    abut_collide_settings settings = abut_collide_settings_default();
    abut_contact contacts[32];
    abut_pair_result results[3];
    int64_t needed;
    settings.weld = 1.0;
    REFUSES(INVALID, "pairs is NULL", abut_collide_batch(NULL, 3, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(INVALID, "count is -1", abut_collide_batch(pairs, -1, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(INVALID, "contacts is NULL", abut_collide_batch(pairs, 3, NULL, NULL, NULL, NULL, 32, &needed, results));
    REFUSES(INVALID, "capacity is -1", abut_collide_batch(pairs, 3, NULL, NULL, NULL, contacts, -1, &needed, results));
    REFUSES(INVALID, "needed is NULL", abut_collide_batch(pairs, 3, NULL, NULL, NULL, contacts, 32, NULL, results));
    REFUSES(INVALID, "results is NULL", abut_collide_batch(pairs, 3, NULL, NULL, NULL, contacts, 32, &needed, NULL));
    REFUSES(ABUT_OK, "pairs[1].b is NULL", abut_collide_batch(pairs, 3, NULL, NULL, NULL, contacts, 32, &needed, results));
    assert_int_equal(results[1].status, INVALID);
    REFUSES(ABUT_OK, "settings->weld is 1", abut_collide_batch(pairs, 1, &settings, NULL, NULL, contacts, 32, &needed, results));
}

static void test_placed(void **state) {
    (void)state;
    const abut_motion still = {{0, 0, 0}, {0, 0, 0}}, wild = {{0, NAN, 0}, {0, 0, 0}};
    const abut_collide_settings settings = {.weld = 1.0};
    abut_placed placed, flat, none = {.shape = NULL};
    abut_contact contacts[4];
    abut_separation separation;
    abut_growth growth;
    abut_hit hit;
    bool overlap;
    int32_t count;
    assert_int_equal(abut_place(ball, at_origin, &placed), ABUT_OK);
    assert_int_equal(abut_place(plane, at_origin, &flat), ABUT_OK);
    REFUSES(INVALID, "shape is NULL", abut_place(NULL, at_origin, &none));
    REFUSES(INVALID, "placed is NULL", abut_place(ball, at_origin, NULL));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_place(ball, turned_badly, &none));
    REFUSES(INVALID, "a is not placed: make it with abut_place()", abut_collide_placed(&none, &placed, NULL, NULL, contacts, 4, &count));
    REFUSES(INVALID, "b is not placed", abut_collide_placed(&placed, NULL, NULL, NULL, contacts, 4, &count));
    REFUSES(INVALID, "settings->weld is 1", abut_collide_placed(&placed, &placed, &settings, NULL, contacts, 4, &count));
    REFUSES(UNSUPPORTED_PAIR, "a and b are a plane and a plane", abut_collide_placed(&flat, &flat, NULL, NULL, contacts, 4, &count));
    REFUSES(INVALID, "contacts is NULL", abut_collide_placed(&placed, &flat, NULL, NULL, NULL, 4, &count));
    REFUSES(INVALID, "capacity is -1", abut_collide_placed(&placed, &flat, NULL, NULL, contacts, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_collide_placed(&placed, &flat, NULL, NULL, contacts, 4, NULL));
    REFUSES(INVALID, "a is not placed", abut_distance_placed(&none, &placed, NULL, NULL, &separation));
    REFUSES(INVALID, "b is not placed", abut_distance_placed(&placed, &none, NULL, NULL, &separation));
    REFUSES(INVALID, "settings->weld is 1", abut_distance_placed(&placed, &placed, &settings, NULL, &separation));
    REFUSES(INVALID, "separation is NULL", abut_distance_placed(&placed, &flat, NULL, NULL, NULL));
    REFUSES(INVALID, "a is not placed", abut_overlap_placed(&none, &placed, NULL, &overlap));
    REFUSES(INVALID, "b is not placed", abut_overlap_placed(&placed, &none, NULL, &overlap));
    REFUSES(INVALID, "overlap is NULL", abut_overlap_placed(&placed, &flat, NULL, NULL));
    REFUSES(INVALID, "a is not placed", abut_growth_distance_placed(NULL, &placed, NULL, &growth));
    REFUSES(INVALID, "b is not placed", abut_growth_distance_placed(&placed, NULL, NULL, &growth));
    REFUSES(INVALID, "settings->weld is 1", abut_growth_distance_placed(&placed, &placed, &settings, &growth));
    REFUSES(UNSUPPORTED_PAIR, "a and b are a sphere and a plane", abut_growth_distance_placed(&placed, &flat, NULL, &growth));
    REFUSES(INVALID, "growth is NULL", abut_growth_distance_placed(&placed, &placed, NULL, NULL));
    REFUSES(INVALID, "shape is not placed", abut_ray_cast_placed(&none, zero, up, &hit));
    REFUSES(NOT_FINITE, "origin.y is NaN", abut_ray_cast_placed(&placed, nan_y, up, &hit));
    REFUSES(INVALID, "translation is zero", abut_ray_cast_placed(&placed, up, zero, &hit));
    REFUSES(INVALID, "hit is NULL", abut_ray_cast_placed(&placed, zero, up, NULL));
    REFUSES(INVALID, "a is not placed", abut_shape_cast_placed(&none, &placed, still, still, 0.0, &hit));
    REFUSES(INVALID, "b is not placed", abut_shape_cast_placed(&placed, &none, still, still, 0.0, &hit));
    REFUSES(NOT_FINITE, "motion_a is not finite", abut_shape_cast_placed(&placed, &placed, wild, still, 0.0, &hit));
    REFUSES(NOT_FINITE, "motion_b is not finite", abut_shape_cast_placed(&placed, &placed, still, wild, 0.0, &hit));
    REFUSES(INVALID, "tolerance is -1", abut_shape_cast_placed(&placed, &placed, still, still, -1.0, &hit));
    REFUSES(INVALID, "hit is NULL", abut_shape_cast_placed(&placed, &placed, still, still, 0.0, NULL));
}

static void test_placed_batches(void **state) {
    (void)state;
    abut_placed bodies[3] = {{.shape = NULL}};
    const abut_placed_pair pairs[4] = {{0, 1}, {0, 3}, {-1, 0}, {2, 1}};
    const abut_collide_settings settings = {.weld = 1.0};
    abut_contact contacts[32];
    abut_pair_result results[4];
    int64_t needed;
    assert_int_equal(abut_place(ball, at_origin, &bodies[0]), ABUT_OK);
    assert_int_equal(abut_place(box, at_origin, &bodies[1]), ABUT_OK);
    REFUSES(INVALID, "bodies is NULL", abut_collide_placed_batch(NULL, 3, pairs, 4, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(INVALID, "body_count is -1", abut_collide_placed_batch(bodies, -1, pairs, 4, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(INVALID, "pairs is NULL", abut_collide_placed_batch(bodies, 3, NULL, 4, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(INVALID, "count is -1", abut_collide_placed_batch(bodies, 3, pairs, -1, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(INVALID, "contacts is NULL", abut_collide_placed_batch(bodies, 3, pairs, 4, NULL, NULL, NULL, NULL, 32, &needed, results));
    REFUSES(INVALID, "capacity is -1", abut_collide_placed_batch(bodies, 3, pairs, 4, NULL, NULL, NULL, contacts, -1, &needed, results));
    REFUSES(INVALID, "needed is NULL", abut_collide_placed_batch(bodies, 3, pairs, 4, NULL, NULL, NULL, contacts, 32, NULL, results));
    REFUSES(INVALID, "results is NULL", abut_collide_placed_batch(bodies, 3, pairs, 4, NULL, NULL, NULL, contacts, 32, &needed, NULL));
    REFUSES(ABUT_OK, "pairs[0].b is 3",
            abut_collide_placed_batch(bodies, 3, &pairs[1], 1, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(ABUT_OK, "pairs[0].a is -1",
            abut_collide_placed_batch(bodies, 3, &pairs[2], 1, NULL, NULL, NULL, contacts, 32, &needed, results));
    REFUSES(ABUT_OK, "pairs[0].a is not placed",
            abut_collide_placed_batch(bodies, 3, &pairs[3], 1, NULL, NULL, NULL, contacts, 32, &needed, results));
    assert_int_equal(results[0].status, INVALID);
    REFUSES(ABUT_OK, "settings->weld is 1",
            abut_collide_placed_batch(bodies, 3, pairs, 1, &settings, NULL, NULL, contacts, 32, &needed, results));
}

static void test_queries(void **state) {
    (void)state;
    const abut_pair pair = pair_of(ball, box), planes = pair_of(plane, plane), flat = pair_of(plane, box);
    const abut_motion still = {{0, 0, 0}, {0, 0, 0}}, wild = {{0, NAN, 0}, {0, 0, 0}};
    abut_separation separation;
    abut_growth growth;
    abut_hit hit;
    bool overlap;
    REFUSES(INVALID, "pair is NULL", abut_distance(NULL, NULL, NULL, &separation));
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a plane and a plane", abut_distance(&planes, NULL, NULL, &separation));
    REFUSES(INVALID, "separation is NULL", abut_distance(&pair, NULL, NULL, NULL));
    REFUSES(INVALID, "pair is NULL", abut_overlap(NULL, NULL, &overlap));
    REFUSES(INVALID, "overlap is NULL", abut_overlap(&pair, NULL, NULL));
    REFUSES(INVALID, "pair is NULL", abut_growth_distance(NULL, NULL, &growth));
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a plane and a box", abut_growth_distance(&flat, NULL, &growth));
    REFUSES(INVALID, "growth is NULL", abut_growth_distance(&pair, NULL, NULL));
    REFUSES(INVALID, "shape is NULL", abut_ray_cast(NULL, at_origin, zero, up, &hit));
    REFUSES(NOT_CONVEX, "shape is a smooth shape that is not convex", abut_ray_cast(thread, at_origin, zero, up, &hit));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_ray_cast(ball, turned_badly, zero, up, &hit));
    REFUSES(NOT_FINITE, "origin.y is NaN", abut_ray_cast(ball, at_origin, nan_y, up, &hit));
    REFUSES(INVALID, "translation is zero", abut_ray_cast(ball, at_origin, up, zero, &hit));
    REFUSES(NOT_FINITE, "translation.y is NaN", abut_ray_cast(ball, at_origin, up, nan_y, &hit));
    REFUSES(INVALID, "hit is NULL", abut_ray_cast(ball, at_origin, zero, up, NULL));
    REFUSES(INVALID, "pair is NULL", abut_shape_cast(NULL, still, still, 0.0, &hit));
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a plane and a plane", abut_shape_cast(&planes, still, still, 0.0, &hit));
    REFUSES(NOT_FINITE, "motion_a is not finite", abut_shape_cast(&pair, wild, still, 0.0, &hit));
    REFUSES(NOT_FINITE, "motion_b is not finite", abut_shape_cast(&pair, still, wild, 0.0, &hit));
    REFUSES(INVALID, "tolerance is -1", abut_shape_cast(&pair, still, still, -1.0, &hit));
    REFUSES(NOT_FINITE, "tolerance is NaN", abut_shape_cast(&pair, still, still, NAN, &hit));
    REFUSES(INVALID, "hit is NULL", abut_shape_cast(&pair, still, still, 0.0, NULL));
}

static void test_projection(void **state) {
    (void)state;
    abut_projection projection;
    REFUSES(INVALID, "shape is a box: it must be a trimesh, a cylinder or a cone", abut_shape_project(box, at_origin, zero, &projection));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_shape_project(sheet, turned_badly, zero, &projection));
    REFUSES(NOT_FINITE, "point.y is NaN", abut_shape_project(sheet, at_origin, nan_y, &projection));
    REFUSES(INVALID, "projection is NULL", abut_shape_project(sheet, at_origin, zero, NULL));
}

static void test_reduction(void **state) {
    (void)state;
    const abut_contact contacts[2] = {{.gap = 0.0}, {.gap = NAN}};
    abut_contact kept[2];
    REFUSES(INVALID, "contacts is NULL", abut_reduce(NULL, 2, 4, kept, NULL));
    REFUSES(NOT_FINITE, "contacts[1] has a point, a normal or a gap", abut_reduce(contacts, 2, 4, kept, NULL));
    REFUSES(INVALID, "count is -1", abut_reduce(contacts, -1, 4, kept, NULL));
    REFUSES(INVALID, "limit is 0", abut_reduce(contacts, 2, 0, kept, NULL));
    REFUSES(INVALID, "kept is NULL", abut_reduce(contacts, 2, 4, NULL, NULL));
}

/* ---- rates.h, extremal.h ---- */

static void test_rates(void **state) {
    (void)state;
    const abut_pair pair = pair_of(ball, box), nowhere = pair_of(NULL, box);
    const abut_kinematics rest = {.centre = {0, 0, 0}}, wild = {.centre = {NAN, 0, 0}};
    const abut_contact contact = {
        .normal = {0, 0, 1}, .feature_a = {.kind = ABUT_FEATURE_SMOOTH}, .feature_b = {.kind = ABUT_FEATURE_EDGE, .index = 99}};
    const abut_contact bent = {.normal = {0, 0, 2}};
    const abut_curvature flat = {.normal = {0, 0, -1}, .direction = {{1, 0, 0}, {0, 1, 0}}}, none = {.normal = {0, 0, 1}};
    abut_curvature surface_a, surface_b;
    abut_rates rates;
    REFUSES(INVALID, "contact is NULL", abut_contact_surfaces(NULL, &pair, &surface_a, &surface_b));
    REFUSES(INVALID, "contact->feature_b: the shape has no such feature", abut_contact_surfaces(&contact, &pair, &surface_a, &surface_b));
    REFUSES(INVALID, "contact->normal is no unit vector", abut_contact_surfaces(&bent, &pair, &surface_a, &surface_b));
    REFUSES(INVALID, "pair->a is NULL", abut_contact_surfaces(&contact, &nowhere, &surface_a, &surface_b));
    REFUSES(INVALID, "surface_a is NULL", abut_contact_surfaces(&contact, &pair, NULL, &surface_b));
    REFUSES(INVALID, "surface_b is NULL", abut_contact_surfaces(&contact, &pair, &surface_a, NULL));
    REFUSES(INVALID, "contact->normal is no unit vector", abut_contact_rates(&bent, &flat, &flat, NULL, NULL, &rates));
    REFUSES(INVALID, "surface_a has directions that are no unit vectors", abut_contact_rates(&contact, &none, &flat, NULL, NULL, &rates));
    REFUSES(INVALID, "surface_b has directions that are no unit vectors", abut_contact_rates(&contact, &flat, &none, NULL, NULL, &rates));
    REFUSES(NOT_FINITE, "motion_a is not finite", abut_contact_rates(&contact, &flat, &flat, &wild, &rest, &rates));
    REFUSES(NOT_FINITE, "motion_b is not finite", abut_contact_rates(&contact, &flat, &flat, &rest, &wild, &rates));
    REFUSES(INVALID, "rates is NULL", abut_contact_rates(&contact, &flat, &flat, NULL, NULL, NULL));
    abut_contact_derivatives derivatives;
    const abut_vec3 origin = {0, 0, 0}, astray = {0, NAN, 0};
    REFUSES(INVALID, "derivatives is NULL", abut_contact_differentiate(&contact, &flat, &flat, origin, origin, NULL));
    REFUSES(INVALID, "contact is NULL", abut_contact_differentiate(NULL, &flat, &flat, origin, origin, &derivatives));
    REFUSES(INVALID, "contact->normal is no unit vector", abut_contact_differentiate(&bent, &flat, &flat, origin, origin, &derivatives));
    REFUSES(INVALID, "surface_a has directions that are no unit vectors",
            abut_contact_differentiate(&contact, &none, &flat, origin, origin, &derivatives));
    REFUSES(INVALID, "surface_b has directions that are no unit vectors",
            abut_contact_differentiate(&contact, &flat, &none, origin, origin, &derivatives));
    REFUSES(NOT_FINITE, "centre_a.y is NaN", abut_contact_differentiate(&contact, &flat, &flat, astray, origin, &derivatives));
    REFUSES(NOT_FINITE, "centre_b.y is NaN", abut_contact_differentiate(&contact, &flat, &flat, origin, astray, &derivatives));
}

static void test_extremal_pairs(void **state) {
    (void)state;
    const abut_pair pair = pair_of(ball, box), flat = pair_of(plane, box);
    const abut_motion still = {{0, 0, 0}, {0, 0, 0}}, wild = {{0, NAN, 0}, {0, 0, 0}};
    const abut_extremal start = {.gap = NAN}, fine = {.normal = {0, 0, 1}};
    abut_extremal extremal;
    abut_rates rates;
    REFUSES(INVALID, "pair is NULL", abut_extremal_find(NULL, ABUT_EXTREMAL_NORMAL, NULL, &extremal));
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a sphere and a box",
            abut_extremal_find(&pair, ABUT_EXTREMAL_NORMAL, NULL, &extremal));
    REFUSES(INVALID, "method is 9", abut_extremal_find(&pair, (abut_extremal_method)9, NULL, &extremal));
    REFUSES(NOT_FINITE, "start has a point", abut_extremal_find(&pair, ABUT_EXTREMAL_NORMAL, &start, &extremal));
    REFUSES(INVALID, "extremal is NULL", abut_extremal_find(&pair, ABUT_EXTREMAL_NORMAL, NULL, NULL));
    REFUSES(INVALID, "pair is NULL", abut_extremal_rates(NULL, still, still, &fine, &rates));
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a plane and a box", abut_extremal_rates(&flat, still, still, &fine, &rates));
    REFUSES(NOT_FINITE, "motion_a has a number", abut_extremal_rates(&pair, wild, still, &fine, &rates));
    REFUSES(NOT_FINITE, "motion_b has a number", abut_extremal_rates(&pair, still, wild, &fine, &rates));
    REFUSES(NOT_FINITE, "extremal has a number", abut_extremal_rates(&pair, still, still, &start, &rates));
    REFUSES(INVALID, "extremal is no pair of these shapes", abut_extremal_rates(&pair, still, still, &fine, &rates));
    REFUSES(INVALID, "rates is NULL", abut_extremal_rates(&pair, still, still, &fine, NULL));
}

/* ---- contacts of facets ---- */

static const abut_facet facet = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 5.0}, narrow_facet = {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 5.0};
static const abut_facet bare_facet = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0.0}, far_facet = {{{0, 0, 0}, {1, 0, NAN}, {0, 1, 0}}, 1.0};

static void test_facets_with_facets(void **state) {
    (void)state;
    const abut_facet a[2] = {facet, facet}, b[2] = {facet, narrow_facet};
    abut_facet_contact contact, contacts[2];
    REFUSES(INVALID, "a is NULL", abut_facet_collide(NULL, &facet, &contact));
    REFUSES(INVALID, "a->radius is 0: it must be above 0", abut_facet_collide(&bare_facet, &facet, &contact));
    REFUSES(DEGENERATE, "b->corner: the corners lie on one line", abut_facet_collide(&facet, &narrow_facet, &contact));
    REFUSES(NOT_FINITE, "b->corner[1].z is NaN", abut_facet_collide(&facet, &far_facet, &contact));
    REFUSES(INVALID, "contact is NULL", abut_facet_collide(&facet, &facet, NULL));
    REFUSES(INVALID, "a is NULL", abut_facet_collide_within(NULL, &facet, 0.0, &contact));
    REFUSES(INVALID, "b is NULL", abut_facet_collide_within(&facet, NULL, 0.0, &contact));
    REFUSES(INVALID, "reach is -1", abut_facet_collide_within(&facet, &facet, -1.0, &contact));
    REFUSES(NOT_FINITE, "reach is infinity", abut_facet_collide_within(&facet, &facet, INFINITY, &contact));
    REFUSES(INVALID, "contact is NULL", abut_facet_collide_within(&facet, &facet, 0.0, NULL));
    REFUSES(INVALID, "a is NULL", abut_facet_collide_batch(NULL, b, 2, NULL, contacts));
    REFUSES(INVALID, "b is NULL", abut_facet_collide_batch(a, NULL, 2, NULL, contacts));
    REFUSES(INVALID, "count is -1", abut_facet_collide_batch(a, b, -1, NULL, contacts));
    REFUSES(INVALID, "contacts is NULL", abut_facet_collide_batch(a, b, 2, NULL, NULL));
    REFUSES(ABUT_OK, "b[1].corner: the corners lie on one line", abut_facet_collide_batch(a, b, 2, NULL, contacts));
    assert_int_equal(contacts[1].status, DEGENERATE);
}

static void test_facets_with_spheres_and_planes(void **state) {
    (void)state;
    abut_facet_contact contact;
    REFUSES(INVALID, "a is NULL", abut_facet_collide_sphere(NULL, zero, 1.0, &contact));
    REFUSES(NOT_FINITE, "centre.y is NaN", abut_facet_collide_sphere(&facet, nan_y, 1.0, &contact));
    REFUSES(INVALID, "radius is 0", abut_facet_collide_sphere(&facet, zero, 0.0, &contact));
    REFUSES(INVALID, "contact is NULL", abut_facet_collide_sphere(&facet, zero, 1.0, NULL));
    REFUSES(DEGENERATE, "a->corner: the corners lie on one line",
            abut_facet_collide_sphere_within(&narrow_facet, zero, 1.0, 0.0, &contact));
    REFUSES(NOT_FINITE, "centre.y is NaN", abut_facet_collide_sphere_within(&facet, nan_y, 1.0, 0.0, &contact));
    REFUSES(INVALID, "radius is 0", abut_facet_collide_sphere_within(&facet, zero, 0.0, 0.0, &contact));
    REFUSES(INVALID, "reach is -1", abut_facet_collide_sphere_within(&facet, zero, 1.0, -1.0, &contact));
    REFUSES(INVALID, "contact is NULL", abut_facet_collide_sphere_within(&facet, zero, 1.0, 0.0, NULL));
    REFUSES(INVALID, "a is NULL", abut_facet_collide_plane(NULL, up, 0.0, &contact));
    REFUSES(INVALID, "normal is zero", abut_facet_collide_plane(&facet, zero, 0.0, &contact));
    REFUSES(NOT_FINITE, "offset is NaN", abut_facet_collide_plane(&facet, up, NAN, &contact));
    REFUSES(INVALID, "contact is NULL", abut_facet_collide_plane(&facet, up, 0.0, NULL));
    REFUSES(INVALID, "a->radius is 0", abut_facet_collide_plane_within(&bare_facet, up, 0.0, 0.0, &contact));
    REFUSES(INVALID, "normal is zero", abut_facet_collide_plane_within(&facet, zero, 0.0, 0.0, &contact));
    REFUSES(NOT_FINITE, "offset is NaN", abut_facet_collide_plane_within(&facet, up, NAN, 0.0, &contact));
    REFUSES(INVALID, "reach is -1", abut_facet_collide_plane_within(&facet, up, 0.0, -1.0, &contact));
    REFUSES(INVALID, "contact is NULL", abut_facet_collide_plane_within(&facet, up, 0.0, 0.0, NULL));
}

static void test_facets_of_bodies(void **state) {
    (void)state;
    const abut_pair pair = pair_of(grain, ball), balls = pair_of(ball, ball);
    abut_facetmesh_contact contacts[2];
    int32_t count;
    REFUSES(INVALID, "pair is NULL", abut_collide_facets(NULL, contacts, 2, &count));
    REFUSES(UNSUPPORTED_PAIR, "pair->a and pair->b are a sphere and a sphere", abut_collide_facets(&balls, contacts, 2, &count));
    REFUSES(INVALID, "contacts is NULL", abut_collide_facets(&pair, NULL, 2, &count));
    REFUSES(INVALID, "capacity is -1", abut_collide_facets(&pair, contacts, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_collide_facets(&pair, contacts, 2, NULL));
}

/* ---- world.h ---- */

static abut_world *world_with(abut_stepper stepper, const abut_shape *shape, abut_body_kind kind, abut_body_id *id) {
    abut_world_def def = abut_world_def_default();
    abut_body_def body = abut_body_def_default();
    abut_world *world = NULL;
    def.stepper = stepper;
    body.shape = shape;
    body.kind = kind;
    assert_int_equal(abut_world_create(&def, &world), ABUT_OK);
    assert_int_equal(abut_world_add_body(world, &body, id), ABUT_OK);
    return world;
}

static void test_worlds(void **state) {
    (void)state;
    const abut_world_def nothing = {.stepper = ABUT_STEPPER_FIXED};
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    REFUSES(INVALID, "def is zero-initialised: start from abut_world_def_default()", abut_world_create(&nothing, &world));
    REFUSES(INVALID, "world is NULL", abut_world_create(NULL, NULL));
    def.fixed = (abut_fixed_settings){.substeps = 0};
    REFUSES(INVALID, "def->fixed is zero-initialised: start from abut_world_def_default()", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.fixed.substeps = 0;
    REFUSES(INVALID, "def->fixed.substeps is 0: it must be at least 1", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.event.tolerance = -1.0;
    REFUSES(INVALID, "def->event.tolerance is -1: it must be above 0", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.dem.periodic[1] = true;
    REFUSES(INVALID, "def->dem.lower.y is 0, not below def->dem.upper.y", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.gravity.x = INFINITY;
    REFUSES(NOT_FINITE, "def->gravity.x is infinity", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.collide.feature_angle = -1.0;
    REFUSES(INVALID, "def->collide.feature_angle is -1", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.collide.baseline.mesh_rule = (abut_mesh_rule)17; /* abut_collide() would refuse it in every step */
    REFUSES(INVALID, "def->collide.baseline.mesh_rule is 17", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.collide.margin = NAN; /* ignored */
    ACCEPTS(ABUT_OK, abut_world_create(&def, &world));
    abut_world_destroy(world);
    def = abut_world_def_default();
    const abut_substance_pair none = abut_substance_pair_default();
    abut_substance_pair pairs[2] = {none, none};
    def = abut_world_def_default();
    def.pair_count = -1;
    REFUSES(INVALID, "def->pair_count is -1", abut_world_create(&def, &world));
    def.pair_count = 2;
    REFUSES(INVALID, "def->pairs is NULL", abut_world_create(&def, &world));
    def.pairs = pairs;
    REFUSES(INVALID, "def->pairs[0] has the substances 0 and 0", abut_world_create(&def, &world));
    pairs[0].a = pairs[1].b = 3;
    pairs[0].b = pairs[1].a = 1;
    REFUSES(INVALID, "def->pairs has the substances 1 and 3 twice", abut_world_create(&def, &world));
    pairs[1].a = 2;
    pairs[1].restitution = 1.5;
    REFUSES(INVALID, "def->pairs[1].restitution is 1.5", abut_world_create(&def, &world));
    pairs[1].restitution = NAN;
    REFUSES(NOT_FINITE, "def->pairs[1].restitution is NaN", abut_world_create(&def, &world));
    pairs[1].restitution = 1.0;
    pairs[1].rolling_resistance = -0.5;
    REFUSES(INVALID, "def->pairs[1].rolling_resistance is -0.5", abut_world_create(&def, &world));
    pairs[1].rolling_resistance = -1.0;
    pairs[1].spinning_friction = 0.1;
    def.stepper = ABUT_STEPPER_DEM;
    REFUSES(UNSUPPORTED, "def->pairs: the dem stepper has no rolling_friction", abut_world_create(&def, &world));
    def = abut_world_def_default();
    def.stepper = (abut_stepper)9;
    REFUSES(INVALID, "def->stepper is 9: it must be between 0 and 2", abut_world_create(&def, &world));
}

static void refuse_surfaces(abut_world *world) {
    abut_surface surfaces[2] = {abut_surface_default(), abut_surface_default()};
    const abut_part parts[2] = {{box, abut_pose_identity()}, {box, abut_pose_identity()}};
    abut_shape *two = NULL;
    assert_int_equal(abut_shape_create_compound(parts, 2, &two), ABUT_OK);
    abut_body_def def = abut_body_def_default();
    def.shape = box;
    def.rolling_friction = -1.0;
    REFUSES(INVALID, "def->rolling_friction is -1", abut_world_add_body(world, &def, NULL));
    def.rolling_friction = 0.0;
    def.spinning_friction = NAN;
    REFUSES(NOT_FINITE, "def->spinning_friction is NaN", abut_world_add_body(world, &def, NULL));
    def.spinning_friction = 0.0;
    def.rolling_resistance = -1.0;
    REFUSES(INVALID, "def->rolling_resistance is -1", abut_world_add_body(world, &def, NULL));
    def.rolling_resistance = 0.0;
    def.twisting_resistance = NAN;
    REFUSES(NOT_FINITE, "def->twisting_resistance is NaN", abut_world_add_body(world, &def, NULL));
    def.twisting_resistance = 0.0;
    def.contact_stiffness = -1.0;
    REFUSES(INVALID, "def->contact_stiffness is -1", abut_world_add_body(world, &def, NULL));
    def.contact_stiffness = INFINITY;
    REFUSES(NOT_FINITE, "def->contact_stiffness is infinity", abut_world_add_body(world, &def, NULL));
    def.contact_stiffness = 1e5;
    def.adhesion_work = 0.1;
    REFUSES(INVALID, "def->adhesion_work is 0.1: there is no adhesion", abut_world_add_body(world, &def, NULL));
    def.contact_stiffness = def.adhesion_work = 0.0;
    def.adhesion_strength = -1.0;
    REFUSES(INVALID, "def->adhesion_strength is -1", abut_world_add_body(world, &def, NULL));
    def.adhesion_strength = 0.0;
    def.liquid_volume = -1.0;
    REFUSES(INVALID, "def->liquid_volume is -1", abut_world_add_body(world, &def, NULL));
    def.liquid_volume = 0.0;
    def.surface_tension = INFINITY;
    REFUSES(NOT_FINITE, "def->surface_tension is infinity", abut_world_add_body(world, &def, NULL));
    def.surface_tension = 0.0;
    def.contact_angle = 1.6;
    REFUSES(INVALID, "def->contact_angle is 1.6", abut_world_add_body(world, &def, NULL));
    def.contact_angle = 0.0;
    def.substance = -1;
    REFUSES(INVALID, "def->substance is -1", abut_world_add_body(world, &def, NULL));
    def.substance = 0;
    def.surface_velocity.linear.y = NAN;
    REFUSES(NOT_FINITE, "def->surface_velocity.linear.y is NaN", abut_world_add_body(world, &def, NULL));
    def.surface_velocity.linear.y = 0.0;
    def.surface_count = 2;
    REFUSES(INVALID, "def->surfaces is NULL", abut_world_add_body(world, &def, NULL));
    def.surfaces = surfaces;
    REFUSES(INVALID, "def->surfaces: the shape is neither a compound nor a mesh", abut_world_add_body(world, &def, NULL));
    def.shape = two;
    def.surface_count = 3;
    REFUSES(INVALID, "def->surface_count is 3", abut_world_add_body(world, &def, NULL));
    def.surface_count = 2;
    surfaces[1].friction = -1.0;
    REFUSES(INVALID, "def->surfaces[1].friction is -1", abut_world_add_body(world, &def, NULL));
    surfaces[1].friction = 0.0;
    surfaces[1].restitution = 2.0;
    REFUSES(INVALID, "def->surfaces[1].restitution is 2: it must be between 0 and 1", abut_world_add_body(world, &def, NULL));
    surfaces[1].restitution = 0.0;
    surfaces[1].substance = -2;
    REFUSES(INVALID, "def->surfaces[1].substance is -2", abut_world_add_body(world, &def, NULL));
    surfaces[1].substance = 0;
    surfaces[1].rolling_friction = NAN;
    REFUSES(NOT_FINITE, "def->surfaces[1].rolling_friction is NaN", abut_world_add_body(world, &def, NULL));
    abut_shape_release(two);
}

static void test_bodies(void **state) {
    (void)state;
    const abut_body_def nothing = {.shape = NULL}, bare = {.shape = ball};
    abut_body_def def = abut_body_def_default();
    abut_body_id id;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_add_body(NULL, &def, NULL));
    REFUSES(INVALID, "def is NULL", abut_world_add_body(world, NULL, NULL));
    REFUSES(INVALID, "def is zero-initialised: start from abut_body_def_default()", abut_world_add_body(world, &nothing, NULL));
    REFUSES(INVALID, "def is zero-initialised: start from abut_body_def_default()", abut_world_add_body(world, &bare, NULL));
    REFUSES(INVALID, "def->shape is NULL", abut_world_add_body(world, &def, NULL));
    def.shape = plane;
    REFUSES(INVALID, "def->shape is a plane: a dynamic body must be bounded", abut_world_add_body(world, &def, NULL));
    def.shape = sheet;
    REFUSES(NOT_CLOSED, "def->shape is a mesh without an inside", abut_world_add_body(world, &def, NULL));
    def.shape = ball;
    def.density = 0.0;
    REFUSES(INVALID, "def->density is 0: it must be above 0", abut_world_add_body(world, &def, NULL));
    def.density = NAN;
    REFUSES(NOT_FINITE, "def->density is NaN", abut_world_add_body(world, &def, NULL));
    def.density = 1e-320;
    REFUSES(NOT_FINITE, "def->shape: the mass or the moments of inertia", abut_world_add_body(world, &def, NULL));
    def = abut_body_def_default();
    def.shape = ball;
    def.pose = turned_badly;
    REFUSES(INVALID, "def->pose.rotation has the norm 0.5", abut_world_add_body(world, &def, NULL));
    def.pose = at_origin;
    def.restitution = 2.0;
    REFUSES(INVALID, "def->restitution is 2: it must be between 0 and 1", abut_world_add_body(world, &def, NULL));
    refuse_surfaces(world);
    abut_world_destroy(world);
}

static void test_questions_about_bodies(void **state) {
    (void)state;
    const abut_motion wild = {{0, NAN, 0}, {0, 0, 0}}, still = {{0, 0, 0}, {0, 0, 0}};
    abut_body_id id, ids[1];
    abut_body_state body_state;
    abut_body_info info;
    int32_t count;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_remove_body(NULL, id));
    REFUSES(INVALID, "world is NULL", abut_world_body_state(NULL, id, &body_state));
    REFUSES(INVALID, "state is NULL", abut_world_body_state(world, id, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_body_info(NULL, id, &info));
    REFUSES(INVALID, "info is NULL", abut_world_body_info(world, id, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_motion(NULL, id, still));
    REFUSES(NOT_FINITE, "motion.linear.y is NaN", abut_world_set_body_motion(world, id, wild));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_pose(NULL, id, at_origin));
    REFUSES(INVALID, "pose.rotation has the norm 0.5", abut_world_set_body_pose(world, id, turned_badly));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_shape(NULL, id, box));
    REFUSES(INVALID, "shape is a sphere: it must be of the kind of the body's shape", abut_world_set_body_shape(world, id, ball));
    REFUSES(INVALID, "world is NULL", abut_world_apply_force(NULL, id, up, zero));
    REFUSES(NOT_FINITE, "force.y is NaN", abut_world_apply_force(world, id, nan_y, zero));
    REFUSES(NOT_FINITE, "point.y is NaN", abut_world_apply_force(world, id, up, nan_y));
    REFUSES(INVALID, "world is NULL", abut_world_body_ids(NULL, ids, 1, &count));
    REFUSES(INVALID, "ids is NULL", abut_world_body_ids(world, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_body_ids(world, ids, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_body_ids(world, ids, 1, NULL));
    /* An id that names nothing is an answer, not a mistake. */
    id.generation += 1;
    ACCEPTS(ABUT_ERROR_STALE_ID, abut_world_body_state(world, id, &body_state));
    abut_world_destroy(world);
}

static void test_forces_and_values_of_bodies(void **state) {
    (void)state;
    const abut_vec3 nan_y = {0, NAN, 0}, up = {0, 0, 1}, zero = {0, 0, 0}, far = {0, 0, 1e308}, far_x = {1e308, 0, 0};
    abut_body_id id;
    abut_body_state states[1];
    abut_pose poses[1];
    int32_t count = 0;
    bool excluded;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_apply_torque(NULL, id, up));
    REFUSES(NOT_FINITE, "torque.y is NaN", abut_world_apply_torque(world, id, nan_y));
    REFUSES(INVALID, "world is NULL", abut_world_apply_impulse(NULL, id, up, zero));
    REFUSES(NOT_FINITE, "impulse.y is NaN", abut_world_apply_impulse(world, id, nan_y, zero));
    REFUSES(NOT_FINITE, "point.y is NaN", abut_world_apply_impulse(world, id, up, nan_y));
    REFUSES(NOT_FINITE, "impulse: its moment about the centre of mass is not finite", abut_world_apply_impulse(world, id, far, far_x));
    REFUSES(INVALID, "world is NULL", abut_world_apply_angular_impulse(NULL, id, up));
    REFUSES(NOT_FINITE, "impulse.y is NaN", abut_world_apply_angular_impulse(world, id, nan_y));
    REFUSES(INVALID, "world is NULL", abut_world_wake_body(NULL, id));
    REFUSES(INVALID, "world is NULL", abut_world_sleep_body(NULL, id));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_mass(NULL, id, 1.0));
    REFUSES(INVALID, "mass is 0: it must be above 0", abut_world_set_body_mass(world, id, 0.0));
    REFUSES(INVALID, "mass is -1: it must be above 0", abut_world_set_body_mass(world, id, -1.0));
    REFUSES(NOT_FINITE, "mass is NaN", abut_world_set_body_mass(world, id, NAN));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_friction(NULL, id, 0.5));
    REFUSES(INVALID, "friction is -1: it must be at least 0", abut_world_set_body_friction(world, id, -1.0));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_restitution(NULL, id, 0.5));
    REFUSES(INVALID, "restitution is 2: it must be between 0 and 1", abut_world_set_body_restitution(world, id, 2.0));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_damping(NULL, id, 0.0, 0.0));
    REFUSES(INVALID, "linear is -1", abut_world_set_body_damping(world, id, -1.0, 0.0));
    REFUSES(NOT_FINITE, "angular is NaN", abut_world_set_body_damping(world, id, 0.0, NAN));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_gravity_scale(NULL, id, 1.0));
    REFUSES(NOT_FINITE, "scale is infinity", abut_world_set_body_gravity_scale(world, id, INFINITY));
    REFUSES(INVALID, "world is NULL", abut_world_set_body_surface_velocity(NULL, id, (abut_motion){up, up}));
    REFUSES(NOT_FINITE, "velocity.linear.y is NaN", abut_world_set_body_surface_velocity(world, id, (abut_motion){nan_y, up}));
    REFUSES(NOT_FINITE, "velocity.angular.y is NaN", abut_world_set_body_surface_velocity(world, id, (abut_motion){up, nan_y}));
    REFUSES(INVALID, "world is NULL", abut_world_exclude_pair(NULL, id, id));
    REFUSES(INVALID, "a and b are one body", abut_world_exclude_pair(world, id, id));
    REFUSES(INVALID, "world is NULL", abut_world_include_pair(NULL, id, id));
    REFUSES(INVALID, "a and b are one body", abut_world_include_pair(world, id, id));
    REFUSES(INVALID, "world is NULL", abut_world_is_pair_excluded(NULL, id, id, &excluded));
    REFUSES(INVALID, "excluded is NULL", abut_world_is_pair_excluded(world, id, id, NULL));
    REFUSES(INVALID, "a and b are one body", abut_world_is_pair_excluded(world, id, id, &excluded));
    REFUSES(INVALID, "world is NULL", abut_world_set_gravity(NULL, up));
    REFUSES(NOT_FINITE, "gravity.y is NaN", abut_world_set_gravity(world, nan_y));
    REFUSES(INVALID, "world is NULL", abut_world_body_states(NULL, states, 1, &count));
    REFUSES(INVALID, "states is NULL", abut_world_body_states(world, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_body_states(world, states, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_body_states(world, states, 1, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_body_poses(NULL, poses, 1, &count));
    REFUSES(INVALID, "poses is NULL", abut_world_body_poses(world, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_body_poses(world, poses, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_body_poses(world, poses, 1, NULL));
    abut_world_destroy(world);
    world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_STATIC, &id);
    REFUSES(INVALID, "id names a body that is not dynamic", abut_world_set_body_mass(world, id, 1.0));
    abut_world_destroy(world);
}

static void test_springs(void **state) {
    (void)state;
    abut_body_id body, floor;
    abut_spring_id id;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_DYNAMIC, &body);
    abut_spring_def def = abut_spring_def_default(), bare = {.body = body};
    abut_body_def fixed = abut_body_def_default();
    fixed.kind = ABUT_BODY_STATIC;
    fixed.shape = box;
    assert_int_equal(abut_world_add_body(world, &fixed, &floor), ABUT_OK);
    REFUSES(INVALID, "world is NULL", abut_world_add_spring(NULL, &def, &id));
    REFUSES(INVALID, "def is NULL", abut_world_add_spring(world, NULL, &id));
    REFUSES(INVALID, "def is zero-initialised: start from abut_spring_def_default()", abut_world_add_spring(world, &bare, &id));
    def.body = floor;
    REFUSES(INVALID, "def->body is not a dynamic body", abut_world_add_spring(world, &def, &id));
    def.body = body;
    def.damping_ratio = -1.0;
    REFUSES(INVALID, "def->damping_ratio is -1", abut_world_add_spring(world, &def, &id));
    def.damping_ratio = 1.0;
    def.max_force = NAN;
    REFUSES(NOT_FINITE, "def->max_force is NaN", abut_world_add_spring(world, &def, &id));
    def.max_force = INFINITY;
    assert_int_equal(abut_world_add_spring(world, &def, &id), ABUT_OK);
    REFUSES(INVALID, "world is NULL", abut_world_set_spring_target(NULL, id, zero));
    REFUSES(NOT_FINITE, "target.y is NaN", abut_world_set_spring_target(world, id, nan_y));
    REFUSES(INVALID, "world is NULL", abut_world_remove_spring(NULL, id));
    abut_world_destroy(world);
}

static void test_joints(void **state) {
    (void)state;
    abut_body_id body, floor;
    abut_joint_id id;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_DYNAMIC, &body);
    abut_joint_def def = abut_joint_def_default(ABUT_JOINT_REVOLUTE);
    abut_joint_state read;
    abut_joint_motor motor = {.mode = (abut_motor_mode)7};
    abut_body_def fixed = abut_body_def_default();
    fixed.kind = ABUT_BODY_STATIC;
    fixed.shape = box;
    assert_int_equal(abut_world_add_body(world, &fixed, &floor), ABUT_OK);
    def.a = body;
    def.b = body;
    REFUSES(INVALID, "world is NULL", abut_world_add_joint(NULL, &def, &id));
    REFUSES(INVALID, "def is NULL", abut_world_add_joint(world, NULL, &id));
    REFUSES(INVALID, "def->a and def->b are one body", abut_world_add_joint(world, &def, &id));
    def.b = floor;
    def.frame_a = turned_badly;
    REFUSES(INVALID, "def->frame_a", abut_world_add_joint(world, &def, &id));
    def.frame_a = abut_pose_identity();
    def.lower = 1.0;
    def.upper = -1.0;
    REFUSES(INVALID, "def->lower is above def->upper", abut_world_add_joint(world, &def, &id));
    def.upper = 1.0;
    assert_int_equal(abut_world_add_joint(world, &def, &id), ABUT_OK);
    REFUSES(INVALID, "world is NULL", abut_world_set_joint_motor(NULL, id, &motor));
    REFUSES(INVALID, "motor is NULL", abut_world_set_joint_motor(world, id, NULL));
    REFUSES(INVALID, "motor.mode is 7", abut_world_set_joint_motor(world, id, &motor));
    REFUSES(INVALID, "world is NULL", abut_world_joint_state(NULL, id, &read));
    REFUSES(INVALID, "state is NULL", abut_world_joint_state(world, id, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_remove_joint(NULL, id));
    abut_world_destroy(world);
}

static void test_bonds(void **state) {
    (void)state;
    abut_body_id body, floor;
    abut_bond_id id, few[1];
    int32_t count;
    abut_world *world = world_with(ABUT_STEPPER_DEM, ball, ABUT_BODY_DYNAMIC, &body),
               *other = world_with(ABUT_STEPPER_FIXED, ball, ABUT_BODY_DYNAMIC, &floor);
    abut_bond_def def = abut_bond_def_default();
    abut_bond_state read;
    abut_body_def fixed = abut_body_def_default();
    fixed.kind = ABUT_BODY_STATIC;
    fixed.shape = ball;
    assert_int_equal(abut_world_add_body(world, &fixed, &floor), ABUT_OK);
    def.a = def.b = body;
    def.length = def.radius = def.young = 1.0;
    REFUSES(INVALID, "world is NULL", abut_world_add_bond(NULL, &def, &id));
    REFUSES(INVALID, "def is NULL", abut_world_add_bond(world, NULL, &id));
    REFUSES(UNSUPPORTED, "world: only the dem stepper has bonds", abut_world_add_bond(other, &def, &id));
    REFUSES(INVALID, "def->a and def->b are one body", abut_world_add_bond(world, &def, &id));
    def.b = floor;
    def.axis = (abut_vec3){0, 0, 0};
    REFUSES(INVALID, "def->axis has the length 0", abut_world_add_bond(world, &def, &id));
    def.axis = nan_y;
    REFUSES(NOT_FINITE, "def->axis.y is NaN", abut_world_add_bond(world, &def, &id));
    def.axis = (abut_vec3){0, 0, 1};
    def.point = nan_y;
    REFUSES(NOT_FINITE, "def->point.y is NaN", abut_world_add_bond(world, &def, &id));
    def.point = (abut_vec3){0, 0, 0};
    def.length = 0.0;
    REFUSES(INVALID, "def->length is 0", abut_world_add_bond(world, &def, &id));
    def.length = 1.0;
    def.radius = -1.0;
    REFUSES(INVALID, "def->radius is -1", abut_world_add_bond(world, &def, &id));
    def.radius = 1e200;
    REFUSES(NOT_FINITE, "def: a stiffness of this radius", abut_world_add_bond(world, &def, &id));
    def.radius = 1.0;
    def.young = 0.0;
    REFUSES(INVALID, "def->young is 0", abut_world_add_bond(world, &def, &id));
    def.young = 1.0;
    def.stiffness_ratio = NAN;
    REFUSES(NOT_FINITE, "def->stiffness_ratio is NaN", abut_world_add_bond(world, &def, &id));
    def.stiffness_ratio = 1.0;
    def.tensile_strength = NAN;
    REFUSES(NOT_FINITE, "def->tensile_strength is NaN", abut_world_add_bond(world, &def, &id));
    def.tensile_strength = INFINITY;
    def.shear_strength = 0.0;
    REFUSES(INVALID, "def->shear_strength is 0", abut_world_add_bond(world, &def, &id));
    def.shear_strength = 1.0;
    def.damping_ratio = -0.1;
    REFUSES(INVALID, "def->damping_ratio is -0.1", abut_world_add_bond(world, &def, &id));
    def.damping_ratio = 0.0;
    assert_int_equal(abut_world_add_bond(world, &def, &id), ABUT_OK);
    REFUSES(INVALID, "world is NULL", abut_world_bond_near(NULL, NULL, 0, 0.0, &def, NULL));
    REFUSES(INVALID, "def is NULL", abut_world_bond_near(world, NULL, 0, 0.0, NULL, NULL));
    REFUSES(INVALID, "count is -1", abut_world_bond_near(world, &body, -1, 0.0, &def, NULL));
    REFUSES(NOT_FINITE, "gap is NaN", abut_world_bond_near(world, NULL, 0, NAN, &def, NULL));
    REFUSES(UNSUPPORTED, "world: only the dem stepper has bonds", abut_world_bond_near(other, NULL, 0, 0.0, &def, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_bond_state(NULL, id, &read));
    REFUSES(INVALID, "state is NULL", abut_world_bond_state(world, id, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_bond_ids(NULL, few, 1, &count));
    REFUSES(INVALID, "ids is NULL", abut_world_bond_ids(world, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_bond_ids(world, few, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_bond_ids(world, few, 1, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_remove_bond(NULL, id));
    assert_int_equal(abut_world_bond_ids(world, few, 0, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 1);
    abut_world_destroy(world);
    abut_world_destroy(other);
}

static void test_cells(void **state) {
    (void)state;
    abut_body_id round, rigid, still, resting;
    abut_world *world = world_with(ABUT_STEPPER_DEM, ball, ABUT_BODY_DYNAMIC, &round),
               *other = world_with(ABUT_STEPPER_FIXED, grain, ABUT_BODY_DYNAMIC, &resting);
    abut_cell_def def = abut_cell_def_default();
    abut_cell_state read;
    abut_cell_node nodes[1];
    int32_t count;
    abut_body_def body = abut_body_def_default();
    body.shape = grain;
    assert_int_equal(abut_world_add_body(world, &body, &rigid), ABUT_OK);
    body.kind = ABUT_BODY_STATIC;
    assert_int_equal(abut_world_add_body(world, &body, &still), ABUT_OK);
    REFUSES(INVALID, "world is NULL", abut_world_make_cell(NULL, rigid, &def));
    REFUSES(INVALID, "def is NULL", abut_world_make_cell(world, rigid, NULL));
    REFUSES(INVALID, "def->stiffness is 0: it must be above 0", abut_world_make_cell(world, rigid, &def));
    def.stiffness = 1.0;
    def.damping = -1.0;
    REFUSES(INVALID, "def->damping is -1", abut_world_make_cell(world, rigid, &def));
    def.damping = 0.0;
    def.rest_ratio = NAN;
    REFUSES(NOT_FINITE, "def->rest_ratio is NaN", abut_world_make_cell(world, rigid, &def));
    def.rest_ratio = 1.0;
    def.pressure = INFINITY;
    REFUSES(NOT_FINITE, "def->pressure is", abut_world_make_cell(world, rigid, &def));
    def.pressure = 0.0;
    def.bulk_modulus = -1.0;
    REFUSES(INVALID, "def->bulk_modulus is -1", abut_world_make_cell(world, rigid, &def));
    def.bulk_modulus = 0.0;
    REFUSES(UNSUPPORTED, "world: only the dem stepper has elastic cells", abut_world_make_cell(other, resting, &def));
    REFUSES(INVALID, "id names a body that is not dynamic", abut_world_make_cell(world, still, &def));
    REFUSES(INVALID, "the body's shape is a sphere: it must be a facetmesh", abut_world_make_cell(world, round, &def));
    def.stiffness = 1e308;
    REFUSES(NOT_FINITE, "def: a length, mass or frequency of the cell", abut_world_make_cell(world, rigid, &def));
    def.stiffness = 1.0;
    assert_int_equal(abut_world_make_cell(world, rigid, &def), ABUT_OK);
    REFUSES(INVALID, "id names a body that is a cell already", abut_world_make_cell(world, rigid, &def));
    REFUSES(INVALID, "world is NULL", abut_world_cell_state(NULL, rigid, &read));
    REFUSES(INVALID, "state is NULL", abut_world_cell_state(world, rigid, NULL));
    REFUSES(INVALID, "id names a body that is no cell", abut_world_cell_state(world, round, &read));
    REFUSES(INVALID, "world is NULL", abut_world_cell_nodes(NULL, rigid, nodes, 1, &count));
    REFUSES(INVALID, "nodes is NULL", abut_world_cell_nodes(world, rigid, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_cell_nodes(world, rigid, nodes, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_cell_nodes(world, rigid, nodes, 1, NULL));
    REFUSES(INVALID, "id names a body that is no cell", abut_world_cell_nodes(world, round, nodes, 1, &count));
    assert_int_equal(abut_world_cell_nodes(world, rigid, nodes, 1, &count), ABUT_ERROR_CAPACITY);
    abut_cell_node many[64];
    assert_true(count <= 64);
    assert_int_equal(abut_world_cell_nodes(world, rigid, many, 64, &count), ABUT_OK);
    REFUSES(INVALID, "world is NULL", abut_world_set_cell_nodes(NULL, rigid, many, count));
    REFUSES(INVALID, "nodes is NULL", abut_world_set_cell_nodes(world, rigid, NULL, count));
    REFUSES(INVALID, "count is -1: the cell has", abut_world_set_cell_nodes(world, rigid, many, -1));
    REFUSES(INVALID, "id names a body that is no cell", abut_world_set_cell_nodes(world, round, many, count));
    many[0].velocity.y = NAN;
    REFUSES(NOT_FINITE, "nodes[0] has a number that is not finite", abut_world_set_cell_nodes(world, rigid, many, count));
    many[0].velocity.y = 0.0;
    for (int32_t i = 0; i < count; i++) {
        many[i].position.x = -many[i].position.x;
    }
    REFUSES(NOT_OUTWARD, "the triangles are wound inward", abut_world_set_cell_nodes(world, rigid, many, count));
    for (int32_t i = 0; i < count; i++) {
        many[i].position.x *= -2.0;
    }
    assert_int_equal(abut_world_set_cell_nodes(world, rigid, many, count), ABUT_OK);
    REFUSES(UNSUPPORTED, "id names an elastic cell: its shape", abut_world_set_body_shape(world, rigid, grain));
    REFUSES(UNSUPPORTED, "id names an elastic cell: its mass", abut_world_set_body_mass(world, rigid, 1.0));
    abut_world_destroy(world);
    abut_world_destroy(other);
}

static void test_steps(void **state) {
    (void)state;
    const abut_world_contact *contacts;
    unsigned char saved[4];
    abut_step_report report;
    abut_body_id id;
    size_t size;
    int32_t count;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, box, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_step(NULL, 0.01, NULL));
    REFUSES(INVALID, "dt is 0: it must be above 0", abut_world_step(world, 0.0, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_report(NULL, &report));
    REFUSES(INVALID, "report is NULL", abut_world_report(world, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_contacts(NULL, &contacts, &count));
    REFUSES(INVALID, "contacts is NULL", abut_world_contacts(world, NULL, &count));
    REFUSES(INVALID, "count is NULL", abut_world_contacts(world, &contacts, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_save(NULL, saved, sizeof saved, &size));
    REFUSES(INVALID, "saved is NULL", abut_world_save(world, NULL, sizeof saved, &size));
    REFUSES(INVALID, "size is NULL", abut_world_save(world, saved, sizeof saved, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_restore(NULL, saved, sizeof saved));
    REFUSES(INVALID, "saved is NULL", abut_world_restore(world, NULL, sizeof saved));
    abut_world_destroy(world);
}

static void test_filters_and_events(void **state) {
    (void)state;
    const abut_world_event *events;
    const abut_filter filter = {1, 1, 0};
    int32_t count;
    abut_body_id id;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, ball, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_set_body_filter(NULL, id, filter));
    REFUSES(INVALID, "world is NULL", abut_world_events(NULL, &events, &count));
    REFUSES(INVALID, "events is NULL", abut_world_events(world, NULL, &count));
    REFUSES(INVALID, "count is NULL", abut_world_events(world, &events, NULL));
    abut_world_destroy(world);
}

static void test_rays_and_casts_through_worlds(void **state) {
    (void)state;
    const abut_ray ray = {{0, 0, 0}, {1, 0, 0}}, none = {{0, 0, 0}, {0, 0, 0}}, lost_ray = {{0, NAN, 0}, {1, 0, 0}};
    const abut_ray long_ray = {{0, 0, 0}, {DBL_MAX, DBL_MAX, 0}};
    abut_cast cast = {.shape = ball, .pose = at_origin, .motion = {{1, 0, 0}, {0, 0, 0}}};
    abut_world_hit hit;
    int32_t count;
    abut_body_id id;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, ball, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_ray_cast(NULL, ray, NULL, &hit));
    REFUSES(INVALID, "ray.translation is zero", abut_world_ray_cast(world, none, NULL, &hit));
    REFUSES(NOT_FINITE, "ray.origin.y is NaN", abut_world_ray_cast(world, lost_ray, NULL, &hit));
    REFUSES(NOT_FINITE, "ray.translation is too large", abut_world_ray_cast(world, long_ray, NULL, &hit));
    REFUSES(INVALID, "hit is NULL", abut_world_ray_cast(world, ray, NULL, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_ray_cast_all(NULL, ray, NULL, &hit, 1, &count));
    REFUSES(INVALID, "ray.translation is zero", abut_world_ray_cast_all(world, none, NULL, &hit, 1, &count));
    REFUSES(INVALID, "hits is NULL", abut_world_ray_cast_all(world, ray, NULL, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_ray_cast_all(world, ray, NULL, &hit, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_ray_cast_all(world, ray, NULL, &hit, 1, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_ray_cast_batch(NULL, &ray, 1, NULL, &hit));
    REFUSES(INVALID, "rays is NULL", abut_world_ray_cast_batch(world, NULL, 1, NULL, &hit));
    REFUSES(INVALID, "count is -1", abut_world_ray_cast_batch(world, &ray, -1, NULL, &hit));
    REFUSES(INVALID, "hits is NULL", abut_world_ray_cast_batch(world, &ray, 1, NULL, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_shape_cast(NULL, &cast, NULL, &hit));
    REFUSES(INVALID, "cast is NULL", abut_world_shape_cast(world, NULL, NULL, &hit));
    REFUSES(INVALID, "hit is NULL", abut_world_shape_cast(world, &cast, NULL, NULL));
    cast.tolerance = -1.0;
    REFUSES(INVALID, "cast->tolerance is -1", abut_world_shape_cast(world, &cast, NULL, &hit));
    cast.motion.linear.x = DBL_MAX;
    cast.tolerance = 0.0;
    REFUSES(NOT_FINITE, "the square of cast->motion overflows", abut_world_shape_cast(world, &cast, NULL, &hit));
    REFUSES(INVALID, "world is NULL", abut_world_shape_cast_batch(NULL, &cast, 1, NULL, &hit));
    REFUSES(INVALID, "casts is NULL", abut_world_shape_cast_batch(world, NULL, 1, NULL, &hit));
    REFUSES(INVALID, "count is -1", abut_world_shape_cast_batch(world, &cast, -1, NULL, &hit));
    REFUSES(INVALID, "hits is NULL", abut_world_shape_cast_batch(world, &cast, 1, NULL, NULL));
    abut_world_destroy(world);
}

static void test_overlaps_and_nearest_bodies(void **state) {
    (void)state;
    const abut_aabb unit = {{0, 0, 0}, {1, 1, 1}}, empty = {{1, 0, 0}, {0, 1, 1}};
    abut_body_id ids[1], id;
    abut_world_near near;
    int32_t count;
    abut_world *world = world_with(ABUT_STEPPER_FIXED, ball, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_overlap_box(NULL, unit, NULL, ids, 1, &count));
    REFUSES(INVALID, "box is empty or NaN", abut_world_overlap_box(world, empty, NULL, ids, 1, &count));
    REFUSES(INVALID, "ids is NULL", abut_world_overlap_box(world, unit, NULL, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_overlap_box(world, unit, NULL, ids, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_overlap_box(world, unit, NULL, ids, 1, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_overlap_shape(NULL, ball, at_origin, NULL, ids, 1, &count));
    REFUSES(INVALID, "shape is NULL", abut_world_overlap_shape(world, NULL, at_origin, NULL, ids, 1, &count));
    REFUSES(INVALID, "pose", abut_world_overlap_shape(world, ball, turned_badly, NULL, ids, 1, &count));
    REFUSES(INVALID, "ids is NULL", abut_world_overlap_shape(world, ball, at_origin, NULL, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_overlap_shape(world, ball, at_origin, NULL, ids, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_overlap_shape(world, ball, at_origin, NULL, ids, 1, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_closest(NULL, ball, at_origin, 1.0, NULL, &near));
    REFUSES(INVALID, "shape is NULL", abut_world_closest(world, NULL, at_origin, 1.0, NULL, &near));
    REFUSES(INVALID, "pose", abut_world_closest(world, ball, turned_badly, 1.0, NULL, &near));
    REFUSES(INVALID, "farthest is NaN", abut_world_closest(world, ball, at_origin, NAN, NULL, &near));
    REFUSES(INVALID, "near is NULL", abut_world_closest(world, ball, at_origin, 1.0, NULL, NULL));
    REFUSES(INVALID, "world is NULL", abut_world_closest_to_point(NULL, zero, 1.0, NULL, &near));
    REFUSES(NOT_FINITE, "point.y is NaN", abut_world_closest_to_point(world, nan_y, 1.0, NULL, &near));
    REFUSES(INVALID, "farthest is NaN", abut_world_closest_to_point(world, zero, NAN, NULL, &near));
    REFUSES(INVALID, "near is NULL", abut_world_closest_to_point(world, zero, 1.0, NULL, NULL));
    abut_world_destroy(world);
}

/* A step that fails names the body. */
static void test_steps_that_fail(void **state) {
    (void)state;
    const abut_motion wild = {{DBL_MAX, 0, 0}, {0, 0, 0}};
    abut_world_overlap overlaps[1];
    int32_t count = 0;
    abut_body_id id;
    abut_world *world = world_with(ABUT_STEPPER_EVENT, sheet, ABUT_BODY_KINEMATIC, &id);
    REFUSES(UNSUPPORTED_PAIR, "body 1 (generation 0): the event stepper takes open triangle meshes and height fields as static bodies",
            abut_world_step(world, 0.01, NULL));
    abut_world_destroy(world);
    world = world_with(ABUT_STEPPER_DEM, thread, ABUT_BODY_DYNAMIC, &id);
    REFUSES(UNSUPPORTED_PAIR, "body 1 (generation 0): the dem stepper does not take smooth bodies", abut_world_step(world, 0.01, NULL));
    abut_world_destroy(world);
    world = world_with(ABUT_STEPPER_FIXED, ball, ABUT_BODY_DYNAMIC, &id);
    REFUSES(INVALID, "world is NULL", abut_world_check(NULL));
    REFUSES(INVALID, "world is NULL", abut_world_overlaps(NULL, overlaps, 1, &count));
    REFUSES(INVALID, "overlaps is NULL", abut_world_overlaps(world, NULL, 1, &count));
    REFUSES(INVALID, "capacity is -1", abut_world_overlaps(world, overlaps, -1, &count));
    REFUSES(INVALID, "count is NULL", abut_world_overlaps(world, overlaps, 1, NULL));
    assert_int_equal(abut_world_set_body_motion(world, id, wild), ABUT_OK);
    REFUSES(NOT_FINITE, "body 1 (generation 0): its state is not finite", abut_world_step(world, 1e10, NULL));
    abut_world_destroy(world);
}

int main(void) {
    if (!ABUT_TEST_HAS_MESSAGES) {
        return 77; /* built with -DABUT_MESSAGES=OFF */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_that_are_not_finite_read_the_same_everywhere),
        cmocka_unit_test(test_a_call_without_a_name_says_nothing),
        cmocka_unit_test(test_a_refusal_without_a_log_is_the_same),
        cmocka_unit_test(test_what_is_accepted_says_nothing),
        cmocka_unit_test(test_allocator),
        cmocka_unit_test(test_round_shapes),
        cmocka_unit_test(test_contraction_points),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_frustums),
        cmocka_unit_test(test_flat_shapes),
        cmocka_unit_test(test_polytopes),
        cmocka_unit_test(test_compounds),
        cmocka_unit_test(test_questions_about_shapes),
        cmocka_unit_test(test_implicit_shapes),
        cmocka_unit_test(test_parametric_shapes),
        cmocka_unit_test(test_formulas),
        cmocka_unit_test(test_definitions_of_shapes),
        cmocka_unit_test(test_curvature),
        cmocka_unit_test(test_trimeshes),
        cmocka_unit_test(test_heightfields),
        cmocka_unit_test(test_facetmeshes),
        cmocka_unit_test(test_facets_of_shapes),
        cmocka_unit_test(test_simplices),
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_depth_gradients),
        cmocka_unit_test(test_depth_batches),
        cmocka_unit_test(test_tetra_meshes),
        cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_lcp),
        cmocka_unit_test(test_pressure_laws),
        cmocka_unit_test(test_pressure_pair),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_collide_settings),
        cmocka_unit_test(test_mesh_groups),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_placed),
        cmocka_unit_test(test_placed_batches),
        cmocka_unit_test(test_queries),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_reduction),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_extremal_pairs),
        cmocka_unit_test(test_facets_with_facets),
        cmocka_unit_test(test_facets_with_spheres_and_planes),
        cmocka_unit_test(test_facets_of_bodies),
        cmocka_unit_test(test_worlds),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_questions_about_bodies),
        cmocka_unit_test(test_forces_and_values_of_bodies),
        cmocka_unit_test(test_springs),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_bonds),
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_steps_that_fail),
        cmocka_unit_test(test_filters_and_events),
        cmocka_unit_test(test_rays_and_casts_through_worlds),
        cmocka_unit_test(test_overlaps_and_nearest_bodies),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
