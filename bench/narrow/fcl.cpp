// FCL: fcl::collide() with contacts and fcl::distance() with nearest points, each with both of FCL's solvers: its own use of libccd
// (GST_LIBCCD, the default) and GST_INDEP. Geometries and transforms are made beforehand; tolerances are FCL's defaults, 1e-6.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include "engines.h"

namespace {

constexpr std::size_t most_contacts = 64;

struct state {
    const input_set *set;
    std::vector<std::unique_ptr<fcl::CollisionGeometryd>> shapes; // [2 pairs]
    std::vector<fcl::Transform3d> poses;                          // [2 questions]
    fcl::CollisionRequestd collide_request;
    fcl::DistanceRequestd distance_request;
    fcl::CollisionResultd contacts;
    fcl::DistanceResultd distance;
    std::vector<fcl::Vector3d> guesses; // [pairs]: where GJK ended at the step before
};

std::unique_ptr<fcl::CollisionGeometryd> make_hull(const solid &surface) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (int32_t i = 0; i < surface.vertex_count; i++) {
        vertices->emplace_back(surface.vertices[i].x, surface.vertices[i].y, surface.vertices[i].z);
    }
    auto faces = std::make_shared<std::vector<int>>();
    const int32_t *corner = surface.face_vertices;
    for (int32_t f = 0; f < surface.face_count; f++) {
        faces->push_back(surface.face_sizes[f]);
        faces->insert(faces->end(), corner, corner + surface.face_sizes[f]);
        corner += surface.face_sizes[f];
    }
    return std::make_unique<fcl::Convexd>(vertices, surface.face_count, faces, true);
}

std::unique_ptr<fcl::CollisionGeometryd> make_shape(const body &b) {
    switch (b.kind) {
    case BODY_BOX:
        return std::make_unique<fcl::Boxd>(2 * b.half.x, 2 * b.half.y, 2 * b.half.z);
    case BODY_SPHERE:
        return std::make_unique<fcl::Sphered>(b.radius);
    case BODY_CAPSULE:
        return std::make_unique<fcl::Capsuled>(b.radius, 2 * b.half_length);
    case BODY_HULL:
        break;
    }
    return make_hull(b.surface);
}

fcl::Transform3d transform(const abut_pose &pose) {
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() = fcl::Quaterniond(pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z).toRotationMatrix();
    t.translation() = fcl::Vector3d(pose.position.x, pose.position.y, pose.position.z);
    return t;
}

void *prepare(const input_set *set, fcl::GJKSolverType solver) {
    auto s = std::make_unique<state>();
    s->set = set;
    for (int32_t i = 0; i < 2 * set->pairs; i++) {
        s->shapes.push_back(make_shape(set->bodies[i]));
    }
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        s->poses.push_back(transform(set->questions[i].pose_a));
        s->poses.push_back(transform(set->questions[i].pose_b));
    }
    s->collide_request.num_max_contacts = most_contacts;
    s->collide_request.enable_contact = true;
    s->collide_request.gjk_solver_type = solver;
    s->distance_request.enable_nearest_points = true;
    s->distance_request.gjk_solver_type = solver;
    return s.release();
}

void *prepare_libccd(const input_set *set) { return prepare(set, fcl::GST_LIBCCD); }

void *prepare_indep(const input_set *set) { return prepare(set, fcl::GST_INDEP); }

void rewind_guesses(void *opaque) {
    auto *s = static_cast<state *>(opaque);
    s->guesses.assign(static_cast<std::size_t>(s->set->pairs), fcl::Vector3d::UnitX()); // FCL's default guess
}

void *prepare_cached(const input_set *set) {
    void *opaque = prepare(set, fcl::GST_INDEP);
    static_cast<state *>(opaque)->collide_request.enable_cached_gjk_guess = true;
    rewind_guesses(opaque);
    return opaque;
}

void release(void *opaque) { delete static_cast<state *>(opaque); }

int32_t ask_contacts(void *opaque, int32_t index, int32_t pair) {
    auto *s = static_cast<state *>(opaque);
    const auto i = 2 * static_cast<std::size_t>(index), p = 2 * static_cast<std::size_t>(pair);
    try {
        s->contacts.clear();
        return static_cast<int32_t>(
            fcl::collide(s->shapes[p].get(), s->poses[i], s->shapes[p + 1].get(), s->poses[i + 1], s->collide_request, s->contacts));
    } catch (const std::exception &) {
        return -1;
    }
}

int32_t ask_with_guess(void *opaque, int32_t index, int32_t pair) {
    auto *s = static_cast<state *>(opaque);
    auto &guess = s->guesses[static_cast<std::size_t>(pair)];
    s->collide_request.cached_gjk_guess = guess;
    s->contacts.cached_gjk_guess = guess; // which the closed forms do not touch
    const int32_t points = ask_contacts(opaque, index, pair);
    guess = s->contacts.cached_gjk_guess;
    return points;
}

int32_t ask_distance(void *opaque, int32_t index, int32_t pair) {
    auto *s = static_cast<state *>(opaque);
    const auto i = 2 * static_cast<std::size_t>(index), p = 2 * static_cast<std::size_t>(pair);
    try {
        s->distance.clear();
        fcl::distance(s->shapes[p].get(), s->poses[i], s->shapes[p + 1].get(), s->poses[i + 1], s->distance_request, s->distance);
        return 1;
    } catch (const std::exception &) {
        return -1;
    }
}

// GST_INDEP's expanding polytope algorithm reports depths with the opposite sign; we judge their absolute value.
double deepest(const void *opaque, int32_t points) {
    const auto *s = static_cast<const state *>(opaque);
    double depth = 0;
    for (int32_t i = 0; i < points; i++) {
        depth = std::max(depth, std::abs(s->contacts.getContact(static_cast<std::size_t>(i)).penetration_depth));
    }
    return -depth;
}

double distance(const void *opaque, int32_t) { return static_cast<const state *>(opaque)->distance.min_distance; }

bool takes_contacts(const input_set *set) { return !inputs_ask_distance(set); }

bool takes_contacts_again(const input_set *set) { return takes_contacts(set) && set->steps > 1; }

bool takes_distances(const input_set *set) { return inputs_ask_distance(set); }

} // namespace

const engine fcl_collide_libccd = {"FCL collide, libccd", takes_contacts, prepare_libccd, nullptr, nullptr, ask_contacts, deepest, release};
const engine fcl_collide_indep = {"FCL collide, indep", takes_contacts, prepare_indep, nullptr, nullptr, ask_contacts, deepest, release};
const engine fcl_collide_cached = {
    "FCL collide, indep, cached", takes_contacts_again, prepare_cached, rewind_guesses, nullptr, ask_with_guess, deepest, release};
const engine fcl_distance_libccd = {"FCL distance, libccd", takes_distances, prepare_libccd, nullptr, nullptr,
                                    ask_distance,           distance,        release};
const engine fcl_distance_indep = {"FCL distance, indep", takes_distances, prepare_indep, nullptr, nullptr,
                                   ask_distance,          distance,        release};
