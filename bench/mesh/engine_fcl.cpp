/* FCL: fcl::collide() of a BVHModel of OBBRSS with a shape; its default solver (libccd) and tolerances. Poses are made beforehand. */
#include "engine.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/math/bv/OBBRSS.h>
#include <fcl/narrowphase/collision.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

constexpr std::size_t room = 64;

using Mesh = fcl::BVHModel<fcl::OBBRSSd>;

struct State {
    std::unique_ptr<Mesh> mesh;
    std::unique_ptr<fcl::CollisionGeometryd> body;
    std::vector<fcl::Transform3d> poses;
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
};

fcl::Vector3d vector(abut_vec3 v) { return {v.x, v.y, v.z}; }

/* FCL cannot compute hulls; it gets the faces of abut's hull. */
std::unique_ptr<fcl::CollisionGeometryd> make_hull(const mesh_set *set) {
    abut_shape *shape = nullptr;
    abut_polytope_view view;
    if (abut_shape_create_hull(set->points, MESH_POINTS, &shape) != ABUT_OK || abut_shape_polytope(shape, &view) != ABUT_OK) {
        abut_shape_release(shape);
        return nullptr;
    }
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (int32_t i = 0; i < view.vertex_count; i++) {
        vertices->push_back(vector(view.vertices[i]));
    }
    auto faces = std::make_shared<std::vector<int>>();
    for (int32_t f = 0; f < view.face_count; f++) {
        const int32_t first = view.face_first[f], end = view.face_first[f + 1];
        faces->push_back(end - first);
        faces->insert(faces->end(), view.face_vertices + first, view.face_vertices + end);
    }
    auto hull = std::make_unique<fcl::Convexd>(vertices, view.face_count, faces, true);
    abut_shape_release(shape);
    return hull;
}

std::unique_ptr<fcl::CollisionGeometryd> make_body(const mesh_set *set) {
    switch (set->body) {
    case MESH_SPHERE:
        return std::make_unique<fcl::Sphered>(set->radius);
    case MESH_CAPSULE:
        return std::make_unique<fcl::Capsuled>(set->radius, 2 * set->half_length);
    case MESH_BOX:
        return std::make_unique<fcl::Boxd>(2 * set->half.x, 2 * set->half.y, 2 * set->half.z);
    case MESH_HULL:
        break;
    }
    return make_hull(set);
}

std::unique_ptr<Mesh> make_mesh(const mesh_set *set) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int32_t v = 0; v < set->vertex_count; v++) {
        vertices.push_back(vector(set->vertices[v]));
    }
    for (int32_t t = 0; t < set->triangle_count; t++) {
        const int32_t *corner = &set->triangles[3 * t];
        triangles.emplace_back(std::size_t(corner[0]), std::size_t(corner[1]), std::size_t(corner[2]));
    }
    auto mesh = std::make_unique<Mesh>();
    const bool made =
        mesh->beginModel() == fcl::BVH_OK && mesh->addSubModel(vertices, triangles) == fcl::BVH_OK && mesh->endModel() == fcl::BVH_OK;
    return made ? std::move(mesh) : nullptr;
}

void *prepare(const mesh_set *set) {
    auto s = std::make_unique<State>();
    s->mesh = make_mesh(set);
    s->body = make_body(set);
    if (!s->mesh || !s->body) {
        return nullptr;
    }
    for (int32_t i = 0; i < set->count; i++) {
        const abut_quat &q = set->poses[i].rotation;
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        pose.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
        pose.translation() = vector(set->poses[i].position);
        s->poses.push_back(pose);
    }
    s->request.num_max_contacts = room;
    s->request.enable_contact = true;
    return s.release();
}

/* Its normals point from the first geometry to the second. For a sphere it reports depths with the opposite sign; their absolute value is
 * judged. */
mesh_answer ask(void *pointer, int32_t index) {
    auto *s = static_cast<State *>(pointer);
    mesh_answer answer = {0, INFINITY, {0, 0, 0}};
    s->result.clear();
    try {
        fcl::collide(s->mesh.get(), fcl::Transform3d::Identity(), s->body.get(), s->poses[std::size_t(index)], s->request, s->result);
    } catch (const std::exception &) {
        return answer;
    }
    answer.contacts = int32_t(s->result.numContacts());
    for (std::size_t i = 0; i < s->result.numContacts(); i++) {
        const auto &contact = s->result.getContact(i);
        const double gap = -std::abs(contact.penetration_depth);
        if (gap < answer.gap) {
            answer.gap = gap;
            answer.normal = abut_vec3_make(contact.normal.x(), contact.normal.y(), contact.normal.z());
        }
    }
    return answer;
}

void release(void *pointer) { delete static_cast<State *>(pointer); }

} // namespace

extern "C" const mesh_engine mesh_fcl = {"FCL", prepare, ask, release};
