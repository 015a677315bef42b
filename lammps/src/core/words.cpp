/* The words of a command. */
#include "core/words.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace abut_lammps {

std::string written(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", value);
    return text;
}

std::string Words::text(const std::string &what) {
    if (empty()) {
        throw Mistake(what + " is missing at the end of the command");
    }
    return words_[at_++];
}

double Words::number(const std::string &what) {
    std::string word = text(what);
    char *end = nullptr;
    double value = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0' || !std::isfinite(value)) {
        throw Mistake(what + " must be a finite number, and is '" + word + "'");
    }
    return value;
}

double Words::positive(const std::string &what) {
    double value = number(what);
    if (!(value > 0.0)) {
        throw Mistake(what + " must be > 0, and is " + written(value));
    }
    return value;
}

double Words::not_negative(const std::string &what) {
    double value = number(what);
    if (!(value >= 0.0)) {
        throw Mistake(what + " must be >= 0, and is " + written(value));
    }
    return value;
}

double Words::between(const std::string &what, double least, double most) {
    double value = number(what);
    if (!(value >= least && value <= most)) {
        throw Mistake(what + " must be from " + written(least) + " to " + written(most) + ", and is " + written(value));
    }
    return value;
}

} // namespace abut_lammps
