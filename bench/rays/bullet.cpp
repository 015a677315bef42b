/* Bullet: a hull, or triangles with its hierarchy, asked as a shape alone, without a world. */
#include "peer.h"

#include <btBulletCollisionCommon.h>

#include <memory>

namespace {

btVector3 vector(abut_vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }

struct bullet_shape {
    std::unique_ptr<btTriangleIndexVertexArray> triangles;
    std::unique_ptr<btCollisionShape> shape;
    btCollisionObject object;
};

static_assert(sizeof(abut_vec3) == 3 * sizeof(double) && sizeof(btScalar) == sizeof(double), "the vertices are taken as they are");

std::unique_ptr<btCollisionShape> hull_of(const target &t) {
    auto hull = std::make_unique<btConvexHullShape>();
    for (int32_t i = 0; i < t.point_count; i++) {
        hull->addPoint(vector(t.points[i]), false);
    }
    hull->setMargin(0);
    hull->recalcLocalAabb();
    return hull;
}

void *make(const target *t) {
    auto made = std::make_unique<bullet_shape>();
    if (t->form == TARGET_HULL) {
        made->shape = hull_of(*t);
    } else {
        made->triangles = std::make_unique<btTriangleIndexVertexArray>(
            t->triangle_count, const_cast<int32_t *>(t->corners), 3 * int(sizeof(int32_t)), t->point_count,
            reinterpret_cast<btScalar *>(const_cast<abut_vec3 *>(t->points)), int(sizeof(abut_vec3)));
        made->shape = std::make_unique<btBvhTriangleMeshShape>(made->triangles.get(), true);
    }
    made->object.setCollisionShape(made->shape.get());
    return made.release();
}

void cast(void *opaque, const ray *rays, int32_t count, double *fractions) {
    auto *made = static_cast<bullet_shape *>(opaque);
    for (int32_t i = 0; i < count; i++) {
        const btVector3 from = vector(rays[i].origin), to = from + vector(rays[i].way);
        btCollisionWorld::ClosestRayResultCallback found(from, to);
        btCollisionWorld::rayTestSingle(btTransform(btQuaternion::getIdentity(), from), btTransform(btQuaternion::getIdentity(), to),
                                        &made->object, made->shape.get(), btTransform::getIdentity(), found);
        fractions[i] = found.hasHit() ? double(found.m_closestHitFraction) : 1.0;
    }
}

void release(void *made) { delete static_cast<bullet_shape *>(made); }

} // namespace

const peer bullet_peer = {"Bullet", true, make, cast, release};
