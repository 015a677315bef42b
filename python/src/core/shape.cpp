/* Shapes. Every function makes one from arrays; Python's side keeps the definition with it. */
#include <memory>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "core.h"

namespace {

using Triangles = nb::ndarray<const int32_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using Heights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Parameters = std::vector<std::pair<std::string, double>>;

/* The shape that a call has made: make(&shape) returns a status. */
template <typename Make> Shape *made(Make make) {
    abut_shape *shape = nullptr;
    forget_message();
    check(make(&shape));
    return new Shape(shape);
}

Shape *polytope(const Vectors &vertices, const Indices &sizes, const Indices &corners, double tolerance) {
    abut_polytope_def def = {};
    def.vertices = vectors(vertices);
    def.vertex_count = count_of(vertices.shape(0));
    def.face_sizes = sizes.data();
    def.face_count = count_of(sizes.size());
    def.face_vertices = corners.data();
    def.tolerance = tolerance;
    int64_t sum = 0;
    for (size_t i = 0; i < sizes.size(); i++) {
        sum += sizes(i) > 0 ? sizes(i) : 0;
    }
    if (sum != static_cast<int64_t>(corners.size())) {
        throw nb::value_error("the sizes of the faces do not add up to the number of their corners");
    }
    return made([&](abut_shape **shape) { return abut_shape_create_polytope(&def, nullptr, shape); });
}

Shape *compound(const std::vector<Shape *> &shapes, const Poses &places) {
    if (shapes.size() != rows(places)) {
        throw nb::value_error("a compound needs one pose for each part");
    }
    std::vector<abut_part> parts(shapes.size());
    for (size_t i = 0; i < shapes.size(); i++) {
        parts[i] = {shapes[i]->shape, poses(places)[i]};
    }
    return made([&](abut_shape **shape) { return abut_shape_create_compound(parts.data(), count_of(parts.size()), shape); });
}

Shape *trimesh(const Vectors &vertices, const Triangles &triangles, const Numbers &scale, bool two_sided, double smooth_angle) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vectors(vertices);
    def.vertex_count = count_of(vertices.shape(0));
    def.triangles = triangles.data();
    def.triangle_count = count_of(triangles.shape(0));
    def.scale = vector(scale);
    def.two_sided = two_sided;
    def.smooth_angle = smooth_angle;
    return made([&](abut_shape **shape) {
        nb::gil_scoped_release released;
        return abut_shape_create_trimesh(&def, nullptr, shape);
    });
}

Shape *heightfield(const Heights &heights, double spacing_x, double spacing_y, bool two_sided) {
    abut_heightfield_def def = {};
    def.heights = heights.data();
    def.rows = count_of(heights.shape(0));
    def.columns = count_of(heights.shape(1));
    def.spacing_x = spacing_x;
    def.spacing_y = spacing_y;
    def.two_sided = two_sided;
    return made([&](abut_shape **shape) {
        nb::gil_scoped_release released;
        return abut_shape_create_heightfield(&def, shape);
    });
}

Shape *facetmesh(const Vectors &vertices, const Triangles &triangles, const std::optional<Numbers> &radii,
                 const std::optional<Numbers> &cross_radii, const std::optional<Vectors> &directions, double lip_radius, bool principal) {
    const size_t count = triangles.shape(0);
    if ((radii && radii->size() != count) || (cross_radii && cross_radii->size() != count) ||
        (directions && directions->shape(0) != count)) {
        throw nb::value_error("a facetmesh needs one radius for each triangle, or none at all");
    }
    abut_facetmesh_def def = abut_facetmesh_def_default();
    def.vertices = vectors(vertices);
    def.vertex_count = count_of(vertices.shape(0));
    def.triangles = triangles.data();
    def.triangle_count = count_of(triangles.shape(0));
    def.radii = radii ? radii->data() : nullptr;
    def.cross_radii = cross_radii ? cross_radii->data() : nullptr;
    def.directions = directions ? vectors(*directions) : nullptr;
    def.lip_radius = lip_radius;
    def.principal = principal;
    return made([&](abut_shape **shape) {
        nb::gil_scoped_release released;
        return abut_shape_create_facetmesh(&def, nullptr, shape);
    });
}

/* inertia: nine numbers, row by row */
Shape *with_mass(const Shape &of, double mass, const Numbers &centre, const Numbers &inertia) {
    if (inertia.size() != 9) {
        throw nb::value_error("an inertia has nine numbers");
    }
    abut_mass given = {};
    given.mass = mass;
    given.centre = vector(centre);
    given.inertia.x = abut_vec3_make(inertia(0), inertia(3), inertia(6));
    given.inertia.y = abut_vec3_make(inertia(1), inertia(4), inertia(7));
    given.inertia.z = abut_vec3_make(inertia(2), inertia(5), inertia(8));
    return made([&](abut_shape **shape) { return abut_shape_create_with_mass(of.shape, &given, shape); });
}

