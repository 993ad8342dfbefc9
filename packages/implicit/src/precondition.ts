import type { FieldRef, Pass, ValueType, Vec3, Vec4 } from '@gradsim/core';
import { bind, cross, dot, field, fieldOn, kernel, vec3, vec4 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { effectiveMass } from './motion.ts';
import { centre, inverseInertia, inverseMass, pieceOfParticle } from './pieces.ts';

/*
 * About the inverse of the derivative of the imbalance: 1 / (m + dt c + dt^2 k) of each particle by itself, and 1 /
 * mass and 1 / inertia of each piece in its rigid motions. Those a stiff body's forces do not hold back at all: without
 * the second part a solve took more rounds with every hundredfold of stiffness, as a matrix does that is as badly
 * conditioned as the body is stiff. Pieces with particles that never move have no such motions.
 */

type Vectors = FieldRef<ValueType<Vec3>, 'particles'>;
const vectors = (name: string): Vectors => field('particles', name, vec3);

/** Adds the pass that sums a field of particles over each piece, and its moment about the piece's centre. */
export function pieceSums(name: string): { pass: Pass; push: PieceField; twist: PieceField } {
  const [push, twist] = ['Push', 'Twist'].map((what) => field('implicitPieces', `${name}${what}`, vec3));
  const pass = kernel(
    `sum_${name.replace(/\W/g, '_')}`,
    {
      domain: Particle,
      reads: { from: vectors(name), piece: pieceOfParticle, centre: fieldOn(centre), position: Particle.position },
      adds: { push: fieldOn(push), twist: fieldOn(twist) },
    },
    ({ from, piece, centre, position, push, twist }) => {
      push.add(piece, from);
      twist.add(piece, cross(position.sub(centre.at(piece)), from));
    },
  );
  return { pass: bind(pass), push, twist };
}
type PieceField = FieldRef<ValueType<Vec3>, 'implicitPieces'>;

/** Returns the passes that multiply a field by the preconditioner and write the result to another field. */
export function precondition(from: FieldRef, target: FieldRef): Pass[] {
  const { pass, push, twist } = pieceSums(from.name);
  const apply = kernel(
    `precondition_${target.name.replace(/\W/g, '_')}`,
    {
      domain: Particle,
      reads: {
        from: vectors(from.name),
        inertia: effectiveMass,
        piece: pieceOfParticle,
        position: Particle.position,
        push: fieldOn(push),
        twist: fieldOn(twist),
        centre: fieldOn(centre),
        inverseMass: fieldOn(inverseMass),
        inverseInertia: fieldOn(inverseInertia),
      },
      writes: { into: vectors(target.name) },
    },
    ({ from, inertia, piece, position, push, twist, centre, inverseMass, inverseInertia }) => {
      const arm = position.sub(centre.at(piece));
      const turn = inverseInertia.at(piece).mul(twist.at(piece));
      const rigid = push.at(piece).mul(inverseMass.at(piece)).add(cross(turn, arm));
      return { into: from.div(inertia).add(rigid) };
    },
  );
  return [pass, bind(apply)];
}

/**
 * Returns a pass that adds the contribution of pieces to r.M r, from the sums of r over each piece; the contribution of
 * single particles is r.r / inertia.
 */
export const addPreconditionedSquare = (
  sums: ReturnType<typeof pieceSums>,
  target: FieldRef<ValueType<Vec4>, 'world'>,
): Pass =>
  bind(
    kernel(
      'squareOver',
      {
        domain: 'implicitPieces',
        reads: { push: sums.push, twist: sums.twist, inverseMass, inverseInertia },
        adds: { into: target },
      },
      ({ push, twist, inverseMass, inverseInertia, into }) => {
        const turning = dot(twist, inverseInertia.mul(twist));
        into.add(vec4(dot(push, push).mul(inverseMass).add(turning), 0, 0, 0));
      },
    ),
  );
