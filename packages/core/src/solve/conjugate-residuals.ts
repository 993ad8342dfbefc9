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
  /** As for {@link conjugateGradients}; or a field of one number per world with it. */
  readonly tolerance?: Tolerance | WorldNumber;
  /**
   * The same as `product` for the transposed matrix. With it, what half the rounds have not solved goes on by conjugate
   * gradients on the normal equations, which take any matrix that is not singular.
   */
  readonly transposed?: (from: VectorRef, into: VectorRef) => Pass;
  /**
   * Passes that put a symmetric positive definite matrix times a field into another: about the inverse of A. What is made
   * small is r.M r, with that matrix M. Default none.
   */
  readonly precondition?: (from: VectorRef, into: VectorRef) => readonly Pass[];
  /**
   * So many times the tolerance is enough in the second half of the rounds: what rounding leaves of a solve is not known
   * before. Default 1.
   */
  readonly enough?: number;
  /** Has it end after `most` rounds with what it has come to, instead of giving up. */
  readonly orStop?: boolean;
}

/**
 * Passes that solve A x = b by conjugate residuals, for a matrix that only its products with vectors are known of and
 * that need be symmetric only about: each round makes the residual as small as it can be along a direction that is
 * orthogonal, through the matrix, to the one before. No round makes the residual larger, so that wherever it stops, x
 * has brought |b - A x| below |b|. On symmetric matrices it gives the least residual of all Krylov methods; where the
 * symmetric part is not definite it may come to no end, which is an error without `transposed`.
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
 * @throws when the solution is not like the right side, or of more than four numbers.
 */
export function conjugateResiduals(options: ResidualOptions): Pass[] {
  const { name, rightSide: b, solution: x, tolerance, most = 1000, enough = 1, advice } = options;
  const matrixTimes = given.product(name, 'product', options.product);
  const transposed = options.transposed && given.product(name, 'transposed', options.transposed);
  const { orStop = false } = options;
  checkVectors(name, b, x);
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;
  // q = A p, w = A z; z = M r and s = M q are made anew in each round. By recurrence, as r and q are, z would keep the
  // rounding of the first rounds, where it was largest: with an M that takes out at once what is largest, as motions that
  // no force holds back, that soon was more than all of M r, and no direction found with it made the residual less.
  const [r, z, p, q, s] = ['Residual', 'Scaled', 'Direction', 'Image', 'ScaledImage'].map(vector);
  const [start, startScaled, w] = ['Start', 'StartScaled', 'Product'].map(vector);
  const number = (what: string): WorldNumber => field('world', `${name}${what}`, f32);
  const [ws, left, bz, size, unsolved] = ['Overlap', 'Left', 'Scale', 'Size', 'Unsolved'].map(number);
  // r.s, q.s and r.z.
  const [first, next, now] = ['FirstSizes', 'NextSizes', 'Sizes'].map((what) => field('world', `${name}${what}`, vec3));
  const copy = (from: VectorRef, into: VectorRef): Pass =>
    asPass(kernel(called('copy'), { domain, reads: { from }, writes: { into } }, ({ from }) => ({ into: from })));
  const precondition = options.precondition
    ? given.passes(name, 'precondition', options.precondition)
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
  // As far along p as the residual falls.
  const step = kernel(called('step'), { domain, reads: { x, r, p, q, now }, writes: { x, r } }, (f) => {
    const alpha = ratio(f.now.x, f.now.y);
    return { x: plus(f.x, f.p, alpha), r: plus(f.r, f.q, alpha.neg()) };
  });
  const overlap = kernel(called('overlap'), { domain, reads: { w, s }, adds: { ws } }, (f) =>
    f.ws.add(product(f.w, f.s)),
  );
  // The next direction, with an image orthogonal to that of this one.
  const turn = kernel(called('turn'), { domain, reads: { z, w, p, q, ws, now }, writes: { p, q } }, (f) => {
    const beta = ratio(f.ws, f.now.y).neg();
    return { p: plus(f.z, f.p, beta), q: plus(f.w, f.q, beta) };
  });
  const keep = kernel(called('keep'), { domain: 'world', reads: { next }, writes: { now, size } }, ({ next }) => ({
    now: next,
    size: next.z,
  }));
  const half = Math.ceil(most / 2);
  const rounds = [
    ...[step, ...precondition(r, z), matrixTimes(z, w), overlap],
    ...[turn, ...precondition(q, s), sizes('nextSizes', next), keep],
    measure(
      called('measure'),
      { size, scale: bz, left },
      {
        ...(transposed ? { tolerance, end: half } : { tolerance, enough, from: half }),
        ...(orStop && !transposed ? { end: most } : {}),
      },
    ),
  ];
  const fixed = typeof tolerance === 'object' && 'key' in tolerance ? undefined : tolerance;
  const ends = { name, advice, tolerance: fixed };
  const later = { tolerance, enough };
  const others = transposed
    ? [
        measure(called('measureHalf'), { size, scale: bz, left: unsolved }, later),
        ...normalEquations({
          ...ends,
          solution: x,
          residual: r,
          scaled: z,
          left: unsolved,
          precondition,
          product: matrixTimes,
          transposed,
          most: half,
          measure: (rest) =>
            measure(
              called('measureNormal'),
              { size: rest, scale: bz, left: unsolved },
              { ...later, ...(orStop ? { end: half } : {}) },
            ),
        }),
      ]
    : [];
  return [
    ...[begin, ...precondition(b, z), matrixTimes(z, start), ...precondition(start, startScaled)],
    ...[direct, sizes('firstSizes', first), take],
    iterate(rounds, { ...ends, until: { field: left, below: 1 }, most: transposed ? half : most }),
    ...others,
  ].map((pass) => asPass(pass, name));
}