std::vector<abut_formula_parameter> parameters_of(const Parameters &named) {
    std::vector<abut_formula_parameter> parameters;
    for (const auto &one : named) {
        parameters.push_back({one.first.c_str(), one.second});
    }
    return parameters;
}

/* A formula's own error says more than the message of the library. */
[[noreturn]] void refuse_formula(abut_status status, const abut_formula_error &error) {
    std::string message = message_of(status);
    if (error.message[0] != '\0') {
        message = error.message;
        if (error.column > 0) {
            message = "formula " + std::to_string(error.formula) + ", column " + std::to_string(error.column) + ": " + message;
        }
    }
    forget_message();
    throw Failure(status, message);
}

Shape *implicit(const std::string &formula, const Numbers &lower, const Numbers &upper, const Numbers &inside, const Parameters &named,
                bool convex) {
    std::vector<abut_formula_parameter> parameters = parameters_of(named);
    abut_implicit_formula_def def = {};
    def.formula = formula.c_str();
    def.parameters = parameters.data();
    def.parameter_count = count_of(parameters.size());
    def.bounds = {vector(lower), vector(upper)};
    def.inside = vector(inside);
    def.convex = convex;
    abut_formula_error error = {};
    abut_shape *shape = nullptr;
    forget_message();
    abut_status status = abut_shape_create_implicit_formula(&def, &error, &shape);
    if (status != ABUT_OK) {
        refuse_formula(status, error);
    }
    return new Shape(shape);
}

using Range = std::pair<double, double>;
Shape *parametric(const std::tuple<std::string, std::string, std::string> &surface, Range u, Range v, bool u_periodic, bool v_periodic,
                  const Parameters &named, bool convex) {
    std::vector<abut_formula_parameter> parameters = parameters_of(named);
    abut_parametric_formula_def def = {};
    def.x = std::get<0>(surface).c_str();
    def.y = std::get<1>(surface).c_str();
    def.z = std::get<2>(surface).c_str();
    def.parameters = parameters.data();
    def.parameter_count = count_of(parameters.size());
    def.u_range[0] = u.first;
    def.u_range[1] = u.second;
    def.v_range[0] = v.first;
    def.v_range[1] = v.second;
    def.u_periodic = u_periodic;
    def.v_periodic = v_periodic;
    def.convex = convex;
    abut_formula_error error = {};
    abut_shape *shape = nullptr;
    forget_message();
    abut_status status = abut_shape_create_parametric_formula(&def, &error, &shape);
    if (status != ABUT_OK) {
        refuse_formula(status, error);
    }
    return new Shape(shape);
}

/* ---- what a shape tells */
Bytes mass(const Shape &shape, double density) {
    abut_mass mass;
    forget_message();
    check(abut_shape_mass(shape.shape, density, &mass));
    return record(mass);
}

std::tuple<double, double, double> tuple_of(abut_vec3 v) { return {v.x, v.y, v.z}; }

nb::tuple bounds(const Shape &shape, const Poses &pose) {
    abut_aabb box = abut_shape_bounds(shape.shape, poses(pose)[0]);
    return nb::make_tuple(tuple_of(box.lower), tuple_of(box.upper));
}

nb::tuple support(const Shape &shape, const Numbers &direction) {
    abut_vec3 point;
    int32_t vertex;
    forget_message();
    check(abut_shape_support(shape.shape, vector(direction), &point, &vertex));
    return nb::make_tuple(tuple_of(point), vertex);
}

/* Vertices, and faces as lists of their corners, of a box or polytope. */
nb::tuple surface(const Shape &shape) {
    abut_polytope_view view;
    forget_message();
    check(abut_shape_polytope(shape.shape, &view));
    std::vector<std::tuple<double, double, double>> vertices;
    for (int32_t i = 0; i < view.vertex_count; i++) {
        vertices.push_back(tuple_of(view.vertices[i]));
    }
    std::vector<std::vector<int32_t>> faces;
    for (int32_t i = 0; i < view.face_count; i++) {
        faces.emplace_back(view.face_vertices + view.face_first[i], view.face_vertices + view.face_first[i + 1]);
    }
    return nb::make_tuple(vertices, faces);
}

Bytes triangles(const Shape &shape) {
    int32_t count = abut_shape_triangle_count(shape.shape);
    std::vector<abut_triangle> all(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; i++) {
        check(abut_shape_triangle(shape.shape, i, &all[static_cast<size_t>(i)]));
    }
    std::vector<int32_t> corners;
    for (const abut_triangle &triangle : all) {
        corners.insert(corners.end(), triangle.vertex, triangle.vertex + 3);
    }
    return records(std::move(corners));
}

