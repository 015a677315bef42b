/*
 * Laws of rounded surfaces: effective moduli of two materials (K. L. Johnson, "Contact mechanics", 1985, equations 4.20 and 7.43), and the
 * damping that gives a required coefficient of restitution.
 *
 * A ball on Hertz's spring with Tsuji's damping obeys m x'' + alpha sqrt(m K) x^(1/4) x' + K x^(3/2) = 0. With y = 4/5 x^(5/4) this is a
 * linear oscillator in the phase plane, m v dv/dy + alpha sqrt(m K) v + 5/4 K y = 0, with the damping ratio z = alpha / sqrt 5 (E. Antypov,
 * J. A. Elliott, 2011). It returns to y = 0 with e = exp(-pi z / sqrt(1 - z^2)). If the force may not pull, the contact ends when the
 * acceleration is 0, at the phase 2 arccos z, with e = exp(-2 z arccos(z) / sqrt(1 - z^2)): T. Schwager, T. Poeschel, "Coefficient of
 * restitution and linear-dashpot model revisited", 2007.
 */
#include <math.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"
#include "solve/pressure/pressure.h"

static bool is_no_material(const char *call, const char *argument, const abut_material *m) {
    if (argument_is_null(call, argument, m)) {
        return true;
    }
    return (!(m->young > 0.0) && refused(call, "%s->young is %.9g: it must be above 0", argument, m->young)) ||
           (!(m->poisson > -1.0 && m->poisson <= 0.5) &&
            refused(call, "%s->poisson is %.9g: it must be above -1 and at most 0.5", argument, m->poisson));
}

abut_status abut_pressure_law_make(const abut_material *a, const abut_material *b, abut_pressure_law *law) {
    if (argument_is_null(CALL_NAME, "law", law) || is_no_material(CALL_NAME, "a", a) || is_no_material(CALL_NAME, "b", b)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    double yield = (1.0 - a->poisson * a->poisson) / a->young + (1.0 - b->poisson * b->poisson) / b->young;
    double shear_yield =
        2.0 * (2.0 - a->poisson) * (1.0 + a->poisson) / a->young + 2.0 * (2.0 - b->poisson) * (1.0 + b->poisson) / b->young;
    if (!(yield > 0.0) || !isfinite(1.0 / yield) || !isfinite(1.0 / shear_yield) || !isfinite(yield) || !isfinite(shear_yield)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME,
                      "a and b are both rigid, or too soft or too hard: their modulus is not finite");
    }
    *law = (abut_pressure_law){.modulus = 1.0 / yield, .shear_modulus = 1.0 / shear_yield};
    return ABUT_OK;
}

static bool is_finite_from(double x, double least) { return x >= least && x < INFINITY; }

/* Whether a spring across the normal takes its stiffness from the shear modulus. */
static bool needs_shear(const abut_pressure_law *law) {
    return law->friction != 0.0 || law->rolling_resistance != 0.0 || law->twisting_resistance != 0.0;
}

