#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>
#include <abut/smooth.h>

/**
 * @file formula.h
 * Implicit and parametric bodies given by formulas. The library differentiates them exactly (automatic differentiation, forward mode), so no callback and no
 * derivative needs to be written. docs/use/formulas.md has the language, and examples.
 *
 * A formula consists of
 * - numbers: 2, 0.5, 1e-3, and pi
 * - variables: x, y, z of an implicit body; u, v of a parametric one
 * - parameters: names with values that the caller gives
 * - a + b, a - b, a * b, a / b, -a, and parentheses. Products are written with *
 * - a ^ b or pow(a, b), with a constant exponent b. ^ binds tighter than a minus before it, -x^2 = -(x^2), and from the right, 2^3^2 = 2^(3^2)
 * - sqrt(a), cbrt(a), exp(a), log(a), sin(a), cos(a), tan(a), atan(a), abs(a); atan2(a, b), hypot(a, b), min(a, b), max(a, b)
 *
 * Angles are in radians; log is the natural logarithm. Names distinguish capital letters. At a kink, such as abs(x) at x = 0, derivatives are those of one
 * side.
 * Formulas give the same bits on every machine: they use the elementary functions of this library.
 *
 * Conventions: frames, references, lengths and statuses are as in shape.h.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Most characters (bytes) of a formula. */
#define ABUT_FORMULA_MOST_CHARACTERS 16384
/** Most numbers, variables and operations of a formula, after parts without variables have been computed. */
#define ABUT_FORMULA_MOST_OPERATIONS 4096
/** Most parentheses, signs and powers within each other. */
#define ABUT_FORMULA_MOST_NESTED 64
/** Most parameters of a body. */
#define ABUT_FORMULA_MOST_PARAMETERS 64

/** A named number in a formula. */
typedef struct abut_formula_parameter {
    const char *name; /**< a letter, then letters, digits and _; not the name of a variable or a function, nor pi; never NULL */
    double value;     /**< finite */
} abut_formula_parameter;

/** Why a body was refused. */
typedef struct abut_formula_error {
    int32_t formula;   /**< index of the formula at fault: 0; of a parametric body 0, 1, 2 for x, y, z */
    int32_t column;    /**< its character at fault, from 1; 0 when the fault is not in the text */
    char message[200]; /**< what was found and what was expected, in English; ends with a zero */
} abut_formula_error;

/** Definition of the body F(x, y, z) <= 0. Shape frame. Zero-initialise it. */
typedef struct abut_implicit_formula_def {
    const char *formula;                      /**< F, below 0 inside; never NULL */
    const abut_formula_parameter *parameters; /**< [parameter_count]; NULL for none */
    int32_t parameter_count;                  /**< 0 to ABUT_FORMULA_MOST_PARAMETERS */
    abut_aabb bounds;                         /**< as in abut_implicit_def */
    abut_vec3 inside;                         /**< as in abut_implicit_def */
    bool convex;                              /**< as in abut_implicit_def */
} abut_implicit_formula_def;

/** Definition of a body by its closed surface S(u, v) = (x, y, z). Shape frame. Zero-initialise it. */
typedef struct abut_parametric_formula_def {
    const char *x;                            /**< the coordinate x of S; never NULL */
    const char *y;                            /**< its coordinate y; never NULL */
    const char *z;                            /**< its coordinate z; never NULL */
    const abut_formula_parameter *parameters; /**< [parameter_count]; NULL for none */
    int32_t parameter_count;                  /**< 0 to ABUT_FORMULA_MOST_PARAMETERS */
    double u_range[2];                        /**< as in abut_parametric_def */
    double v_range[2];                        /**< as in abut_parametric_def */
    bool u_periodic;                          /**< as in abut_parametric_def */
    bool v_periodic;                          /**< as in abut_parametric_def */
    bool convex;                              /**< as in abut_parametric_def */
} abut_parametric_formula_def;

/**
 * A body whose implicit function is a formula. In all other respects as abut_shape_create_implicit(); abut_shape_implicit() gives the function and its
 * derivatives.
 *
 * @param def    read during the call only; never NULL
 * @param error  written on failure; may be NULL
 * @return as abut_shape_create_implicit(); ABUT_ERROR_INVALID_ARGUMENT also for a text that is no formula, a name that it does not know, an exponent that is
 *         not constant, a constant part that is not finite (1 / 0), more than the limits above, and a parameter that is not finite, has a name that is taken
 *         or is in no formula
 */
ABUT_API abut_status abut_shape_create_implicit_formula(const abut_implicit_formula_def *def, abut_formula_error *error, abut_shape **shape);

/**
 * A body whose parametric surface is three formulas. In all other respects as abut_shape_create_parametric().
 *
 * @param def    read during the call only; never NULL
 * @param error  written on failure; may be NULL
 * @return as abut_shape_create_parametric(); ABUT_ERROR_INVALID_ARGUMENT also as for abut_shape_create_implicit_formula()
 */
ABUT_API abut_status abut_shape_create_parametric_formula(const abut_parametric_formula_def *def, abut_formula_error *error,
                                                          abut_shape **shape);

#ifdef __cplusplus
}
#endif
