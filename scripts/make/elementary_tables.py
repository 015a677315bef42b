#!/usr/bin/env python3
"""Writes src/base/elementary_tables.h: the tables of the functions in src/base/elementary.c. The numbers are computed to 450 decimal digits, with sums,
products, quotients and roots only, and rounded once. `python3 scripts/make/elementary_tables.py > src/base/elementary_tables.h`; a test compares the two."""

from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 450
TINY = Decimal(10) ** -440


def series(first, ratio):
    """The sum of a series: each term is the term before times ratio(its number)."""
    total, term, n = Decimal(0), first, 0
    while abs(term) > TINY:
        total += term
        n += 1
        term *= ratio(n)
    return total


def sine(x):
    return series(x, lambda n: -x * x / (2 * n * (2 * n + 1)))


def cosine(x):
    return series(Decimal(1), lambda n: -x * x / (2 * n * (2 * n - 1)))


def arctangent(x):
    if x > Decimal("0.1"):  # atan x = 2 atan(x / (1 + sqrt(1 + x^2))), so that the series is short
        return 2 * arctangent(x / (1 + (1 + x * x).sqrt()))
    total, power, n = Decimal(0), x, 0
    while abs(power) > TINY:
        total += power / (2 * n + 1) * (-1) ** n
        power *= x * x
        n += 1
    return total


PI = 16 * arctangent(1 / Decimal(5)) - 4 * arctangent(1 / Decimal(239))
LN2 = Decimal(2).ln()


def down_to(x, bits):
    """x rounded to a multiple of 2^-bits, as a fraction."""
    return Fraction(round(Fraction(x) * 2**bits), 2**bits)


def decimal_of(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def high_low(x):
    high = float(x)
    return high, float(x - Decimal(high))


def short_high_low(x, bits):
    """The same, with the high part a multiple of 2^-bits."""
    high = down_to(x, bits)
    return float(high), float(x - decimal_of(high))


def row(numbers):
    return "{" + ", ".join(f"{x.hex()}" for x in numbers) + "}"


def table(name, kind, rows, more=""):
    print(f"\nstatic const {kind} {name}[{len(rows)}]{more} = {{")
    for r in rows:
        print(f"    {r},")
    print("};")


def constant(name, value, comment):
    print(f"static const double {name} = {value.hex()};" + (f" /* {comment} */" if comment else ""))


def log_rows():
    """For each part of [11/16, 22/16): a short number near the reciprocal of its middle (1 for the parts next to 1), and minus that number's logarithm."""
    rows = []
    for i in range(128):
        low, high = (Fraction(176 + i, 256), Fraction(177 + i, 256)) if i < 80 else (Fraction(128 + i - 80, 128), Fraction(129 + i - 80, 128))
        near = Fraction(1) if i in (79, 80) else down_to(decimal_of(2 / (low + high)), 11)
        rows.append(row((float(near), *short_high_low(-decimal_of(near).ln(), 42))))
    return rows


def two_over_pi_words():
    bits = int(2 / PI * Decimal(2) ** (64 * 19))
    return [0] + [bits >> 64 * (18 - i) & (2**64 - 1) for i in range(19)]


print("#pragma once\n\n#include <stdint.h>\n\n/* Written by scripts/make/elementary_tables.py. */\n")
half_pi = PI / 2
first = down_to(half_pi, 32)
second = down_to(half_pi - decimal_of(first), 65)
constant("half_pi_first", float(first), "pi/2 in three parts, of which the first two have 33 digits")
constant("half_pi_second", float(second), "")
constant("half_pi_third", float(half_pi - decimal_of(first) - decimal_of(second)), "")
for name, value, comment in (("half_pi", half_pi, "pi/2"), ("whole_pi", PI, "pi"), ("half_log_tau", (2 * PI).ln() / 2, "ln(2 pi)/2")):
    constant(f"{name}_high", high_low(value)[0], comment)
    constant(f"{name}_low", high_low(value)[1], "")
constant("two_over_pi", float(2 / PI), "2/pi")
constant("log_two_high", short_high_low(LN2, 42)[0], "ln 2, whole multiples of 2^-42 and the rest")
constant("log_two_low", short_high_low(LN2, 42)[1], "")
constant("steps_per_e", float(128 / LN2), "128/ln 2")
constant("step_high", short_high_low(LN2 / 128, 42)[0], "ln 2/128, whole multiples of 2^-42 and the rest")
constant("step_low", short_high_low(LN2 / 128, 42)[1], "")

print("\ntypedef struct elementary_pair {\n    double high, low;\n} elementary_pair;")
print("typedef struct elementary_log_row {\n    double near, high, low;\n} elementary_log_row;")
print("\n/* 2^(i/128) */", end="")
table("exp_rows", "elementary_pair", [row(high_low((LN2 * i / 128).exp())) for i in range(128)])
print("\n/* A short number near 1/m in each of 128 parts of 11/16 <= m < 22/16, and minus its logarithm, whole multiples of 2^-42 and the rest. */", end="")
table("log_rows", "elementary_log_row", log_rows())
print("\n/* sin(i/32), cos(i/32) */", end="")
table("turn_rows", "elementary_pair", ["{" + row(high_low(sine(Decimal(i) / 32))) + ", " + row(high_low(cosine(Decimal(i) / 32))) + "}" for i in range(27)], "[2]")
print("\n/* atan(i/64) */", end="")
table("arc_rows", "elementary_pair", [row(high_low(arctangent(Decimal(i) / 64))) for i in range(65)])
print("\n/* 64 zeros, then the binary digits of 2/pi. */", end="")
table("two_over_pi_digits", "uint64_t", [f"UINT64_C(0x{w:016x})" for w in two_over_pi_words()])
