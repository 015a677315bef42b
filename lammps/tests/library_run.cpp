/*
 * Moves grains by the library's own dem stepper, for the tests: the words of a file to the states at the end, on the standard output.
 *
 * gravity X Y Z | step H | steps N | damping LINEAR ANGULAR
 * type SHAPE density D [material]      the words of pair_coeff; types count from 1
 * wall plane NX NY NZ OFFSET [material], wall SHAPE [material]     a mesh stands with the origin of its file at the origin
 * grain TYPE x y z vx vy vz wx wy wz qw qx qy qz                   centre of mass, velocities, rotation from the shape's frame
 */
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include <abut/world.h>

#include "core/material.h"
#include "core/shape.h"

using namespace abut_lammps;

namespace {

struct Kind {
    Shape shape;
    Material material;
};

abut_vec3 vector(Words &words) {
    double x = words.number("x"), y = words.number("y"), z = words.number("z");
    return abut_vec3_make(x, y, z);
}

void check(abut_status status, const char *what) {
    if (status != ABUT_OK) {
        throw Mistake(std::string(what) + ": " + abut_status_message(status));
    }
}

void read_rest(Words &words, Material &material) {
    while (!words.empty()) {
        if (!read_material(words, material, true)) {
            throw Mistake("unknown word " + words.peek());
        }
    }
}

struct Run {
    abut_world_def world = abut_world_def_default();
    std::vector<Kind> types;
    std::vector<abut_body_def> bodies;
    std::vector<Shape> walls;
    double linear = 0.0, angular = 0.0;
    long steps = 1;

    void surface(abut_body_def &def, const Material &m) {
        def.density = m.density;
        def.friction = m.friction;
        def.restitution = m.restitution;
        def.material = m.elastic;
    }

    void wall(Words &words) {
        abut_body_def def = abut_body_def_default();
        def.kind = ABUT_BODY_STATIC;
        Material material;
        if (words.peek() == "plane") {
            words.text("plane");
            walls.push_back(read_plane(words));
            def.pose.position = abut_scale(words.number("offset"), walls.back().normal);
        } else if (words.peek() == "surface") {
            words.text("surface");
            walls.push_back(read_surface(words));
        } else {
            walls.push_back(read_shape(words));
        }
        read_rest(words, material);
        material.density = 1000.0;
        surface(def, material);
        def.shape = walls.back().handle.get();
        bodies.push_back(def);
    }

    void grain(Words &words) {
        abut_body_def def = abut_body_def_default();
        const Kind &kind = types.at(static_cast<std::size_t>(words.positive("type")) - 1);
        abut_vec3 centre = vector(words);
        def.motion.linear = vector(words);
        def.motion.angular = vector(words);
        double w = words.number("w");
        abut_vec3 q = vector(words);
        def.pose.rotation = abut_quat_unit(abut_quat_make(q.x, q.y, q.z, w));
        def.pose.position = abut_sub(centre, abut_quat_rotate(def.pose.rotation, kind.shape.centre));
        def.shape = kind.shape.handle.get();
        surface(def, kind.material);
        def.linear_damping = linear;
        def.angular_damping = angular;
        bodies.push_back(def);
    }

    void read(Words &words) {
        std::string key = words.text("a keyword");
        if (key == "gravity") {
            world.gravity = vector(words);
        } else if (key == "step") {
            world.dem.step = words.positive(key);
        } else if (key == "steps") {
            steps = static_cast<long>(words.positive(key));
        } else if (key == "damping") {
            linear = words.not_negative(key);
            angular = words.not_negative(key);
        } else if (key == "type") {
            Kind kind{read_shape(words), {}};
            read_rest(words, kind.material);
            types.push_back(kind);
        } else if (key == "wall") {
            wall(words);
        } else if (key == "grain") {
            grain(words);
        } else {
            throw Mistake("unknown word " + key);
        }
    }

    void go() {
        world.stepper = ABUT_STEPPER_DEM;
        abut_world *made = nullptr;
        check(abut_world_create(&world, &made), "world");
        std::vector<abut_body_id> ids;
        for (const abut_body_def &def : bodies) {
            abut_body_id id;
            check(abut_world_add_body(made, &def, &id), "body");
            if (def.kind == ABUT_BODY_DYNAMIC) {
                ids.push_back(id);
            }
        }
        abut_step_report report;
        check(abut_world_step(made, static_cast<double>(steps) * world.dem.step, &report), "step");
        const abut_dem_report &dem = report.dem;
        std::printf("energy %.17g %.17g %.17g %.17g %.17g %ld %d\n", report.kinetic_energy, dem.elastic_energy, dem.spring_energy,
                    dem.damping_work, dem.friction_work, static_cast<long>(dem.steps), static_cast<int>(report.contacts));
        for (abut_body_id id : ids) {
            abut_body_state s;
            check(abut_world_body_state(made, id, &s), "state");
            const abut_vec3 &p = s.centre, &v = s.motion.linear, &w = s.motion.angular;
            const abut_quat &q = s.pose.rotation;
            std::printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", p.x, p.y, p.z, v.x, v.y, v.z,
                        w.x, w.y, w.z, q.w, q.x, q.y, q.z);
        }
        abut_world_destroy(made);
    }
};

void run(const char *path) {
    Run run;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream in(line);
        std::vector<std::string> text;
        for (std::string word; in >> word;) {
            text.push_back(word);
        }
        std::vector<char *> word;
        for (std::string &t : text) {
            word.push_back(t.data());
        }
        Words words(word.data(), static_cast<int>(word.size()));
        run.read(words);
    }
    run.go();
}

} // namespace

int main(int count, char **word) {
    try {
        run(count == 2 ? word[1] : "/dev/stdin");
    } catch (const std::exception &problem) {
        std::cerr << "library_run: " << problem.what() << "\n";
        return 1;
    }
    return 0;
}
