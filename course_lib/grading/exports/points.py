"""Exact points as the decimal numbers that gradebooks take."""

from fractions import Fraction


def decimal(points: Fraction) -> str:
    """Rounded to two places, halves up: 7/3 is 2.33, 5/2 is 2.5, 2 is 2.

    A sum is rounded once, from its exact value; it is not the sum of what is rounded.
    """
    whole, hundredths = divmod((100 * points + Fraction(1, 2)) // 1, 100)
    return f"{whole}.{hundredths:02d}".rstrip("0").rstrip(".")


def number(points: Fraction) -> float:
    """The same as a number for JSON."""
    return float(decimal(points))


def is_rounded(points: Fraction) -> bool:
    """Whether the decimal number is not the exact one."""
    return (100 * points).denominator != 1
