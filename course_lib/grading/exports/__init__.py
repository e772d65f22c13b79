"""Results in the forms that others read; one file for each format.

All of them share three rules. A submission that could not be graded is blank, never 0. Points are
exact in the records and rounded once, when they are written. Whatever a submission holds is
written as text that does nothing: no formula, no markup, no control character.
"""
