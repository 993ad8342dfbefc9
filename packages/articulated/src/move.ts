import type { F32, Vec3 } from '@gradsim/core';
import { addCompensated, dot, f32, kernel, Quat, select, sin, sqrt } from '@gradsim/core';
import { kickDuration } from '@gradsim/dynamics';
import { Link } from './link.ts';

const axisStates = {
  coordinate: Link.coordinate,
  rate: Link.rate,
  coordinateCarry: Link.coordinateCarry,
  rateCarry: Link.rateCarry,
};
/** Moves joints with an axis by semi-implicit Euler: first the new rate, then the coordinate with it. */
export const moveAxis = kernel(
  'moveAxis',
  { domain: Link, reads: { ...axisStates, acceleration: Link.acceleration }, writes: axisStates },
  (l, moment) => {
    const { dt } = moment;
    const rate = addCompensated(l.rate, l.rateCarry, l.acceleration.mul(kickDuration(moment)));
    const coordinate = addCompensated(l.coordinate, l.coordinateCarry, rate.sum.mul(dt));
    return {
      rate: rate.sum,
      rateCarry: rate.compensation,
      coordinate: coordinate.sum,
      coordinateCarry: coordinate.compensation,
    };
  },
);

/** States of ball joints, and of free ones those of both. */
export const ballStates = {
  jointOrientation: Link.jointOrientation,
  angularVelocity: Link.angularVelocity,
  orientationCarry: Link.orientationCarry,
  angularVelocityCarry: Link.angularVelocityCarry,
};
/**
 * Moves the orientation of ball and free joints by semi-implicit Euler, with angular velocities in the link's axes: q'
 * = q exp(dt w / 2), a rotation about w.
 */
export const moveBall = kernel(
  'moveBall',
  {
    domain: Link,
    reads: { ...ballStates, angularAcceleration: Link.angularAcceleration },
    writes: ballStates,
  },
  (l, moment) => {
    const { dt } = moment;
    const w = addCompensated(
      l.angularVelocity,
      l.angularVelocityCarry,
      l.angularAcceleration.mul(kickDuration(moment)),
    );
    const q = l.jointOrientation;
    const turn = q.mul(expMinusOne(w.sum.mul(dt.mul(0.5))));
    // Normalised: normalize(q + turn) - q, without the cancellation of that difference.
    const turned = q.add(turn);
    const length = sqrt(turned.components.map((c) => c.mul(c)).reduce((sum, c) => sum.add(c)));
    const scale = f32(1).div(length);
    const r = addCompensated(q, l.orientationCarry, turn.add(turned.scale(scale.sub(1))));
    return {
      angularVelocity: w.sum,
      angularVelocityCarry: w.compensation,
      jointOrientation: r.sum,
      orientationCarry: r.compensation,
    };
  },
);

/** Returns exp(v) - 1 for half a rotation vector v, as a quaternion: (v sin |v| / |v|, cos |v| - 1). */
function expMinusOne(v: Vec3): Quat {
  const square = dot(v, v);
  // Below, the series is exact in doubles.
  const isSmall = square.lt(1e-4);
  const series = (terms: readonly number[]): F32 =>
    terms.reduceRight<F32>((sum, term) => sum.mul(square).add(term), f32(0));
  const size = sqrt(select(isSmall, f32(1), square));
  const half = sin(size.mul(0.5));
  const ratio = select(isSmall, series([1, -1 / 6, 1 / 120, -1 / 5040]), sin(size).div(size));
  const rest = select(isSmall, series([0, -1 / 2, 1 / 24, -1 / 720]), half.mul(half).mul(-2));
  return new Quat([...v.mul(ratio).components, rest]);
}

export const freeStates = {
  translation: Link.translation,
  velocity: Link.velocity,
  translationCarry: Link.translationCarry,
  velocityCarry: Link.velocityCarry,
};
/** Moves the translation of free joints by semi-implicit Euler, in the parent's axes. */
export const moveFree = kernel(
  'moveFree',
  { domain: Link, reads: { ...freeStates, linearAcceleration: Link.linearAcceleration }, writes: freeStates },
  (l, moment) => {
    const { dt } = moment;
    const velocity = addCompensated(l.velocity, l.velocityCarry, l.linearAcceleration.mul(kickDuration(moment)));
    const translation = addCompensated(l.translation, l.translationCarry, velocity.sum.mul(dt));
    return {
      velocity: velocity.sum,
      velocityCarry: velocity.compensation,
      translation: translation.sum,
      translationCarry: translation.compensation,
    };
  },
);