abut_status pressure_check_law(const abut_pressure_law *law) {
    bool adheres = pressure_snaps(law) || law->adhesion == ABUT_ADHESION_DMT;
    bool good = (law->mode == ABUT_PRESSURE_AREA || law->mode == ABUT_PRESSURE_POINT) && law->modulus > 0.0 && law->modulus < INFINITY &&
                is_finite_from(law->damping, 0.0) && is_finite_from(law->friction, 0.0) && (adheres || law->adhesion == ABUT_ADHESION_NONE);
    good = good && is_finite_from(law->stiffness, 0.0) && !(adheres && law->stiffness > 0.0);
    good = good && is_finite_from(law->rolling_resistance, 0.0) && is_finite_from(law->twisting_resistance, 0.0);
    good = good && is_finite_from(law->liquid_volume, 0.0) && is_finite_from(law->surface_tension, 0.0) && law->contact_angle >= 0.0 &&
           law->contact_angle <= 0.5 * REAL_PI;
    good = good && (!needs_shear(law) || (law->shear_modulus > 0.0 && law->shear_modulus < INFINITY));
    good = good && (!adheres || (law->adhesion_work > 0.0 && law->adhesion_work < INFINITY));
    good = good && (law->adhesion != ABUT_ADHESION_MAUGIS || (law->adhesion_strength > 0.0 && law->adhesion_strength < INFINITY));
    return good && is_finite_from(law->layer, 0.0) ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static bool is_no_modulus(const char *call, const char *argument, double x) {
    return argument_is_not_positive(call, argument, x) || argument_is_not_finite(call, argument, x);
}

static bool is_no_share(const char *call, const char *argument, double x) {
    return argument_is_negative(call, argument, x) || argument_is_not_finite(call, argument, x);
}

abut_status pressure_refuse_law(const char *call, const abut_pressure_law *law) {
    if (argument_is_zero(law, sizeof *law)) {
        return refuse_zero(call, "law", "abut_pressure_law_make");
    }
    bool adheres = pressure_snaps(law) || law->adhesion == ABUT_ADHESION_DMT;
    bool known = law->mode == ABUT_PRESSURE_AREA || law->mode == ABUT_PRESSURE_POINT;
    bool said =
        (!known && refused_integer(call, "law->mode", (int)law->mode, "an abut_pressure_mode")) ||
        is_no_modulus(call, "law->modulus", law->modulus) || is_no_share(call, "law->damping", law->damping) ||
        is_no_share(call, "law->friction", law->friction) || is_no_share(call, "law->rolling_resistance", law->rolling_resistance) ||
        is_no_share(call, "law->twisting_resistance", law->twisting_resistance) ||
        (!adheres && law->adhesion != ABUT_ADHESION_NONE && refused_integer(call, "law->adhesion", (int)law->adhesion, "an abut_adhesion"));
    said = said || (needs_shear(law) && is_no_modulus(call, "law->shear_modulus", law->shear_modulus)) ||
           (adheres && is_no_modulus(call, "law->adhesion_work", law->adhesion_work)) ||
           (law->adhesion == ABUT_ADHESION_MAUGIS && is_no_modulus(call, "law->adhesion_strength", law->adhesion_strength));
    said = said || is_no_share(call, "law->layer", law->layer) || is_no_share(call, "law->stiffness", law->stiffness) ||
           is_no_share(call, "law->liquid_volume", law->liquid_volume) || is_no_share(call, "law->surface_tension", law->surface_tension) ||
           argument_is_outside(call, "law->contact_angle", law->contact_angle, 0.0, 0.5 * REAL_PI);
    (void)(said || (adheres && law->stiffness > 0.0 &&
                    refused(call, "law->stiffness is %.9g: there is no adhesion with the linear law", law->stiffness)));
    return ABUT_ERROR_INVALID_ARGUMENT;
}

/* arccos(z) / sqrt(1 - z^2); for z > 1 this is arcosh(z) / sqrt(z^2 - 1). */
static double phase_over_sine(double z) {
    double s = sqrt(fabs((1.0 - z) * (1.0 + z)));
    if (!(s > 0.0)) {
        return 1.0;
    }
    return (z < 1.0 ? elementary_atan2(s, z) : elementary_asinh(s)) / s;
}

/* -ln e if the force does not pull; rises from 0 without bound. */
static double loss_without_pull(double z) { return 2.0 * z * phase_over_sine(z); }

static double damping_without_pull(double loss) {
    double low = loss / REAL_PI, high = loss > 2.0 ? elementary_cosh(0.5 * loss) : 0.5 * loss;
    while (loss > 0.0) {
        double middle = sqrt(low) * sqrt(high);
        if (!(middle > low && middle < high)) {
            break;
        }
        *(loss_without_pull(middle) < loss ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

abut_status abut_pressure_damping(double restitution, bool pulls, double *damping) {
    if (argument_is_null(CALL_NAME, "damping", damping)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!(restitution > 0.0 && restitution <= 1.0)) {
        (void)refused_value(CALL_NAME, "restitution", restitution, "above 0 and at most 1");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    double loss = restitution < 1.0 ? -elementary_log(restitution) : 0.0;
    *damping = pulls ? loss / sqrt(REAL_PI * REAL_PI + loss * loss) : damping_without_pull(loss);
    return ABUT_OK;
}

abut_status abut_pressure_restitution(double damping, bool pulls, double *restitution) {
    if (argument_is_null(CALL_NAME, "restitution", restitution) || is_no_share(CALL_NAME, "damping", damping)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (pulls) {
        *restitution = damping < 1.0 ? elementary_exp(-REAL_PI * damping / sqrt((1.0 - damping) * (1.0 + damping))) : 0.0;
    } else {
        *restitution = elementary_exp(-loss_without_pull(damping));
    }
    return ABUT_OK;
}
