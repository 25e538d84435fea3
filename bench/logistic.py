"""Logistic regression with a little ridge, how true its probabilities are, and how its weights are written."""

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
# Weights are held near nothing by this much, in units of a standard deviation, where features say nearly the same.
_RIDGE = 1.0
_STEPS = 40
_BINS = 10


def solve(features: Numbers, labels: Numbers, worth: Numbers) -> Numbers:
    """Return bias and weights, by Newton's method."""
    mean, spread = features.mean(0), features.std(0) + 1e-9
    rows = np.column_stack([np.ones(len(features)), (features - mean) / spread])
    held = _RIDGE * np.eye(rows.shape[1])
    held[0, 0] = 1e-9
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        expected = 1 / (1 + np.exp(-(rows @ weights)))
        curvature = (rows * (worth * expected * (1 - expected))[:, None]).T @ rows + held
        weights -= np.linalg.solve(curvature, rows.T @ (worth * (expected - labels)) + held @ weights)
    scaled = weights[1:] / spread
    return np.concatenate([[weights[0] - scaled @ mean], scaled])


def calibration_error(expected: Numbers, labels: Numbers) -> float:
    """Return the mean distance of probabilities and shares, over bins of equal width."""
    bins = np.minimum((expected * _BINS).astype(int), _BINS - 1)
    sums = [abs(float((expected - labels)[bins == number].sum())) for number in range(_BINS)]
    return sum(sums) / max(1, len(labels))


def loss(expected: Numbers, labels: Numbers) -> float:
    """Return the mean log loss."""
    inside = np.clip(expected, 1e-9, 1 - 1e-9)
    return float(-(labels * np.log(inside) + (1 - labels) * np.log(1 - inside)).mean())


def to_toml(head: str, found: dict[str, tuple[tuple[str, ...], Numbers]]) -> str:
    """Render the weights."""
    parts = [head]
    for name, (features, weights) in found.items():
        parts.append(f'["{name}"]\nbias = {weights[0]:.4f}\n\n["{name}".weights]')
        parts += [f"{feature} = {weight:.4f}" for feature, weight in zip(features, weights[1:], strict=True)]
        parts.append("")
    return "\n".join(parts)
