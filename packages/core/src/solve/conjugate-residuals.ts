import type { Kernel } from '@gradsim/kernel';
import { f32, field, kernel, vec3 } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { asPass, iterate } from '../model/pass.ts';
import type { Tolerance } from '../model/tolerance.ts';
import type { LinearOptions } from './conjugate-gradients.ts';
import * as given from './given.ts';
import type { WorldNumber } from './measure.ts';
import { measure } from './measure.ts';
import { normalEquations } from './normal-equations.ts';
import type { VectorRef } from './vectors.ts';
import { checkVectors, plus, product, ratio, times } from './vectors.ts';

export interface ResidualOptions extends Omit<LinearOptions, 'tolerance'> {
  /** Tolerance as for {@link conjugateGradients}, or a field that holds it, with one number per world. */
  readonly tolerance?: Tolerance | WorldNumber;
  /**
   * Product with the transposed matrix. If given, a system that is not solved after half of the rounds is continued by
   * conjugate gradients on the normal equations, which handle any nonsingular matrix.
   */
  readonly transposed?: (from: VectorRef, into: VectorRef) => Pass;
  /**
   * Returns passes that multiply one field by a symmetric positive definite matrix M, an approximate inverse of A, and
   * write the result to another. The minimised norm is then r.M r. Default: none.
   */
  readonly precondition?: (from: VectorRef, into: VectorRef) => readonly Pass[];
  /**
   * Factor by which the tolerance is relaxed in the second half of the rounds, since the rounding error of a solve is
   * not known beforehand. Default 1.
   */
  readonly relaxation?: number;
  /** True to end after `maxRounds` rounds with the current solution, instead of failing. */
  readonly orStop?: boolean;
}

/**
 * Returns passes that solve A x = b by conjugate residuals, for a matrix known only by its products with vectors and
 * only approximately symmetric: each round minimises the residual along a direction whose image is orthogonal to the
 * previous direction's image. No round increases the residual, so |b - A x| is at most |b| whenever it stops. On
 * symmetric matrices it has the least residual of all Krylov methods; if the symmetric part is not definite it may not
 * converge, which is an error without `transposed`.
 *
 * Source: S. Eisenstat, H. Elman and M. Schultz, Variational iterative methods for nonsymmetric systems of linear
 * equations, SIAM J. Numer. Anal. 20, 1983: Orthomin(1).
 *
 * ```ts
 * for (const pass of conjugateResiduals({
 *   rightSide, solution: velocityChange, name: 'implicit',
 *   product: (from, into) => jacobianProduct(momentum, { along: { [Node.velocity.key]: from }, into }),
 * })) model.addPass('integrate', pass);
 * ```
 * @throws when the solution has another type or domain than the right side, or more than four components.
 */
