import { connectedPieces } from '@gradsim/base';
import type { Field, Mat33, Model } from '@gradsim/core';
import {
  dot,
  f32,
  field,
  fieldOn,
  index,
  inverse,
  kernel,
  mat33,
  matFromRows,
  outer,
  select,
  traceOf,
  vec3,
} from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/** Domain of pieces: groups of particles connected by elements. */
const PIECE_DOMAIN = 'implicitPieces';

/** Index of the piece that each particle belongs to. */
export const pieceOfParticle = field('particles', 'implicitPiece', index(PIECE_DOMAIN, 1));
const mass = field(PIECE_DOMAIN, 'mass', f32);
const moment = field(PIECE_DOMAIN, 'moment', vec3);
const secondMoments = field(PIECE_DOMAIN, 'spread', mat33);
const heldFlag = field(PIECE_DOMAIN, 'held', f32);
/**
 * Centre of mass of a piece, m; its inverse mass, and the inverse of its inertia about the centre, both 0 if the piece
 * cannot move rigidly.
 */
export const centre = field(PIECE_DOMAIN, 'centre', vec3, { unit: 'm' });
export const inverseMass = field(PIECE_DOMAIN, 'inverseMass', f32, { unit: '1/kg' });
export const inverseInertia = field(PIECE_DOMAIN, 'inverseInertia', mat33);

const measurePieces = kernel(
  'measurePieces',
  {
    domain: Particle,
    reads: {
      piece: pieceOfParticle,
      position: Particle.position,
      totalMass: Particle.totalMass,
      fixed: Particle.fixed,
    },
    adds: { mass: fieldOn(mass), moment: fieldOn(moment), held: fieldOn(heldFlag) },
  },
  ({ piece, position, totalMass, fixed, ...pieces }) => {
    pieces.mass.add(piece, totalMass);
    pieces.moment.add(piece, position.mul(totalMass));
    pieces.held.add(piece, fixed);
  },
);
const centrePieces = kernel(
  'centrePieces',
  { domain: PIECE_DOMAIN, reads: { mass, moment }, writes: { centre } },
  ({ mass, moment }) => ({ centre: moment.div(select(mass.gt(0), mass, 1)) }),
);
const spreadPieces = kernel(
  'spreadPieces',
  {
    domain: Particle,
    reads: {
      piece: pieceOfParticle,
      position: Particle.position,
      totalMass: Particle.totalMass,
      centre: fieldOn(centre),
    },
    adds: { spread: fieldOn(secondMoments) },
  },
  ({ piece, position, totalMass, centre, spread }) => {
    const arm = position.sub(centre.at(piece));
    spread.add(piece, outer(arm, arm).mul(totalMass));
  },
);
/**
 * Fraction of a piece's second moment of mass that is added along every axis: without it, the inertia of particles on
 * one line could not be inverted.
 */
const ADDED_SPREAD = 1e-3;
/**
 * Size, in units of the rounding error of its position, below which a piece counts as a point: its apparent size is
 * rounding.
 */
const MIN_PIECE_SIZE = 100;
const invertPieces = kernel(
  'invertPieces',
  {
    domain: PIECE_DOMAIN,
    reads: { mass, spread: secondMoments, held: heldFlag, centre },
    writes: { inverseMass, inverseInertia },
  },
  ({ mass, spread, held, centre }, { epsilon }) => {
    const size = traceOf(spread);
    const isFree = held.eq(0).and(mass.gt(0));
    const unseen = epsilon.mul(MIN_PIECE_SIZE);
    const canTurn = isFree.and(size.gt(dot(centre, centre).mul(unseen).mul(unseen).mul(mass)));
    // Over its size: the determinant of a light and small piece would underflow.
    const perSize = select(canTurn, f32(1).div(select(canTurn, size, 1)), 0);
    const [one, zero] = [f32(1 + ADDED_SPREAD), f32(0)];
    const round = matFromRows([vec3(one, zero, zero), vec3(zero, one, zero), vec3(zero, zero, one)]);
    const shape = round.sub(spread.mul(perSize));
    return {
      inverseMass: select(isFree, f32(1).div(select(isFree, mass, 1)), 0),
      inverseInertia: (inverse(shape) as Mat33).mul(perSize),
    };
  },
);

/** Kernels that compute the properties of pieces, each substep. */
export const pieceKernels = [measurePieces, centrePieces, spreadPieces, invertPieces];

/** Adds the pieces: groups of particles that elements of any domain connect, directly or through others. */
export function addPieces(model: Model): void {
  const least = connectedPieces(model.domain(Particle.domain).size, particlesOfElements(model));
  const numbers = new Map<number, number>();
  for (const particle of least) if (!numbers.has(particle)) numbers.set(particle, numbers.size);
  model.addDomain(PIECE_DOMAIN, numbers.size);
  model.addIndex(
    pieceOfParticle,
    Array.from(least, (particle) => numbers.get(particle)!),
  );
}

/** Yields the particles of each element of any domain. */
function* particlesOfElements(model: Model): Generator<readonly number[]> {
  const together = new Map<string, Field[]>();
  for (const one of model.fields.values())
    if (one.target === Particle.domain && one.values)
      together.set(one.domain, [...(together.get(one.domain) ?? []), one]);
  for (const [domain, fields] of together)
    for (let element = 0; element < model.domain(domain).size; element++)
      yield fields.flatMap(({ values, components }) =>
        Array.from({ length: components }, (_, k) => values![element * components + k]),
      );
}
