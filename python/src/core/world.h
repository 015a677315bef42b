/* A world for Python: its lock, options by their names, and calls for many bodies. */
#pragma once

#include <mutex>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "core.h"

/* A world and a lock: a world must not be used from two threads at once, and Python's own lock is not held while it works. */
struct World {
    ~World() { abut_world_destroy(world); }
    abut_world *world = nullptr;
    std::mutex lock;
};

/* Runs work(world) without Python's lock and with that of the world. */
template <typename Work> void with(World &world, Work work) {
    abut_status status;
    {
        nb::gil_scoped_release released;
        std::lock_guard<std::mutex> held(world.lock);
        forget_message();
        status = work(world.world);
    }
    check(status);
}

/* Reads the options that are given; one that no list has is an error, so that a misspelt one is not lost. */
struct Options {
    explicit Options(const nb::dict &given) : given(given) {}
    template <typename Value> Options &read(const char *name, Value &place) {
        if (given.contains(name)) {
            take(name, place);
        }
        known += known.empty() ? name : std::string(", ") + name;
        return *this;
    }
    Options &read(const char *name, abut_vec3 &place) {
        std::vector<double> three = {place.x, place.y, place.z};
        read(name, three);
        if (three.size() != 3) {
            throw nb::value_error((std::string(name) + ": three numbers are expected").c_str());
        }
        place = abut_vec3_make(three[0], three[1], three[2]);
        return *this;
    }
    Options &read(const char *name, abut_motion &place) {
        std::vector<double> six;
        read(name, six);
        if (!six.empty() && six.size() != 6) {
            throw nb::value_error((std::string(name) + ": six numbers are expected, linear and angular").c_str());
        }
        if (!six.empty()) {
            place = {abut_vec3_make(six[0], six[1], six[2]), abut_vec3_make(six[3], six[4], six[5])};
        }
        return *this;
    }
    template <typename Enumeration>
    Options &choose(const char *name, Enumeration &place, const std::vector<std::pair<const char *, Enumeration>> &choices) {
        std::string chosen;
        read(name, chosen);
        if (chosen.empty()) {
            return *this;
        }
        std::string all;
        for (const auto &choice : choices) {
            if (chosen == choice.first) {
                place = choice.second;
                return *this;
            }
            all += all.empty() ? choice.first : std::string(", ") + choice.first;
        }
        throw nb::value_error((std::string(name) + " is \"" + chosen + "\"; it can be: " + all).c_str());
    }
    template <typename Value> void take(const char *name, Value &place) {
        const nb::object value = given[name];
        try {
            place = nb::cast<Value>(value);
        } catch (const nb::cast_error &) {
            const std::string said = std::string(name) + " cannot be " + nb::repr(value).c_str();
            throw nb::type_error(said.c_str());
        }
        taken++;
    }
    void done() const {
        if (taken != given.size()) {
            throw nb::type_error(("an option is unknown; there are: " + known).c_str());
        }
    }
    const nb::dict &given;
    size_t taken = 0;
    std::string known;
};

/* act(world, id, i) for every id; stops at the first error. */
template <typename Act> void for_bodies(World &world, const Ids &ids, Act act) {
    with(world, [&](abut_world *of) {
        for (size_t i = 0; i < ids.size(); i++) {
            abut_status status = act(of, id_of<abut_body_id>(ids(i)), i);
            if (status != ABUT_OK) {
                return status;
            }
        }
        return ABUT_OK;
    });
}

/* Row i of an array that has one row for each id, or one for all. */
template <typename Array> size_t row(const Array &array, const Ids &ids, size_t i) {
    if (array.shape(0) != ids.size() && array.shape(0) != 1) {
        throw nb::value_error("the number of rows is not that of the ids");
    }
    return array.shape(0) == 1 ? 0 : i;
}

/* Parts of the class, each in a file of its own. */
void define_properties(nb::class_<World> &type);
void define_cells(nb::class_<World> &type);
