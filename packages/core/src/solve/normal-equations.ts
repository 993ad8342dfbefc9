import type { Kernel } from '@gradsim/kernel';
import { f32, field, kernel } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { asPass, iterate } from '../model/pass.ts';
import type { Tolerance } from '../model/tolerance.ts';
import type { WorldNumber } from './measure.ts';
import type { VectorRef } from './vectors.ts';
import { plus, product, ratio } from './vectors.ts';

type Product = (from: VectorRef, into: VectorRef) => Pass;

export interface NormalOptions {
  /** Fields of the current solution, which is improved, of its residual r, and of M r. */
  readonly solution: VectorRef;
  readonly residual: VectorRef;
  readonly scaled: VectorRef;
  /** Field of the squared ratio of the remaining to the tolerated residual: no round runs where it is below 1. */
  readonly excessRatio: WorldNumber;
  readonly product: Product;
  readonly transposed: Product;
  /**
   * Returns passes that multiply by a symmetric positive definite matrix M, an approximate inverse of A. Default: the
   * identity.
   */
  readonly precondition?: (from: VectorRef, into: VectorRef) => readonly Pass[];
  /** Kernel that measures the residual after a round, from r.M r. */
  readonly measure: (size: WorldNumber) => Kernel;
  readonly maxRounds: number;
  readonly tolerance?: Tolerance;
  readonly name: string;
  readonly advice?: string;
}

/**
 * Returns passes that continue the solution of A x = b by conjugate gradients on A^T M A x = A^T M b, themselves
 * preconditioned by M: each round minimises r.M r. Handles any nonsingular matrix, with two matrix products per round.
 *
 * Source: Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, algorithm 8.4 (CGNR).
 */
export function normalEquations(options: NormalOptions): Pass[] {
  const { solution: x, residual, scaled, excessRatio, precondition, maxRounds, tolerance, advice } = options;
  const name = `${options.name}Normal`;
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const number = (what: string): WorldNumber => field('world', `${name}${what}`, f32);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;
  /** Returns the passes that multiply a field by M, and the field of the result. */
  const times = (from: VectorRef, what: string): { passes: readonly Pass[]; is: VectorRef } =>
    precondition ? { passes: precondition(from, vector(what)), is: vector(what) } : { passes: [], is: from };
  // g = A^T z, q = A p.
  const [r, p, g, q] = ['Residual', 'Direction', 'Gradient', 'Image'].map(vector);
  const [size, next, curvature, rest] = ['Size', 'NextSize', 'Curvature', 'Rest'].map(number);
  const [z, y, s] = [times(r, 'Scaled'), times(g, 'Way'), times(q, 'ScaledImage')];
  const sum = (what: string, a: VectorRef, b: VectorRef, into: WorldNumber): Kernel =>
    kernel(called(what), { domain, reads: { a, b }, adds: { into } }, (f) => f.into.add(product(f.a, f.b)));

  const begin = kernel(called('begin'), { domain, reads: { residual }, writes: { r, p } }, (f) => ({
    r: f.residual,
    p: plus(f.residual, f.residual, f32(-1)),
  }));
  const copy = kernel(called('scaled'), { domain, reads: { scaled }, writes: { z: z.is } }, (f) => ({
    z: f.scaled,
  }));
  const beginSize = kernel(called('size'), { domain: 'world', writes: { size } }, () => ({ size: f32(0) }));
  const turn = kernel(called('turn'), { domain, reads: { y: y.is, p, size, next }, writes: { p } }, (f) => ({
    p: plus(f.y, f.p, ratio(f.next, f.size)),
  }));
  const step = kernel(called('step'), { domain, reads: { x, r, p, q, next, curvature }, writes: { x, r } }, (f) => {
    const alpha = ratio(f.next, f.curvature);
    return { x: plus(f.x, f.p, alpha), r: plus(f.r, f.q, alpha.neg()) };
  });
  const keep = kernel(called('keep'), { domain: 'world', reads: { next }, writes: { size } }, (f) => ({
    size: f.next,
  }));
  const rounds = [
    ...[options.transposed(z.is, g), ...y.passes, sum('gradient', g, y.is, next), turn],
    ...[options.product(p, q), ...s.passes, sum('curvature', q, s.is, curvature), step],
    ...[...z.passes, sum('rest', r, z.is, rest), keep, options.measure(rest)],
  ];
  return [
    ...[begin, ...(precondition ? [copy] : []), beginSize],
    iterate(rounds, {
      until: { field: excessRatio, below: 1 },
      maxRounds,
      atLeast: 0,
      tolerance,
      name: options.name,
      advice,
    }),
  ].map((pass) => asPass(pass, name));
}
