/* Rates of contacts, and their derivatives by the motions of the bodies. */
#include "core.h"

namespace {

/* The shapes and poses of one pair, and the contacts that it made. */
struct Touch {
    abut_pair pair;
    std::vector<abut_contact> contacts;
};

Touch touch_of(const Shape &a, const Poses &pose_a, const Shape &b, const Poses &pose_b, const nb::bytes &contacts) {
    Touch touch = {{a.shape, poses(pose_a)[0], b.shape, poses(pose_b)[0]}, {}};
    if (contacts.size() % sizeof(abut_contact) != 0) {
        throw nb::value_error("these are no contacts");
    }
    touch.contacts.resize(contacts.size() / sizeof(abut_contact));
    if (contacts.size() > 0) {
        std::memcpy(touch.contacts.data(), contacts.data(), contacts.size());
    }
    return touch;
}

Bytes rates(const Shape &a, const Poses &pose_a, const Motions &motion_a, const Shape &b, const Poses &pose_b, const Motions &motion_b,
            const nb::bytes &contacts) {
    Touch touch = touch_of(a, pose_a, b, pose_b, contacts);
    std::vector<abut_rates> all(touch.contacts.size());
    abut_kinematics of_a = {}, of_b = {};
    of_a.centre = touch.pair.pose_a.position;
    of_a.velocity = motions(motion_a)[0];
    of_b.centre = touch.pair.pose_b.position;
    of_b.velocity = motions(motion_b)[0];
    for (size_t i = 0; i < all.size(); i++) {
        abut_curvature surface_a, surface_b;
        forget_message();
        check(abut_contact_surfaces(&touch.contacts[i], &touch.pair, &surface_a, &surface_b));
        check(abut_contact_rates(&touch.contacts[i], &surface_a, &surface_b, &of_a, &of_b, &all[i]));
    }
    return records(std::move(all));
}

template <typename T> nb::object array(std::vector<T> &&values, std::initializer_list<size_t> shape) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *memory) noexcept { delete static_cast<std::vector<T> *>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}

/* [n, 3, 12] of [n][12] vectors. */
void append(std::vector<double> &all, const abut_vec3 column[12]) {
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 12; k++) {
            const double three[3] = {column[k].x, column[k].y, column[k].z};
            all.push_back(three[axis]);
        }
    }
}

nb::tuple derivatives(const Shape &a, const Poses &pose_a, const Shape &b, const Poses &pose_b, const nb::bytes &contacts) {
    Touch touch = touch_of(a, pose_a, b, pose_b, contacts);
    std::vector<double> gap, normal, on_a, on_b;
    std::vector<uint32_t> flags;
    size_t count = touch.contacts.size();
    for (const abut_contact &contact : touch.contacts) {
        abut_curvature surface_a, surface_b;
        abut_contact_derivatives one;
        forget_message();
        check(abut_contact_surfaces(&contact, &touch.pair, &surface_a, &surface_b));
        check(abut_contact_differentiate(&contact, &surface_a, &surface_b, touch.pair.pose_a.position, touch.pair.pose_b.position, &one));
        gap.insert(gap.end(), one.gap, one.gap + 12);
        append(normal, one.normal);
        append(on_a, one.on_a);
        append(on_b, one.on_b);
        flags.push_back(one.flags);
    }
    return nb::make_tuple(array(std::move(gap), {count, 12}), array(std::move(normal), {count, 3, 12}),
                          array(std::move(on_a), {count, 3, 12}), array(std::move(on_b), {count, 3, 12}), array(std::move(flags), {count}));
}

} // namespace

void define_rates(nb::module_ &module) {
    module.def("rates", &rates);
    module.def("derivatives", &derivatives);
}
