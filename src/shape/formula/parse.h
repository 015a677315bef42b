#pragma once

#include <abut/formula.h>

#include "shape/formula/program.h"

/* Reads formulas. The language is in abut/formula.h. */

typedef struct formula_names {
    const char *const *variables; /* [variable_count], each one letter */
    int variable_count;
    const abut_formula_parameter *parameters; /* [parameter_count], checked */
    int32_t parameter_count;
    bool *used; /* [parameter_count]: set for each parameter that a formula names */
} formula_names;

/* A program that grows while formulas are read. Start with all zero; release `steps` with memory_release(). */
typedef struct formula_steps {
    program_step *steps;
    int32_t count, capacity;
} formula_steps;

/*
 * Appends the program of a formula. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT with column and message of *error set; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status formula_parse(const char *text, const formula_names *names, formula_steps *made, abut_formula_error *error);

/* Whether a name is a name by its letters, and whether the language already has it (a function, pi). */
bool formula_is_name(const char *name);
bool formula_has_name(const char *name);
