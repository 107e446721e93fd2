"""Where a Brownian motion between two barriers has gone by some time; exact, by reflection.

Cox & Miller (1965), The Theory of Stochastic Processes, section 5.7 (images of the starting point at both barriers);
Siegmund (1985), Sequential Analysis, chapters III and IV.
"""

import math

import numpy as np
from scipy.special import log_ndtr

LATE = 4.0
"""A time in units of the squared width over the variance: by then all but e**-20 of the paths have left."""


def passes_above(
    start: np.ndarray, width: float, drift: float, variance: float, time: float, level: float
) -> np.ndarray:
    """The chance to leave through the upper barrier by a time, or to be inside still and at a level or above.

    start: [...] where the motion begins; the barriers are 0 and `width`, and starts outside have left. drift, variance:
    per unit of time. time: positive. level: between the barriers. This orders the outcomes of a sequential test by
    stages: early upper exits are the most extreme above, early lower ones below.
    """
    inside = np.clip(start, 0, width)
    if variance * time > LATE * width**2:
        chance = _ever_above(inside, width, drift / variance)
    elif level <= 0:
        chance = 1 - _exit_above(width - inside, width, -drift, variance, time)
    else:
        chance = _exit_above(inside, width, drift, variance, time)
        if level < width:
            chance = chance + _inside_above(inside, width, drift, variance, time, level)
    return np.where(start <= 0, 0.0, np.where(start >= width, 1.0, np.clip(chance, 0, 1)))


def _images(width: float, root: float) -> np.ndarray:
    """How far the images are moved; those beyond eight standard deviations add nothing."""
    most = 1 + math.ceil(4 * root / width)
    return 2 * width * np.arange(-most, most + 1)


def _ever_above(start: np.ndarray, width: float, pull: float) -> np.ndarray:
    """The chance that the upper barrier is reached first, at any time; pull: drift / variance."""
    if abs(pull) * width < 1e-9:
        return start / width
    if pull < 0:
        return 1 - _ever_above(width - start, width, -pull)
    chance: np.ndarray = np.expm1(-2 * pull * start) / np.expm1(-2 * pull * width)
    return chance


def _exit_above(start: np.ndarray, width: float, drift: float, variance: float, time: float) -> np.ndarray:
    """The chance to leave through the upper barrier by a time: inverse Gaussian laws of the images."""
    images = _images(width, math.sqrt(variance * time))
    far = np.abs(width - start[..., None] + images)
    pull, root = drift / variance, math.sqrt(variance * time)
    ahead = pull * (width - start[..., None])
    chance = np.exp(ahead - pull * far + log_ndtr((drift * time - far) / root))
    chance += np.exp(ahead + pull * far + log_ndtr(-(drift * time + far) / root))
    return np.asarray(chance @ np.where(images >= 0, 1.0, -1.0))


def _inside_above(
    start: np.ndarray, width: float, drift: float, variance: float, time: float, level: float
) -> np.ndarray:
    """The chance that no barrier was reached by a time and the motion is at a level or above then."""
    images = _images(width, math.sqrt(variance * time))
    pull, root = drift / variance, math.sqrt(variance * time)
    total = np.zeros(start.shape)
    for sign, begin in ((1.0, start[..., None] + images), (-1.0, images - start[..., None])):
        weight = pull * (begin - start[..., None])
        mean = begin + drift * time
        total += sign * np.exp(weight + _log_between((level - mean) / root, (width - mean) / root)).sum(axis=-1)
    return total


def _log_between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The logarithm of the chance that a standard normal value lies between two numbers, far out as well."""
    flip = low > 0
    low, high = np.where(flip, -high, low), np.where(flip, -low, high)
    top = log_ndtr(high)
    with np.errstate(divide="ignore"):  # nothing lies between equal numbers
        return np.asarray(top + np.log1p(-np.exp(log_ndtr(low) - top)))
