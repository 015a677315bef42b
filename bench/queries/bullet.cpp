#include "peer.h"

#include <btBulletCollisionCommon.h>

#include <memory>
#include <vector>

namespace {

btVector3 vector(abut_vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

btTransform transform(abut_pose pose) {
    const abut_quat q = pose.rotation;
    return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)), vector(pose.position));
}

std::unique_ptr<btCollisionShape> shape_of(const placed_form &body) {
    if (body.form == FORM_BOX) {
        return std::make_unique<btBoxShape>(vector(body.half));
    }
    if (body.form == FORM_BALL) {
        return std::make_unique<btSphereShape>(btScalar(body.half.x));
    }
    auto hull = std::make_unique<btConvexHullShape>();
    for (int32_t i = 0; i < body.point_count; i++) {
        hull->addPoint(vector(body.points[i]), false);
    }
    hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
}

} // namespace

struct peer_world {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btCollisionWorld world{&dispatcher, &broadphase, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects;

    ~peer_world() {
        for (auto &object : objects) {
            world.removeCollisionObject(object.get());
        }
    }
};

peer_world *peer_make(const placed_form *bodies, int32_t count) {
    auto made = std::make_unique<peer_world>();
    for (int32_t i = 0; i < count; i++) {
        made->shapes.push_back(shape_of(bodies[i]));
        auto object = std::make_unique<btCollisionObject>();
        object->setCollisionShape(made->shapes.back().get());
        object->setWorldTransform(transform(bodies[i].pose));
        object->setUserIndex(i);
        made->world.addCollisionObject(object.get());
        made->objects.push_back(std::move(object));
    }
    made->world.updateAabbs();
    made->broadphase.optimize();
    return made.release();
}

void peer_free(peer_world *world) { delete world; }

void peer_move(peer_world *world, abut_vec3 way) {
    for (auto &object : world->objects) {
        object->getWorldTransform().getOrigin() += vector(way);
    }
    world->world.updateAabbs();
}

void peer_cast(peer_world *world, const abut_ray *rays, int32_t count, double *fractions, int32_t *bodies) {
    for (int32_t i = 0; i < count; i++) {
        const btVector3 from = vector(rays[i].origin), to = from + vector(rays[i].translation);
        btCollisionWorld::ClosestRayResultCallback found(from, to);
        world->world.rayTest(from, to, found);
        fractions[i] = found.hasHit() ? double(found.m_closestHitFraction) : 1.0;
        bodies[i] = found.hasHit() ? found.m_collisionObject->getUserIndex() : -1;
    }
}
