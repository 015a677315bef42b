// Bullet's narrow phase without its world: btBoxBoxDetector, which its box-box algorithm runs, and btGjkPairDetector with
// btGjkEpaPenetrationDepthSolver, which its convex-convex algorithm runs. Collision margins are zero, so all engines have the same shapes.
// One call of the pair detector gives one point; a manifold would collect up to four points over several steps.
#include <memory>
#include <vector>

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "engines.h"

namespace {

// Collects the number of points and their smallest distance.
struct points : btDiscreteCollisionDetectorInterface::Result {
    int32_t count = 0;
    btScalar least = 0;
    void setShapeIdentifiersA(int, int) override {}
    void setShapeIdentifiersB(int, int) override {}
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar distance) override {
        least = count == 0 ? distance : btMin(least, distance);
        count++;
    }
};

struct state {
    const input_set *set;
    std::vector<std::unique_ptr<btConvexShape>> shapes;                         // [2 pairs]
    std::vector<btDiscreteCollisionDetectorInterface::ClosestPointInput> poses; // [questions]
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    points found;
};

btVector3 vector(const abut_vec3 &v) {
    return btVector3(static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z));
}

btTransform transform(const abut_pose &pose) {
    const abut_quat &q = pose.rotation;
    return btTransform(
        btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y), static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
        vector(pose.position));
}

std::unique_ptr<btConvexShape> make_shape(const body &b) {
    const auto radius = static_cast<btScalar>(b.radius);
    switch (b.kind) {
    case BODY_SPHERE:
        return std::make_unique<btSphereShape>(radius);
    case BODY_CAPSULE:
        return std::make_unique<btCapsuleShapeZ>(radius, static_cast<btScalar>(2 * b.half_length));
    case BODY_BOX: {
        auto box = std::make_unique<btBoxShape>(vector(b.half));
        box->setMargin(0);
        return box;
    }
    case BODY_HULL:
        break;
    }
    auto hull = std::make_unique<btConvexHullShape>();
    for (int32_t i = 0; i < b.surface.vertex_count; i++) {
        hull->addPoint(vector(b.surface.vertices[i]), false);
    }
    hull->recalcLocalAabb();
    hull->setMargin(0);
    return hull;
}

// For contacts, a detector may stop when it knows that the shapes do not touch. The margins of round shapes are their radii.
void *prepare(const input_set *set, bool for_distance) {
    auto s = std::make_unique<state>();
    s->set = set;
    for (int32_t i = 0; i < 2 * set->pairs; i++) {
        s->shapes.push_back(make_shape(set->bodies[i]));
    }
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        const auto p = 2 * static_cast<std::size_t>(i % set->pairs);
        const btScalar farthest = s->shapes[p]->getMargin() + s->shapes[p + 1]->getMargin();
        btDiscreteCollisionDetectorInterface::ClosestPointInput input; // of any distance
        input.m_transformA = transform(set->questions[i].pose_a);
        input.m_transformB = transform(set->questions[i].pose_b);
        if (!for_distance) {
            input.m_maximumDistanceSquared = farthest * farthest;
        }
        s->poses.push_back(input);
    }
    return s.release();
}

void *prepare_contacts(const input_set *set) { return prepare(set, false); }

void *prepare_distances(const input_set *set) { return prepare(set, true); }

void release(void *opaque) { delete static_cast<state *>(opaque); }

int32_t ask_boxes(void *opaque, int32_t index, int32_t pair) {
    auto *s = static_cast<state *>(opaque);
    const auto p = 2 * static_cast<std::size_t>(pair);
    s->found.count = 0;
    btBoxBoxDetector detector(static_cast<const btBoxShape *>(s->shapes[p].get()), static_cast<const btBoxShape *>(s->shapes[p + 1].get()));
    detector.getClosestPoints(s->poses[static_cast<std::size_t>(index)], s->found, nullptr);
    return s->found.count;
}

int32_t ask_pair(void *opaque, int32_t index, int32_t pair) {
    auto *s = static_cast<state *>(opaque);
    const auto p = 2 * static_cast<std::size_t>(pair);
    s->found.count = 0;
    btGjkPairDetector detector(s->shapes[p].get(), s->shapes[p + 1].get(), &s->simplex, &s->depth);
    detector.getClosestPoints(s->poses[static_cast<std::size_t>(index)], s->found, nullptr);
    return s->found.count;
}

int32_t ask_distance(void *opaque, int32_t index, int32_t pair) { return ask_pair(opaque, index, pair) > 0 ? 1 : -1; }

double least(const void *opaque, int32_t) { return static_cast<double>(static_cast<const state *>(opaque)->found.least); }

bool takes_contacts(const input_set *set) { return !inputs_ask_distance(set); }

bool takes_boxes(const input_set *set) {
    return takes_contacts(set) && inputs_a(set, 0)->kind == BODY_BOX && inputs_b(set, 0)->kind == BODY_BOX;
}

bool takes_distances(const input_set *set) { return inputs_ask_distance(set); }

} // namespace

const engine bullet_box_box = {"Bullet btBoxBoxDetector", takes_boxes, prepare_contacts, nullptr, nullptr, ask_boxes, least, release};
const engine bullet_gjk_epa = {"Bullet GJK+EPA", takes_contacts, prepare_contacts, nullptr, nullptr, ask_pair, least, release};
const engine bullet_distance = {"Bullet GJK distance", takes_distances, prepare_distances, nullptr, nullptr, ask_distance, least, release};
