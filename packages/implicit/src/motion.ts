import type { F32, FieldRef, Kernel, ValueType, Vec3 } from '@gradsim/core';
import { addCompensated, f32, field, kernel, select, vec3 } from '@gradsim/core';
import { gravity } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';

/*
 * A step is one solve or two, and each is one of backward Euler, over a part of the substep: of order 1, over all of
 * it. Of order 2 it is over g = 1 - 1 / sqrt(2) of it, from where the particles are to a middle; the second one as
 * long, from what is 1 + sqrt(2) times as far as the middle: x' = x + dt ((1 - g) v_middle + g v'), and the same of
 * velocities. That is of second order, and what is too fast for it comes to rest as under backward Euler (R. Alexander,
 * Diagonally implicit Runge-Kutta methods for stiff ODEs, 1977).
 */

/** An implicit solve for the velocities of particles at the end of a step, with the fields that it uses. */
export interface Solve {
  /** Name of the solve's groups of passes. */
  readonly name: string;
  /** Velocity that the solve finds, m/s. */
  readonly unknown: VectorsOfParticles;
  /** Velocity of particles before the solve, m/s. */
  readonly velocityBefore: VectorsOfParticles;
  /** Initial guess of the velocity, m/s. */
  readonly initialGuess: VectorsOfParticles;
  /**
   * Position to which the unknown velocity leads, with its rounding compensation, and the velocity there: forces are
   * evaluated at these.
   */
  readonly nextPosition: VectorsOfParticles;
  readonly nextCarry: VectorsOfParticles;
  readonly nextVelocity: VectorsOfParticles;
  /** Residual of the momentum balance, N s: 0 if the equation of the step is satisfied. */
  readonly momentumResidual: VectorsOfParticles;
}
export type VectorsOfParticles = FieldRef<ValueType<Vec3>, 'particles'>;

/** Velocity of particles at the start of the substep, m/s. */
export const velocityBefore = field('particles', 'velocityBefore', vec3, { unit: 'm/s' });
/** Velocity found by the first of two solves, m/s. Stored with the state: the backward pass does not solve again. */
export const middleVelocity = field('particles', 'middleVelocity', vec3, { unit: 'm/s' });
/** Velocity with which the second of two solves begins, m/s. */
const extrapolatedVelocity = field('particles', 'velocityBeyond', vec3, { unit: 'm/s' });

const fieldsOf = (
  name: string,
): Pick<Solve, 'name' | 'nextPosition' | 'nextCarry' | 'nextVelocity' | 'momentumResidual'> => ({
  name,
  nextPosition: field('particles', `${name}NextPosition`, vec3, { unit: 'm' }),
  nextCarry: field('particles', `${name}NextCarry`, vec3, { unit: 'm' }),
  nextVelocity: field('particles', `${name}NextVelocity`, vec3, { unit: 'm/s' }),
  momentumResidual: field('particles', `${name}Imbalance`, vec3, { unit: 'N s' }),
});

/** Returns the fraction of a substep that each solve covers. */
export const substepFraction = (order: 1 | 2): number => (order === 1 ? 1 : 1 - Math.SQRT1_2);
/** The solve of a step of order 1. */
export const firstOrderSolve: Solve = {
  ...fieldsOf('implicit'),
  unknown: Particle.velocity,
  velocityBefore,
  initialGuess: velocityBefore,
};
/** The two solves of a step of order 2. */
export const firstOfTwoSolves: Solve = {
  ...fieldsOf('implicitMiddle'),
  unknown: middleVelocity,
  velocityBefore,
  initialGuess: velocityBefore,
};
export const secondOfTwoSolves: Solve = {
  ...fieldsOf('implicit'),
  unknown: Particle.velocity,
  velocityBefore: extrapolatedVelocity,
  initialGuess: middleVelocity,
};

/** Approximate derivative of the momentum residual with respect to the velocity, kg: a scalar for each particle. */
export const effectiveMass = field('particles', 'inertia', f32, { unit: 'kg' });

export const rememberVelocity = kernel(
  'rememberVelocity',
  { domain: Particle, reads: { velocity: Particle.velocity }, writes: { velocityBefore } },
  ({ velocity }) => ({ velocityBefore: velocity }),
);

/** Returns the velocity of a particle, 0 if it is fixed. */
function velocityIfFree(fixed: F32, v: Vec3): Vec3 {
  return select(fixed.gt(0), vec3(0, 0, 0), v);
}

