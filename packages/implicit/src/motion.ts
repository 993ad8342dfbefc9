import type { F32, FieldRef, Kernel, ValueType, Vec3 } from '@gradsim/core';
import { addCompensated, f32, field, kernel, select, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { gravity } from '@gradsim/physics';

/*
 * A step is one solve or two, and each is one of backward Euler, over a part of the substep: of order 1, over all of it.
 * Of order 2 it is over g = 1 - 1 / sqrt(2) of it, from where the particles are to a middle; the second one as long, from
 * what is 1 + sqrt(2) times as far as the middle: x' = x + dt ((1 - g) v_middle + g v'), and the same of velocities. That
 * is of second order, and what is too fast for it comes to rest as under backward Euler (R. Alexander, Diagonally implicit
 * Runge-Kutta methods for stiff ODEs, 1977).
 */

/** One solve for the velocity at its end: its fields, which no other solve of the step uses. */
export interface Solve {
  /** What its groups of passes are called. */
  readonly name: string;
  /** What is looked for. */
  readonly unknown: VectorsOfParticles;
  /** What particles came with into it. */
  readonly velocityBefore: VectorsOfParticles;
  /** Where the search begins. */
  readonly firstTry: VectorsOfParticles;
  /** Where the velocity that is looked for leads to, and how fast particles are there: what forces are taken of. */
  readonly nextPosition: VectorsOfParticles;
  readonly nextCarry: VectorsOfParticles;
  readonly nextVelocity: VectorsOfParticles;
  /** What is missing to momentum: 0 where the equation of the step holds. */
  readonly imbalance: VectorsOfParticles;
}
export type VectorsOfParticles = FieldRef<ValueType<Vec3>, 'particles'>;

/** What particles came with into the substep. */
export const velocityBefore = field('particles', 'velocityBefore', vec3, { unit: 'm/s' });
/** The velocity that the first of two solves finds. It is kept with the state: the way back does not solve again. */
export const middleVelocity = field('particles', 'middleVelocity', vec3, { unit: 'm/s' });
/** What the second of two solves goes on from. */
const velocityBeyond = field('particles', 'velocityBeyond', vec3, { unit: 'm/s' });

const fieldsOf = (name: string): Pick<Solve, 'name' | 'nextPosition' | 'nextCarry' | 'nextVelocity' | 'imbalance'> => ({
  name,
  nextPosition: field('particles', `${name}NextPosition`, vec3, { unit: 'm' }),
  nextCarry: field('particles', `${name}NextCarry`, vec3, { unit: 'm' }),
  nextVelocity: field('particles', `${name}NextVelocity`, vec3, { unit: 'm/s' }),
  imbalance: field('particles', `${name}Imbalance`, vec3, { unit: 'N s' }),
});

/** The part of a substep that each solve is over. */
export const partOf = (order: 1 | 2): number => (order === 1 ? 1 : 1 - Math.SQRT1_2);
/** The solve of a step of order 1. */
export const onlySolve: Solve = {
  ...fieldsOf('implicit'),
  unknown: Particle.velocity,
  velocityBefore,
  firstTry: velocityBefore,
};
/** Those of order 2. */
export const middleSolve: Solve = {
  ...fieldsOf('implicitMiddle'),
  unknown: middleVelocity,
  velocityBefore,
  firstTry: velocityBefore,
};
export const lastSolve: Solve = {
  ...fieldsOf('implicit'),
  unknown: Particle.velocity,
  velocityBefore: velocityBeyond,
  firstTry: middleVelocity,
};

/** About the derivative of the imbalance with respect to the velocity. */
export const inertia = field('particles', 'inertia', f32, { unit: 'kg' });

export const rememberVelocity = kernel(
  'rememberVelocity',
  { domain: Particle, reads: { velocity: Particle.velocity }, writes: { velocityBefore } },
  ({ velocity }) => ({ velocityBefore: velocity }),
);

/** The velocity of a particle, 0 where it never moves. */
function free(fixed: F32, v: Vec3): Vec3 {
  return select(fixed.gt(0), vec3(0, 0, 0), v);
}

/** x' = x + h v', with a solve's part h of the substep. */
export const lookAhead = ({ unknown, nextPosition, nextCarry, nextVelocity }: Solve, part: number): Kernel =>
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
      const v = free(fixed, velocity);
      const x = addCompensated(position, positionCarry, v.mul(dt.mul(part)));
      return { nextPosition: x.sum, nextCarry: x.carry, nextVelocity: v };
    },
  );

/** m (v' - v - h g) - h f(x', v'); for a particle that never moves, v'. */
export const balanceUnder = (force: VectorsOfParticles, solve: Solve, part: number): Kernel => {
  const { unknown, nextVelocity, velocityBefore, imbalance } = solve;
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

/** From the middle of a step of order 2 to what its second solve goes on from. */
export const goBeyond = (part: number): Kernel =>
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
        velocityBeyond,
      },
    },
    ({ position, positionCarry, fixed, velocityBefore, middleVelocity }, { dt }) => {
      const moved = free(fixed, middleVelocity).mul(dt.mul(1 - part));
      const x = addCompensated(position, positionCarry, moved);
      const gained = middleVelocity.sub(velocityBefore).mul((1 - part) / part);
      return {
        position: x.sum,
        positionCarry: x.carry,
        velocityBeyond: velocityBefore.add(gained),
      };
    },
  );

/** Takes the end of the step for the state. What forces do afterwards is what they did in it. */
export const takeNext = (part: number): Kernel =>
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
      const moved = free(fixed, velocity).mul(dt.mul(part));
      const x = addCompensated(position, positionCarry, moved);
      return { position: x.sum, positionCarry: x.carry, velocityCarry: vec3(0, 0, 0) };
    },
  );

/**
 * m + h c + h^2 k, with the stiffness k and damping c around a particle as elements name them for the largest stable
 * substep: a preconditioner, once a run. What is not named there only takes more rounds.
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
      writes: { inertia },
    },
    ({ totalMass, fixed, stiffnessAround, dampingAround }, { dt }) => {
      const h = dt.mul(part);
      const held = dampingAround.add(stiffnessAround.mul(h)).mul(h);
      return { inertia: select(fixed.gt(0), f32(1), totalMass.add(held)) };
    },
  );
