"""The library that the course *Attention, Recomputed* builds towards.

`reference` holds every formula once, in NumPy; `nn` holds the same ideas as PyTorch modules.
"""

__version__ = "0.1.0"