/** Computes the position x' = x + h v', with h the fraction of the substep that the solve covers. */
export const predictPosition = ({ unknown, nextPosition, nextCarry, nextVelocity }: Solve, part: number): Kernel =>
  kernel(
    'lookAhead',
    {
      domain: Particle,
      reads: {
        position: Particle.position,
        positionCarry: Particle.positionCarry,
        velocity: unknown,
        fixed: Particle.fixed,
      },
      writes: { nextPosition, nextCarry, nextVelocity },
    },
    ({ position, positionCarry, velocity, fixed }, { dt }) => {
      const v = velocityIfFree(fixed, velocity);
      const x = addCompensated(position, positionCarry, v.mul(dt.mul(part)));
      return { nextPosition: x.sum, nextCarry: x.compensation, nextVelocity: v };
    },
  );

/** Computes the residual m (v' - v - h g) - h f(x', v'); for a fixed particle, v'. */
export const momentumBalance = (force: VectorsOfParticles, solve: Solve, part: number): Kernel => {
  const { unknown, nextVelocity, velocityBefore, momentumResidual: imbalance } = solve;
  return kernel(
    'balance',
    {
      domain: Particle,
      reads: {
        velocity: unknown,
        nextVelocity,
        velocityBefore,
        totalMass: Particle.totalMass,
        fixed: Particle.fixed,
        gravity,
        force,
      },
      adds: { imbalance },
    },
    ({ velocity, nextVelocity, velocityBefore, totalMass, fixed, gravity, force, imbalance }, { dt }) => {
      const h = dt.mul(part);
      const change = nextVelocity.sub(velocityBefore).sub(gravity.mul(h));
      const left = change.mul(totalMass).sub(force.mul(h));
      imbalance.add(select(fixed.gt(0), velocity, left));
    },
  );
};

/** Kernel that extrapolates from the middle of a step of order 2 to the start of its second solve. */
export const extrapolateMiddle = (part: number): Kernel =>
  kernel(
    'goBeyond',
    {
      domain: Particle,
      reads: {
        position: Particle.position,
        positionCarry: Particle.positionCarry,
        fixed: Particle.fixed,
        velocityBefore,
        middleVelocity,
      },
      writes: {
        position: Particle.position,
        positionCarry: Particle.positionCarry,
        velocityBeyond: extrapolatedVelocity,
      },
    },
    ({ position, positionCarry, fixed, velocityBefore, middleVelocity }, { dt }) => {
      const moved = velocityIfFree(fixed, middleVelocity).mul(dt.mul(1 - part));
      const x = addCompensated(position, positionCarry, moved);
      const gained = middleVelocity.sub(velocityBefore).mul((1 - part) / part);
      return {
        position: x.sum,
        positionCarry: x.compensation,
        velocityBeyond: velocityBefore.add(gained),
      };
    },
  );

/** Kernel that makes the end of the step the new state. */
export const acceptStep = (part: number): Kernel =>
  kernel(
    'takeNext',
    {
      domain: Particle,
      reads: {
        position: Particle.position,
        positionCarry: Particle.positionCarry,
        velocity: Particle.velocity,
        fixed: Particle.fixed,
      },
      writes: {
        position: Particle.position,
        positionCarry: Particle.positionCarry,
        velocityCarry: Particle.velocityCarry,
      },
    },
    ({ position, positionCarry, velocity, fixed }, { dt }) => {
      const moved = velocityIfFree(fixed, velocity).mul(dt.mul(part));
      const x = addCompensated(position, positionCarry, moved);
      return { position: x.sum, positionCarry: x.compensation, velocityCarry: vec3(0, 0, 0) };
    },
  );

/**
 * Computes m + h c + h^2 k, with the stiffness k and damping c around a particle as elements declare them for the
 * largest stable substep: a preconditioner. Elements that declare none only cost more
 * iterations.
 */
export const inertiaOfStep = (part: number): Kernel =>
  kernel(
    'inertiaOfStep',
    {
      domain: Particle,
      reads: {
        totalMass: Particle.totalMass,
        fixed: Particle.fixed,
        stiffnessAround: Particle.stiffnessAround,
        dampingAround: Particle.dampingAround,
      },
      writes: { inertia: effectiveMass },
    },
    ({ totalMass, fixed, stiffnessAround, dampingAround }, { dt }) => {
      const h = dt.mul(part);
      const held = dampingAround.add(stiffnessAround.mul(h)).mul(h);
      return { inertia: select(fixed.gt(0), f32(1), totalMass.add(held)) };
    },
  );