export function conjugateResiduals(options: ResidualOptions): Pass[] {
  const { name, rightSide: b, solution: x, tolerance, maxRounds = 1000, relaxation = 1, advice } = options;
  const matrixTimes = given.checkedProduct(name, 'product', options.product);
  const transposed = options.transposed && given.checkedProduct(name, 'transposed', options.transposed);
  const { orStop = false } = options;
  checkVectors(name, b, x);
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;
  // q = A p, w = A z; z = M r and s = M q are recomputed in each round. By recurrence, like r and q, z would keep the
  // rounding of the first rounds, where it was largest: with an M that removes the largest components at once, such as
  // motions that no force resists, that rounding soon exceeded M r, and no direction computed from it reduced the
  // residual.
  const [r, z, p, q, s] = ['Residual', 'Scaled', 'Direction', 'Image', 'ScaledImage'].map(vector);
  const [start, startScaled, w] = ['Start', 'StartScaled', 'Product'].map(vector);
  const number = (what: string): WorldNumber => field('world', `${name}${what}`, f32);
  const [ws, left, bz, size, unsolved] = ['Overlap', 'Left', 'Scale', 'Size', 'Unsolved'].map(number);
  // r.s, q.s and r.z.
  const [first, next, now] = ['FirstSizes', 'NextSizes', 'Sizes'].map((what) => field('world', `${name}${what}`, vec3));
  const copy = (from: VectorRef, into: VectorRef): Pass =>
    asPass(kernel(called('copy'), { domain, reads: { from }, writes: { into } }, ({ from }) => ({ into: from })));
  const precondition = options.precondition
    ? given.checkedPasses(name, 'precondition', options.precondition)
    : (from: VectorRef, into: VectorRef) => [copy(from, into)];

  const begin = kernel(called('begin'), { domain, reads: { b }, writes: { x, r } }, (f) => ({
    x: times(f.b, f32(0)),
    r: f.b,
  }));
  const direct = kernel(called('direct'), { domain, reads: { z, start, startScaled }, writes: { p, q, s } }, (f) => ({
    p: f.z,
    q: f.start,
    s: f.startScaled,
  }));
  const sizes = (what: string, into: typeof first): Kernel =>
    kernel(called(what), { domain, reads: { r, z, q, s }, adds: { into } }, (f) =>
      f.into.add(vec3(product(f.r, f.s), product(f.q, f.s), product(f.r, f.z))),
    );
  const take = kernel(called('take'), { domain: 'world', reads: { first }, writes: { now, bz } }, ({ first }) => ({
    now: first,
    bz: first.z,
  }));
  // Step length along p that minimises the residual.
  const step = kernel(called('step'), { domain, reads: { x, r, p, q, now }, writes: { x, r } }, (f) => {
    const alpha = ratio(f.now.x, f.now.y);
    return { x: plus(f.x, f.p, alpha), r: plus(f.r, f.q, alpha.neg()) };
  });
  const overlap = kernel(called('overlap'), { domain, reads: { w, s }, adds: { ws } }, (f) =>
    f.ws.add(product(f.w, f.s)),
  );
  // Next direction, with an image orthogonal to that of this one.
  const turn = kernel(called('turn'), { domain, reads: { z, w, p, q, ws, now }, writes: { p, q } }, (f) => {
    const beta = ratio(f.ws, f.now.y).neg();
    return { p: plus(f.z, f.p, beta), q: plus(f.w, f.q, beta) };
  });
  const keep = kernel(called('keep'), { domain: 'world', reads: { next }, writes: { now, size } }, ({ next }) => ({
    now: next,
    size: next.z,
  }));
  const half = Math.ceil(maxRounds / 2);
  const rounds = [
    ...[step, ...precondition(r, z), matrixTimes(z, w), overlap],
    ...[turn, ...precondition(q, s), sizes('nextSizes', next), keep],
    measure(
      called('measure'),
      { size, scale: bz, excessRatio: left },
      {
        ...(transposed ? { tolerance, end: half } : { tolerance, relaxation, fromRound: half }),
        ...(orStop && !transposed ? { end: maxRounds } : {}),
      },
    ),
  ];
  const fixed = typeof tolerance === 'object' && 'key' in tolerance ? undefined : tolerance;
  const ends = { name, advice, tolerance: fixed };
  const later = { tolerance, relaxation };
  const others = transposed
    ? [
        measure(called('measureHalf'), { size, scale: bz, excessRatio: unsolved }, later),
        ...normalEquations({
          ...ends,
          solution: x,
          residual: r,
          scaled: z,
          excessRatio: unsolved,
          precondition,
          product: matrixTimes,
          transposed,
          maxRounds: half,
          measure: (rest) =>
            measure(
              called('measureNormal'),
              { size: rest, scale: bz, excessRatio: unsolved },
              { ...later, ...(orStop ? { end: half } : {}) },
            ),
        }),
      ]
    : [];
  return [
    ...[begin, ...precondition(b, z), matrixTimes(z, start), ...precondition(start, startScaled)],
    ...[direct, sizes('firstSizes', first), take],
    iterate(rounds, { ...ends, until: { field: left, below: 1 }, maxRounds: transposed ? half : maxRounds }),
    ...others,
  ].map((pass) => asPass(pass, name));
}
