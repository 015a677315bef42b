/* Shapes from the words of a command. */
#include "core/shape.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <map>

#include <abut/facetmesh.h>
#include <abut/mesh.h>

#include "io/mesh/facetmesh_file.h"
#include "io/mesh/trimesh_file.h"

namespace abut_lammps {
namespace {

Handle owned(const abut_shape *shape) { return Handle(shape, abut_shape_release); }

/* ---- figures of a shape ---- */

void weigh(Shape &shape) {
    abut_mass mass;
    abut_status status = abut_shape_mass(shape.handle.get(), 1.0, &mass);
    if (status != ABUT_OK) {
        throw Mistake(shape.name + ": mass and inertia of the shape: " + abut_status_message(status));
    }
    shape.volume = mass.volume;
    shape.layer = std::cbrt(mass.volume);
    shape.centre = mass.centre;
    shape.unit = inertia_of(mass.inertia);
}

/* The height of the cap of a facet over its triangle. */
double height_of(const abut_facet_sphere &sphere, const abut_vec3 &corner) {
    return std::isfinite(sphere.radius) ? sphere.radius - abut_dot(abut_sub(corner, sphere.centre), sphere.normal) : 0.0;
}

/* A cap lies inside its sphere, and inside the ball about the circle of its corners. */
double extent_of(const abut_facet_sphere &sphere, const abut_vec3 &corner) {
    abut_vec3 foot = abut_add_scaled(sphere.centre, abut_dot(abut_sub(corner, sphere.centre), sphere.normal), sphere.normal);
    return std::min(abut_length(foot) + abut_distance_between(corner, foot), abut_length(sphere.centre) + sphere.radius);
}

using Numbers = std::map<std::array<double, 3>, int>;

/* The same number for corners at the same place. */
std::array<int, 3> numbered(const abut_triangle &triangle, Numbers &numbers) {
    std::array<int, 3> corners;
    for (int k = 0; k < 3; ++k) {
        const abut_vec3 &p = triangle.corner[k];
        corners[k] = numbers.try_emplace({p.x, p.y, p.z}, static_cast<int>(numbers.size())).first->second;
    }
    return corners;
}

void measure_facets(Shape &shape) {
    Numbers numbers;
    for (int32_t i = 0; i < abut_shape_facet_count(shape.handle.get()); ++i) {
        abut_triangle triangle;
        abut_facet_sphere sphere;
        if (abut_shape_triangle(shape.handle.get(), i, &triangle) != ABUT_OK ||
            abut_shape_facet_sphere(shape.handle.get(), abut_pose_identity(), i, &sphere) != ABUT_OK) {
            throw Mistake(shape.name + ": triangle " + std::to_string(i) + " has no sphere");
        }
        double height = height_of(sphere, triangle.corner[0]);
        shape.extent = std::max(shape.extent, extent_of(sphere, triangle.corner[0]));
        for (const abut_vec3 &p : triangle.corner) {
            shape.reach = std::max(shape.reach, abut_distance_between(p, shape.centre) + height);
        }
        shape.facets.push_back(numbered(triangle, numbers));
    }
}

/* Facets of a surface are numbered as in the library's skin: triangles without an area are left out, and the back of a triangle follows its front. */
void measure_surface(Shape &shape, bool two_sided) {
    Numbers numbers;
    for (int32_t i = 0; i < abut_shape_triangle_count(shape.handle.get()); ++i) {
        abut_triangle triangle;
        abut_facet_sphere sphere;
        if (abut_shape_triangle(shape.handle.get(), i, &triangle) != ABUT_OK) {
            throw Mistake(shape.name + ": triangle " + std::to_string(i) + " cannot be read");
        }
        const abut_facet facet{{triangle.corner[0], triangle.corner[1], triangle.corner[2]}, INFINITY};
        if (abut_facet_make_sphere(&facet, &sphere) != ABUT_OK) {
            continue;
        }
        shape.extent = std::max(shape.extent, extent_of(sphere, triangle.corner[0]));
        shape.facets.insert(shape.facets.end(), two_sided ? 2 : 1, numbered(triangle, numbers));
    }
    if (shape.facets.empty()) {
        throw Mistake(shape.name + ": no triangle has an area");
    }
    shape.reach = shape.extent;
}

/* ---- bodies of rounded triangles ---- */

double read_radius(Words &words, const std::string &what) {
    const std::string word = words.peek();
    if (word == "flat" || word == "estimated") {
        words.text(what);
        return word == "flat" ? INFINITY : 0.0;
    }
    return words.positive(what + " (a length, flat or estimated)");
}

Shape read_mesh(Words &words) {
    Shape shape;
    shape.kind = ABUT_SHAPE_FACETMESH;
    shape.name = words.text("the file after 'mesh'");
    abut_facetmesh_options options = abut_facetmesh_options_default();
    std::list<std::string> names;
    std::vector<abut_group_radius> groups;
    for (std::string word = words.peek(); word == "scale" || word == "radius" || word == "radii"; word = words.peek()) {
        words.text(word);
        if (word == "scale") {
            double scale = words.positive("scale");
            options.scale = abut_vec3_make(scale, scale, scale);
        } else if (word == "radius") {
            options.radius = read_radius(words, "radius");
        } else {
            names.push_back(words.text("the group after 'radii'"));
            groups.push_back({names.back().c_str(), read_radius(words, "the radius of the group " + names.back())});
        }
    }
    options.groups = groups.data();
    options.group_count = static_cast<int32_t>(groups.size());
    abut_shape *made = nullptr;
    abut_error error;
    if (abut_facetmesh_load(shape.name.c_str(), &options, nullptr, &made, &error) != ABUT_OK) {
        throw Mistake(error.message);
    }
    shape.handle = owned(made);
    weigh(shape);
    measure_facets(shape);
    return shape;
}

Shape read_sphere(Words &words) {
    Shape shape;
    shape.name = "sphere";
    shape.radius = shape.reach = shape.extent = words.positive("the radius after 'sphere'");
    abut_shape *made = nullptr;
    abut_status status = abut_shape_create_sphere(shape.radius, &made);
    if (status != ABUT_OK) {
        throw Mistake("sphere " + written(shape.radius) + ": " + abut_status_message(status));
    }
    shape.handle = owned(made);
    weigh(shape);
    return shape;
}

} // namespace

Shape read_shape(Words &words) {
    std::string kind = words.text("the shape ('mesh FILE' or 'sphere RADIUS')");
    if (kind == "mesh") {
        return read_mesh(words);
    }
    if (kind == "sphere") {
        return read_sphere(words);
    }
    throw Mistake("the shape must be 'mesh FILE' or 'sphere RADIUS', and begins with '" + kind + "'");
}

Shape read_surface(Words &words) {
    Shape shape;
    shape.kind = ABUT_SHAPE_TRIMESH;
    shape.name = words.text("the file after 'surface'");
    abut_trimesh_options options = abut_trimesh_options_default();
    options.two_sided = true;
    for (std::string word = words.peek(); word == "scale" || word == "sides"; word = words.peek()) {
        words.text(word);
        double value = words.positive(word);
        if (word == "scale") {
            options.scale = abut_vec3_make(value, value, value);
        } else if (value == 1.0 || value == 2.0) {
            options.two_sided = value == 2.0;
        } else {
            throw Mistake("sides must be 1 or 2, and is " + written(value));
        }
    }
    abut_shape *made = nullptr;
    abut_error error;
    if (abut_trimesh_load(shape.name.c_str(), &options, nullptr, &made, &error) != ABUT_OK) {
        throw Mistake(error.message);
    }
    shape.handle = owned(made);
    abut_mass mass;
    shape.layer = abut_shape_mass(made, 1.0, &mass) == ABUT_OK ? std::cbrt(mass.volume) : INFINITY;
    measure_surface(shape, options.two_sided);
    return shape;
}

Shape read_plane(Words &words) {
    Shape shape;
    shape.kind = ABUT_SHAPE_PLANE;
    shape.name = "plane";
    shape.layer = shape.reach = shape.extent = INFINITY;
    double x = words.number("the x component of the plane's normal"), y = words.number("the y component of the plane's normal"),
           z = words.number("the z component of the plane's normal");
    abut_shape *made = nullptr;
    abut_status status = abut_shape_create_plane(abut_vec3_make(x, y, z), 0.0, &made);
    if (status != ABUT_OK) {
        throw Mistake("the plane's normal " + written(x) + " " + written(y) + " " + written(z) + ": " + abut_status_message(status));
    }
    shape.handle = owned(made);
    shape.normal = abut_shape_plane_normal(made);
    return shape;
}

} // namespace abut_lammps
