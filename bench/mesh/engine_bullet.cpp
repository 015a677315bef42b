/* Bullet: the algorithm of its dispatcher, created for each question as for a new pair; with and without the internal-edge utility, whose
 * tables are made beforehand. */
#include "engine.h"

#include <BulletCollision/CollisionDispatch/btInternalEdgeUtility.h>
#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

namespace {

constexpr btScalar margin = btScalar(0.001);

btVector3 vector(abut_vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

bool adjust(btManifoldPoint &point, const btCollisionObjectWrapper *a, int, int, const btCollisionObjectWrapper *b, int part, int index) {
    btAdjustInternalEdgeContacts(point, b, a, part, index);
    return true;
}

struct State {
    const mesh_set *set;
    bool edges;
    std::vector<btScalar> vertices;
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btBvhTriangleMeshShape> mesh;
    std::unique_ptr<btConvexShape> body;
    btTriangleInfoMap info;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btCollisionObject mesh_object, body_object;
};

std::unique_ptr<btConvexShape> make_body(const mesh_set *set) {
    switch (set->body) {
    case MESH_SPHERE:
        return std::make_unique<btSphereShape>(btScalar(set->radius));
    case MESH_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(btScalar(set->radius), btScalar(2 * set->half_length));
    case MESH_BOX: {
        auto box = std::make_unique<btBoxShape>(vector(set->half));
        box->setMargin(margin);
        return box;
    }
    case MESH_HULL:
        break;
    }
    auto hull = std::make_unique<btConvexHullShape>();
    for (const abut_vec3 &p : set->points) {
        hull->addPoint(vector(p));
    }
    hull->setMargin(margin);
    return hull;
}

void *prepare_with(const mesh_set *set, bool edges) {
    auto *s = new State{};
    s->set = set;
    s->edges = edges;
    for (int32_t v = 0; v < set->vertex_count; v++) {
        s->vertices.insert(s->vertices.end(), {btScalar(set->vertices[v].x), btScalar(set->vertices[v].y), btScalar(set->vertices[v].z)});
    }
    s->triangles = std::make_unique<btTriangleIndexVertexArray>(set->triangle_count, set->triangles, int(3 * sizeof(int)),
                                                                set->vertex_count, s->vertices.data(), int(3 * sizeof(btScalar)));
    s->mesh = std::make_unique<btBvhTriangleMeshShape>(s->triangles.get(), true);
    s->mesh->setMargin(set->body == MESH_BOX || set->body == MESH_HULL ? margin : 0);
    s->body = make_body(set);
    s->mesh_object.setCollisionShape(s->mesh.get());
    s->body_object.setCollisionShape(s->body.get());
    if (edges) {
        btGenerateInternalEdgeInfo(s->mesh.get(), &s->info);
        for (btCollisionObject *object : {&s->mesh_object, &s->body_object}) {
            object->setCollisionFlags(object->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
        }
    }
    return s;
}

void *prepare(const mesh_set *set) { return prepare_with(set, false); }
void *prepare_edges(const mesh_set *set) { return prepare_with(set, true); }

mesh_answer ask(void *pointer, int32_t index) {
    auto *s = static_cast<State *>(pointer);
    gContactAddedCallback = s->edges ? adjust : nullptr;
    const abut_pose &pose = s->set->poses[index];
    const abut_quat &q = pose.rotation;
    btTransform at(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)), vector(pose.position));
    s->body_object.setWorldTransform(at);
    btCollisionObjectWrapper body(nullptr, s->body.get(), &s->body_object, at, -1, -1);
    btCollisionObjectWrapper mesh(nullptr, s->mesh.get(), &s->mesh_object, s->mesh_object.getWorldTransform(), -1, -1);
    btManifoldResult result(&body, &mesh);
    btDispatcherInfo how;
    btCollisionAlgorithm *algorithm = s->dispatcher.findAlgorithm(&body, &mesh, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    algorithm->processCollision(&body, &mesh, how, &result);
    btManifoldArray manifolds;
    algorithm->getAllContactManifolds(manifolds);
    mesh_answer answer = {0, INFINITY, {0, 0, 0}};
    for (int m = 0; m < manifolds.size(); m++) {
        for (int k = 0; k < manifolds[m]->getNumContacts(); k++) {
            const btManifoldPoint &point = manifolds[m]->getContactPoint(k);
            if (point.getDistance() > 0) {
                continue;
            }
            answer.contacts++;
            if (point.getDistance() < answer.gap) {
                answer.gap = point.getDistance();
                answer.normal = abut_vec3_make(point.m_normalWorldOnB.x(), point.m_normalWorldOnB.y(), point.m_normalWorldOnB.z());
            }
        }
    }
    algorithm->~btCollisionAlgorithm();
    s->dispatcher.freeCollisionAlgorithm(algorithm);
    return answer;
}

void release(void *pointer) { delete static_cast<State *>(pointer); }

} // namespace

extern "C" const mesh_engine mesh_bullet = {"Bullet", prepare, ask, release};
extern "C" const mesh_engine mesh_bullet_edges = {"Bullet, internal edges", prepare_edges, ask, release};
