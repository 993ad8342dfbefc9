import type { Kernel } from '@gradsim/kernel';
import { f32, field, kernel } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { asPass, iterate } from '../model/pass.ts';
import type { Tolerance } from '../model/tolerance.ts';
import * as given from './given.ts';
import { measure } from './measure.ts';
import { normalEquations } from './normal-equations.ts';
import type { VectorRef } from './vectors.ts';
import { checkVectors, plus, product, ratio } from './vectors.ts';

export interface LinearOptions {
  /**
   * Fields of the right side b and of the solution x: scalars or vectors of 2 to 4 components, over the same domain.
   */
  readonly rightSide: VectorRef;
  readonly solution: VectorRef;
  /** Returns a pass that multiplies one field by the matrix and writes the result to another. */
  readonly product: (from: VectorRef, into: VectorRef) => Pass;
  /** Returns such a pass for the transposed matrix; needed unless the matrix is symmetric and positive definite. */
  readonly transposed?: (from: VectorRef, into: VectorRef) => Pass;
  /**
   * Relative residual |b - A x| / |b| at which to stop, one for every device or one for each precision. Default: the
   * smallest that the device's precision can resolve, about { f32: 1e-5, f64: 1e-11 }; a smaller one is refused, naming
   * the device.
   */
  readonly tolerance?: Tolerance;
  /** Maximum number of rounds. Default 1000. */
  readonly maxRounds?: number;
  /** Name unique among the systems of the model; used in messages and in the names of its work fields. */
  readonly name: string;
  /** Advice that follows the remaining residual in the error message when the tolerance is not reached. */
  readonly advice?: string;
}

/**
 * Returns passes that solve A x = b for a matrix known only by its products with vectors: symmetric positive definite
 * ones by conjugate gradients; others, with `transposed`, by conjugate gradients on the normal equations, which handle
 * any nonsingular matrix but need more rounds.
 *
 * Source: Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, algorithms 6.18 and 8.4 (CGNR).
 *
 * ```ts
 * for (const pass of conjugateGradients({
 *   rightSide, solution: velocityChange, name: 'implicit',
 *   product: (from, into) => jacobianProduct(momentum, { along: { [Node.velocity.key]: from }, into }),
 * })) model.addPass('integrate', pass);
 * ```
 * @throws when the solution has another type or domain than the right side, or more than four components.
 */
export function conjugateGradients(options: LinearOptions): Pass[] {
  const { name, rightSide: b, solution: x, tolerance, transposed: back, maxRounds = 1000, advice } = options;
  const times = given.checkedProduct(name, 'product', options.product);
  const transposed = back && given.checkedProduct(name, 'transposed', back);
  checkVectors(name, b, x);
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const number = (what: string) => field('world', `${name}${what}`, f32);
  const [r, p, q] = ['Residual', 'Direction', 'Product'].map(vector);
  const [bb, rr, pq] = ['Scale', 'Size', 'Curvature'].map(number);
  const [next, left] = ['NextSize', 'Left'].map(number);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;

  const sum = (what: string, a: VectorRef, other: VectorRef, into: typeof bb): Kernel =>
    kernel(called(what), { domain, reads: { a, other }, adds: { into } }, (s) => s.into.add(product(s.a, s.other)));
  const copy = (what: string, from: VectorRef, to: VectorRef): Kernel =>
    kernel(called(what), { domain, reads: { from }, writes: { to } }, ({ from }) => ({ to: from }));
  const copyNumber = (what: string, from: typeof bb, to: typeof bb): Kernel =>
    kernel(called(what), { domain: 'world', reads: { from }, writes: { to } }, ({ from }) => ({ to: from }));

  const begin = kernel(called('begin'), { domain, reads: { b }, writes: { x } }, (s) => ({
    x: plus(s.b, s.b, f32(-1)),
  }));
  // Step length along p that minimises the error.
  const step = kernel(called('step'), { domain, reads: { x, r, p, q, rr, pq }, writes: { x, r } }, (s) => {
    const alpha = ratio(s.rr, s.pq);
    return { x: plus(s.x, s.p, alpha), r: plus(s.r, s.q, alpha.neg()) };
  });
  const turn = kernel(called('turn'), { domain, reads: { r, p, rr, next }, writes: { p } }, (s) => ({
    p: plus(s.r, s.p, ratio(s.next, s.rr)),
  }));
  const rounds = (passes: readonly (Pass | Kernel)[]): Pass =>
    iterate(passes, { until: { field: left, below: 1 }, maxRounds, tolerance, name, advice });
  const passes = (list: readonly (Pass | Kernel)[]): Pass[] => list.map((pass) => asPass(pass, name));

  if (!transposed) {
    return passes([
      // r.r equals b.b at first.
      ...[begin, copy('residual', b, r), copy('direct', b, p), sum('scale', b, b, bb), copyNumber('first', bb, rr)],
      rounds([
        ...[times(p, q), sum('curvature', p, q, pq), step],
        ...[sum('next', r, r, next), turn, copyNumber('size', next, rr)],
        measure(called('measure'), { size: rr, scale: bb, excessRatio: left }, { tolerance }),
      ]),
    ]);
  }
  return passes([
    ...[
      begin,
      sum('scale', b, b, bb),
      measure(called('measureFirst'), { size: bb, scale: bb, excessRatio: left }, { tolerance }),
    ],
    ...normalEquations({
      solution: x,
      residual: b,
      scaled: b,
      excessRatio: left,
      product: times,
      transposed,
      maxRounds,
      tolerance,
      name,
      advice,
      measure: (size) => measure(called('measure'), { size, scale: bb, excessRatio: left }, { tolerance }),
    }),
  ]);
}
