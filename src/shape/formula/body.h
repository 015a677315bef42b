#pragma once

#include <stdint.h>

#include <abut/smooth.h>

/* The formulas of a body: one block of memory that belongs to its shape. */
struct formula;

/* Whether a body is defined by a formula; and its value alone, for far less than the price of its derivatives and with the same bits. */
bool formula_defines(const abut_implicit_def *def);
double formula_value(const abut_implicit_def *def, abut_vec3 point);

/* Adds the programs to a digest (base/digest.h). */
uint64_t formula_digest(uint64_t digest, const struct formula *formula);