Shapes *shapes_of(const std::vector<nb::object> &all) {
    auto shapes = std::make_unique<Shapes>();
    for (const nb::object &one : all) {
        if (!nb::isinstance<Shape>(one)) {
            throw nb::type_error("a shape, abut.Shapes or a sequence of shapes is expected");
        }
        shapes->shape.push_back(nb::cast<const Shape &>(one).shape);
        shapes->owner.push_back(one);
    }
    return shapes.release();
}

Shapes *take(const Shapes &shapes, const Indices &indices) {
    auto taken = std::make_unique<Shapes>();
    taken->owner = shapes.owner;
    taken->shape.reserve(indices.size());
    for (size_t i = 0; i < indices.size(); i++) {
        int32_t index = indices(i);
        if (index < 0 || static_cast<size_t>(index) >= shapes.shape.size()) {
            throw nb::index_error("Shapes.take: an index is out of range");
        }
        taken->shape.push_back(shapes.shape[static_cast<size_t>(index)]);
    }
    return taken.release();
}

} // namespace

void define_shape(nb::module_ &module) {
    nb::class_<Shape>(module, "Shape",
                      "A shape: the geometry of bodies. Immutable; the functions of abut that are named after kinds make them.")
        .def_prop_ro(
            "kind", [](const Shape &shape) { return std::string(abut_kind_name(abut_shape_kind(shape.shape))); },
            "Name of the kind of shape.")
        .def_rw("definition", &Shape::definition, nb::arg().none(),
                "What the shape was made from: the name of a function and its arguments.");
    nb::class_<Shapes>(module, "Shapes", "Many shapes, one for each element of a batch.")
        .def("__len__", [](const Shapes &shapes) { return shapes.shape.size(); })
        .def("take", &take, nb::arg("indices"), "The shapes with these indices, in this order; an index may occur many times.");
    module.def("shapes", &shapes_of, nb::arg("all"));
    module.def("sphere", [](double radius) { return made([&](abut_shape **shape) { return abut_shape_create_sphere(radius, shape); }); });
    module.def("capsule", [](double radius, double half) {
        return made([&](abut_shape **shape) { return abut_shape_create_capsule(radius, half, shape); });
    });
    module.def("box",
               [](const Numbers &half) { return made([&](abut_shape **shape) { return abut_shape_create_box(vector(half), shape); }); });
    module.def("polytope", &polytope);
    module.def("hull", [](const Vectors &points) {
        return made([&](abut_shape **shape) { return abut_shape_create_hull(vectors(points), count_of(points.shape(0)), shape); });
    });
    module.def("cylinder", [](double radius, double half) {
        return made([&](abut_shape **shape) { return abut_shape_create_cylinder(radius, half, shape); });
    });
    module.def("cone", [](double radius, double height) {
        return made([&](abut_shape **shape) { return abut_shape_create_cone(radius, height, shape); });
    });
    module.def("frustum", [](double radius, double top, double height) {
        return made([&](abut_shape **shape) { return abut_shape_create_frustum(radius, top, height, shape); });
    });
    module.def("prism", [](double radius, double half, int32_t sides) {
        return made([&](abut_shape **shape) { return abut_shape_create_prism(radius, half, sides, shape); });
    });
    module.def("pyramid", [](double radius, double height, int32_t sides) {
        return made([&](abut_shape **shape) { return abut_shape_create_pyramid(radius, height, sides, shape); });
    });
    module.def("plane", [](const Numbers &normal, double offset) {
        return made([&](abut_shape **shape) { return abut_shape_create_plane(vector(normal), offset, shape); });
    });
    module.def("compound", &compound);
    module.def("ellipsoid", [](const Numbers &half) {
        return made([&](abut_shape **shape) { return abut_shape_create_ellipsoid(vector(half), shape); });
    });
    module.def("superquadric", [](const Numbers &half, double e1, double e2) {
        return made([&](abut_shape **shape) { return abut_shape_create_superquadric(vector(half), e1, e2, shape); });
    });
    module.def("torus", [](double ring, double tube) {
        return made([&](abut_shape **shape) { return abut_shape_create_torus(ring, tube, shape); });
    });
    module.def("implicit", &implicit);
    module.def("parametric", &parametric);
    module.def("trimesh", &trimesh);
    module.def("heightfield", &heightfield);
    module.def("facetmesh", &facetmesh, nb::arg("vertices"), nb::arg("triangles"), nb::arg("radii").none(), nb::arg("cross_radii").none(),
               nb::arg("directions").none(), nb::arg("lip_radius"), nb::arg("principal"));
    module.def("with_contraction", [](const Shape &of, const Numbers &point) {
        return made([&](abut_shape **shape) { return abut_shape_create_with_contraction(of.shape, vector(point), shape); });
    });
    module.def("with_mass", &with_mass);
    module.def("mass", &mass);
    module.def("bounds", &bounds);
    module.def("support", &support);
    module.def("surface", &surface);
    module.def("triangles", &triangles);
}
