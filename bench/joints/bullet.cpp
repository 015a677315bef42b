/* Bullet (btDiscreteDynamicsWorld) with its default settings but for the number of iterations. Inertias are those of the shapes. */
#include "joints/engine.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

namespace {

btScalar scalar(double value) { return static_cast<btScalar>(value); }

btVector3 vector(abut_vec3 v) { return {scalar(v.x), scalar(v.y), scalar(v.z)}; }

btTransform transform(abut_pose pose) {
    const abut_quat q = pose.rotation;
    return btTransform(btQuaternion(scalar(q.x), scalar(q.y), scalar(q.z), scalar(q.w)), vector(pose.position));
}

struct Instance {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;

    Instance() = default;
    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;
    ~Instance() {
        for (auto &joint : joints) {
            world.removeConstraint(joint.get());
        }
        for (auto &body : bodies) {
            world.removeRigidBody(body.get());
        }
    }
};

void add_part(Instance &to, const scene_part &part) {
    std::unique_ptr<btCollisionShape> shape;
    if (part.capsule) {
        shape = std::make_unique<btCapsuleShapeZ>(scalar(part.half.x), scalar(2.0 * part.half.z));
    } else {
        shape = std::make_unique<btBoxShape>(vector(part.half));
    }
    btVector3 inertia(0, 0, 0);
    if (part.mass > 0.0) {
        shape->calculateLocalInertia(scalar(part.mass), inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(scalar(part.mass), nullptr, shape.get(), inertia);
    info.m_startWorldTransform = transform(part.pose);
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setFriction(btSqrt(scalar(scene_friction))); /* of a pair the product */
    to.world.addRigidBody(body.get());
    to.shapes.push_back(std::move(shape));
    to.bodies.push_back(std::move(body));
}

/* A hinge counts its angle the other way round, and a cone is about x. */
std::unique_ptr<btTypedConstraint> make_joint(Instance &to, const scene &of, const scene_joint &joint) {
    btRigidBody &a = *to.bodies[size_t(joint.a)], &b = *to.bodies[size_t(joint.b)];
    btTransform on_a = transform(scene_frame_on(&of.parts[joint.a], joint.frame)),
                on_b = transform(scene_frame_on(&of.parts[joint.b], joint.frame));
    if (joint.hinge) {
        auto hinge = std::make_unique<btHingeConstraint>(a, b, on_a, on_b);
        if (joint.limited) {
            hinge->setLimit(scalar(-joint.upper), scalar(-joint.lower));
        }
        return hinge;
    }
    if (!joint.limited) {
        return std::make_unique<btPoint2PointConstraint>(a, b, on_a.getOrigin(), on_b.getOrigin());
    }
    const btTransform turned(btQuaternion(btVector3(0, 1, 0), -SIMD_HALF_PI)); /* x to z */
    auto cone = std::make_unique<btConeTwistConstraint>(a, b, on_a * turned, on_b * turned);
    cone->setLimit(scalar(joint.upper), scalar(joint.upper), SIMD_PI);
    return cone;
}

void *create(const scene *of, int32_t iterations) {
    auto made = std::make_unique<Instance>();
    made->world.getSolverInfo().m_numIterations = iterations;
    made->world.setGravity(btVector3(0, 0, scalar(-9.81)));
    for (int32_t i = 0; i < of->part_count; i++) {
        add_part(*made, of->parts[i]);
    }
    for (int32_t i = 0; i < of->joint_count; i++) {
        made->joints.push_back(make_joint(*made, *of, of->joints[i]));
        made->world.addConstraint(made->joints.back().get(), true); /* the two do not collide */
    }
    return made.release();
}

bool step(void *pointer, double dt) {
    static_cast<Instance *>(pointer)->world.stepSimulation(scalar(dt), 0);
    return true;
}

void poses(const void *pointer, abut_pose *out) {
    for (const auto &body : static_cast<const Instance *>(pointer)->bodies) {
        const btTransform &at = body->getWorldTransform();
        const btQuaternion q = at.getRotation();
        const btVector3 &p = at.getOrigin();
        *out++ = {abut_vec3_make(p.x(), p.y(), p.z()), abut_quat_unit(abut_quat_make(q.x(), q.y(), q.z(), q.w()))};
    }
}

double energy(const void *pointer) {
    double sum = 0.0;
    for (const auto &body : static_cast<const Instance *>(pointer)->bodies) {
        if (body->getInvMass() > 0.0) {
            const btVector3 w = body->getAngularVelocity();
            const btVector3 spin = body->getInvInertiaTensorWorld().inverse() * w;
            sum += 0.5 * double(body->getLinearVelocity().length2() / body->getInvMass()) + 0.5 * double(w.dot(spin));
        }
    }
    return sum;
}

void destroy(void *pointer) { delete static_cast<Instance *>(pointer); }

} // namespace

extern const engine engine_bullet = {"Bullet", 10, create, step, poses, energy, nullptr, destroy};
extern const engine engine_bullet_more = {"Bullet, 100 iterations", 100, create, step, poses, energy, nullptr, destroy};
