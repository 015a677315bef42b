/*
 * Smooth bodies by formulas on the command line. A copy of the text is cut at colons into words: all but the last one are KEY=VALUE.
 */
#include "tool/formula_argument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/formula.h>

#include "tool/cli.h"

typedef struct formula_argument {
    char shown[124]; /* the argument, cut where it is too long for a message */
    bool parametric;
    bool has_lower, has_upper, has_u, has_v, convex;
    abut_vec3 lower, upper, inside;
    double u[2], v[2];
    const char *periodic;
    abut_formula_parameter parameters[ABUT_FORMULA_MOST_PARAMETERS]; /* the names point into the copy */
    int32_t parameter_count;
    char *formulas; /* points into the copy */
} formula_argument;

static abut_status set_numbers(const formula_argument *a, const char *key, const char *value, int count, double *numbers,
                               abut_error *error) {
    if (cli_numbers(value, numbers, count) == count) {
        return ABUT_OK;
    }
    return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': %s takes %d number%s, not '%s'", a->shown, key, count,
                     count == 1 ? "" : "s with commas between", value);
}

static abut_status set_vector(const formula_argument *a, const char *key, const char *value, abut_vec3 *vector, abut_error *error) {
    double n[3] = {0.0};
    abut_status status = set_numbers(a, key, value, 3, n, error);
    *vector = abut_vec3_make(n[0], n[1], n[2]);
    return status;
}

static abut_status set_word(const formula_argument *a, const char *key, const char *value, const char *words, abut_error *error) {
    const char *found = strstr(words, value);
    bool whole = found && *value && (found == words || found[-1] == ' ') && strchr(" ", found[strlen(value)]);
    return whole ? ABUT_OK : abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': %s is one of: %s", a->shown, key, words);
}

static abut_status set_parameter(formula_argument *a, const char *key, const char *value, abut_error *error) {
    if (a->parameter_count == ABUT_FORMULA_MOST_PARAMETERS) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': more than %d parameters", a->shown, ABUT_FORMULA_MOST_PARAMETERS);
    }
    abut_formula_parameter *p = &a->parameters[a->parameter_count++];
    p->name = key;
    return set_numbers(a, key, value, 1, &p->value, error);
}

static abut_status set_key(formula_argument *a, const char *key, const char *value, abut_error *error) {
    if (strcmp(key, "convex") == 0) {
        a->convex = strcmp(value, "no") != 0;
        return set_word(a, key, value, "yes no", error);
    }
    if (a->parametric && strcmp(key, "periodic") == 0) {
        a->periodic = value;
        return set_word(a, key, value, "u v uv", error);
    }
    if (a->parametric && (strcmp(key, "u") == 0 || strcmp(key, "v") == 0)) {
        bool is_u = *key == 'u';
        *(is_u ? &a->has_u : &a->has_v) = true;
        return set_numbers(a, key, value, 2, is_u ? a->u : a->v, error);
    }
    if (!a->parametric && strcmp(key, "lower") == 0) {
        a->has_lower = true;
        return set_vector(a, key, value, &a->lower, error);
    }
    if (!a->parametric && strcmp(key, "upper") == 0) {
        a->has_upper = true;
        return set_vector(a, key, value, &a->upper, error);
    }
    if (!a->parametric && strcmp(key, "inside") == 0) {
        return set_vector(a, key, value, &a->inside, error);
    }
    return set_parameter(a, key, value, error);
}

static abut_status take_words(formula_argument *a, char *copy, abut_error *error) {
    char *word = strchr(copy, ':') + 1, *colon;
    abut_status status = ABUT_OK;
    while (!status && (colon = strchr(word, ':')) != NULL) {
        *colon = '\0';
        char *equals = strchr(word, '=');
        if (!equals) {
            return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': '%s' is not KEY=VALUE", a->shown, word);
        }
        *equals = '\0';
        status = set_key(a, word, equals + 1, error);
        word = colon + 1;
    }
    a->formulas = word;
    return status;
}

static abut_status fail_as(const formula_argument *a, const char *formula, abut_status status, const abut_formula_error *why,
                           abut_error *error) {
    return why->column > 0 ? abut_fail(error, status, "'%s': column %d of '%.400s': %s", a->shown, (int)why->column, formula, why->message)
                           : abut_fail(error, status, "'%s': %s", a->shown, why->message);
}

static abut_status make_implicit(const formula_argument *a, abut_shape **shape, abut_error *error) {
    if (!a->has_upper) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': an implicit body needs upper=X,Y,Z, the corner of a box around it",
                         a->shown);
    }
    const abut_implicit_formula_def def = {.formula = a->formulas,
                                           .parameters = a->parameters,
                                           .parameter_count = a->parameter_count,
                                           .bounds = {a->has_lower ? a->lower : abut_neg(a->upper), a->upper},
                                           .inside = a->inside,
                                           .convex = a->convex};
    abut_formula_error why;
    abut_status status = abut_shape_create_implicit_formula(&def, &why, shape);
    return status ? fail_as(a, a->formulas, status, &why, error) : ABUT_OK;
}

/* Cuts the text at the semicolons. False unless there are three formulas. */
static bool cut_formulas(char *text, const char *formulas[3]) {
    for (int i = 0; i < 3; i++) {
        char *end = strchr(text, ';');
        if ((end != NULL) != (i < 2)) {
            return false;
        }
        formulas[i] = text;
        if (end) {
            *end = '\0';
            text = end + 1;
        }
    }
    return true;
}

static abut_status make_parametric(const formula_argument *a, abut_shape **shape, abut_error *error) {
    const char *formulas[3];
    if (!a->has_u || !a->has_v) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': a parametric body needs u=FROM,TO and v=FROM,TO", a->shown);
    }
    if (!cut_formulas(a->formulas, formulas)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "'%s': a parametric body needs three formulas with ';' between", a->shown);
    }
    const abut_parametric_formula_def def = {.x = formulas[0],
                                             .y = formulas[1],
                                             .z = formulas[2],
                                             .parameters = a->parameters,
                                             .parameter_count = a->parameter_count,
                                             .u_range = {a->u[0], a->u[1]},
                                             .v_range = {a->v[0], a->v[1]},
                                             .u_periodic = strchr(a->periodic, 'u') != NULL,
                                             .v_periodic = strchr(a->periodic, 'v') != NULL,
                                             .convex = a->convex};
    abut_formula_error why;
    abut_status status = abut_shape_create_parametric_formula(&def, &why, shape);
    return status ? fail_as(a, formulas[why.formula], status, &why, error) : ABUT_OK;
}

abut_status formula_argument_read(const char *text, abut_shape **shape, abut_error *error) {
    formula_argument a = {.parametric = text[0] == 'p', .convex = true, .periodic = ""};
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (!copy) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "'%.100s': no memory", text);
    }
    memcpy(copy, text, size);
    snprintf(a.shown, sizeof a.shown, strlen(text) < sizeof a.shown ? "%s" : "%.120s...", text);
    abut_status status = take_words(&a, copy, error);
    if (!status) {
        status = a.parametric ? make_parametric(&a, shape, error) : make_implicit(&a, shape, error);
    }
    free(copy);
    return status;
}
