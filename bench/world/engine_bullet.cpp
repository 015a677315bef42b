/* Bullet (btDiscreteDynamicsWorld) with its default settings, on one thread; it detects contacts in every substep. Hulls get the inertia of their bounding box,
 * as Bullet computes it, and Bullet's collision margin of 4 cm. */
#include "world/engine.h"

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

#include "support/statistics.h"

namespace {

btScalar scalar(double value) { return static_cast<btScalar>(value); }

btVector3 vector(abut_vec3 v) { return {scalar(v.x), scalar(v.y), scalar(v.z)}; }

abut_vec3 vector(const btVector3 &v) { return abut_vec3_make(v.x(), v.y(), v.z()); }

btTransform transform(abut_pose pose) {
    const abut_quat q = pose.rotation;
    return btTransform(btQuaternion(scalar(q.x), scalar(q.y), scalar(q.z), scalar(q.w)), vector(pose.position));
}

/* Takes the time of the phases. */
class TimedWorld : public btDiscreteDynamicsWorld {
  public:
    using btDiscreteDynamicsWorld::btDiscreteDynamicsWorld;
    double broad = 0.0, narrow = 0.0;

    void updateAabbs() override {
        const double begin = clock_seconds();
        btDiscreteDynamicsWorld::updateAabbs();
        broad += clock_seconds() - begin;
    }

    void computeOverlappingPairs() override {
        const double begin = clock_seconds();
        btDiscreteDynamicsWorld::computeOverlappingPairs();
        broad += clock_seconds() - begin;
    }

    void performDiscreteCollisionDetection() override {
        const double begin = clock_seconds(), broad_before = broad;
        btDiscreteDynamicsWorld::performDiscreteCollisionDetection();
        narrow += clock_seconds() - begin - (broad - broad_before);
    }
};

struct Instance {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    TimedWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> walls, bodies;
    int32_t substeps = 1;

    Instance() = default;
    Instance(const Instance &) = delete;
    Instance &operator=(const Instance &) = delete;
    ~Instance() {
        for (auto &body : bodies) {
            world.removeRigidBody(body.get());
        }
        for (auto &wall : walls) {
            world.removeRigidBody(wall.get());
        }
    }
};

btCollisionShape *make_shape(Instance &into, const scene_shape &shape) {
    if (shape.point_count == 0) {
        into.shapes.push_back(std::make_unique<btBoxShape>(vector(shape.half)));
    } else {
        auto hull = std::make_unique<btConvexHullShape>();
        for (int32_t i = 0; i < shape.point_count; i++) {
            hull->addPoint(vector(shape.points[i]), false);
        }
        hull->recalcLocalAabb();
        into.shapes.push_back(std::move(hull));
    }
    return into.shapes.back().get();
}

double mass_of(const scene &of, const scene_shape &shape) {
    abut_shape *made = scene_abut_shape(&shape);
    abut_mass mass = {};
    (void)abut_shape_mass(made, of.density, &mass);
    abut_shape_release(made);
    return mass.mass;
}

std::unique_ptr<btRigidBody> make_body(Instance &into, const scene &of, const scene_body &body, btCollisionShape *shape, double mass) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) {
        shape->calculateLocalInertia(scalar(mass), inertia);
    }
    btRigidBody::btRigidBodyConstructionInfo info(scalar(mass), nullptr, shape, inertia);
    info.m_startWorldTransform = transform(body.pose);
    auto made = std::make_unique<btRigidBody>(info);
    made->setActivationState(DISABLE_DEACTIVATION);
    /* Bullet multiplies the coefficients of a pair, abut takes their geometric mean. */
    made->setFriction(btSqrt(scalar(of.friction)));
    into.world.addRigidBody(made.get());
    return made;
}

void *create(const scene *of, engine_effort effort, int32_t) {
    auto made = std::make_unique<Instance>();
    made->substeps = effort.substeps;
    made->world.getSolverInfo().m_numIterations = effort.iterations;
    made->world.setGravity(vector(of->gravity));
    for (int32_t i = 0; i < of->wall_count; i++) {
        btCollisionShape *shape = make_shape(*made, of->wall_shapes[of->walls[i].shape]);
        made->walls.push_back(make_body(*made, *of, of->walls[i], shape, 0.0));
    }
    std::vector<btCollisionShape *> shapes;
    std::vector<double> masses;
    for (int32_t i = 0; i < of->shape_count; i++) {
        shapes.push_back(make_shape(*made, of->shapes[i]));
        masses.push_back(mass_of(*of, of->shapes[i]));
    }
    for (int32_t i = 0; i < of->body_count; i++) {
        const auto shape = static_cast<size_t>(of->bodies[i].shape);
        made->bodies.push_back(make_body(*made, *of, of->bodies[i], shapes[shape], masses[shape]));
    }
    return made.release();
}

bool step(void *pointer, double dt, engine_step *done) {
    auto &of = *static_cast<Instance *>(pointer);
    const double begin = clock_seconds();
    of.world.broad = 0.0;
    of.world.narrow = 0.0;
    for (int32_t i = 0; i < of.substeps; i++) {
        of.world.stepSimulation(scalar(dt / of.substeps), 0);
    }
    const double seconds = clock_seconds() - begin;
    int32_t contacts = 0;
    for (int i = 0; i < of.dispatcher.getNumManifolds(); i++) {
        contacts += of.dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    }
    *done = {seconds, of.world.broad, of.world.narrow, seconds - of.world.broad - of.world.narrow, contacts};
    return true;
}

void bodies(const void *pointer, engine_body *out) {
    for (const auto &body : static_cast<const Instance *>(pointer)->bodies) {
        const btTransform &at = body->getWorldTransform();
        const btQuaternion q = at.getRotation();
        out->pose.position = vector(at.getOrigin());
        out->pose.rotation = abut_quat_unit(abut_quat_make(q.x(), q.y(), q.z(), q.w()));
        out->velocity = vector(body->getLinearVelocity());
        out->angular_velocity = vector(body->getAngularVelocity());
        out++;
    }
}

void destroy(void *pointer) { delete static_cast<Instance *>(pointer); }

} // namespace

extern const engine engine_bullet = {"bullet", {1, 10}, create, step, bodies, nullptr, destroy};
