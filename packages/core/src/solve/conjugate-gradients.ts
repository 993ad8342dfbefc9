import type { Kernel } from '@gradsim/kernel';
import { f32, field, kernel, max, pow } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { asPass, iterate } from '../model/pass.ts';
import type { VectorRef } from './vectors.ts';
import { checkVectors, plus, product, ratio } from './vectors.ts';

export interface LinearOptions {
  /** The right side, and where the solution goes: of f32, vec2, vec3 or vec4 over one domain. */
  readonly rightSide: VectorRef;
  readonly solution: VectorRef;
  /** The pass that puts the matrix times one field like the solution into another. */
  readonly product: (from: VectorRef, into: VectorRef) => Pass;
  /** The same for the transposed matrix; needed unless the matrix is symmetric and positive definite. */
  readonly transposed?: (from: VectorRef, into: VectorRef) => Pass;
  /** |b - A x| / |b| to stop at. Default what the device's precision can tell: about 1e-5, in doubles 1e-11. */
  readonly tolerance?: number;
  /** Rounds after which it gives up. Default 1000. */
  readonly most?: number;
  /** Unlike that of every other system of the model; in messages, and in the names of the fields that it works with. */
  readonly name: string;
  /** What to say, beside the residual, where the tolerance is not reached. */
  readonly advice?: string;
}

/**
 * Passes that solve A x = b, for a matrix that only its products with vectors are known of. Symmetric positive definite
 * ones by conjugate gradients; others, with `transposed`, by conjugate gradients on the normal equations, which take
 * any matrix that is not singular and more rounds.
 *
 * Source: Y. Saad, Iterative Methods for Sparse Linear Systems, 2003, algorithms 6.18 and 8.4 (CGNR).
 *
 * ```ts
 * for (const pass of conjugateGradients({
 *   ...{ rightSide, solution: velocityChange, name: 'implicit' },
 *   product: (from, into) => jacobianProduct(momentum, { along: { [Node.velocity.key]: from }, into }),
 * })) model.addPass('integrate', pass);
 * ```
 * @throws when the solution is not like the right side, or of more than four numbers.
 */
export function conjugateGradients(options: LinearOptions): Pass[] {
  const { name, rightSide: b, solution: x, tolerance, most = 1000, advice } = options;
  checkVectors(name, b, x);
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const number = (what: string) => field('world', `${name}${what}`, f32);
  const [r, p, q] = ['Residual', 'Direction', 'Product'].map(vector);
  const [bb, rr, pq] = ['Scale', 'Size', 'Curvature'].map(number);
  const [next, left] = ['NextSize', 'Left'].map(number);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;

  const sum = (what: string, a: VectorRef, other: VectorRef, into: typeof bb): Kernel =>
    kernel(called(what), { domain, reads: { a, other }, adds: { into } }, (s) =>
      s.into.add(product(s.a, s.other)),
    );
  const copy = (what: string, from: VectorRef, to: VectorRef): Kernel =>
    kernel(called(what), { domain, reads: { from }, writes: { to } }, ({ from }) => ({ to: from }));
  const copyNumber = (what: string, from: typeof bb, to: typeof bb): Kernel =>
    kernel(called(what), { domain: 'world', reads: { from }, writes: { to } }, ({ from }) => ({ to: from }));

  // x = 0, r = b.
  const begin = kernel(called('begin'), { domain, reads: { b }, writes: { x, r } }, (s) => ({
    x: plus(s.b, s.b, f32(-1)),
    r: s.b,
  }));
  // How far to go along p: to where the error, or for normal equations the residual, is least.
  const step = kernel(called('step'), { domain, reads: { x, r, p, q, rr, pq }, writes: { x, r } }, (s) => {
    const alpha = ratio(s.rr, s.pq);
    return { x: plus(s.x, s.p, alpha), r: plus(s.r, s.q, alpha.neg()) };
  });
  const turn = (from: VectorRef): Kernel =>
    kernel(called('turn'), { domain, reads: { from, p, rr, next }, writes: { p } }, (s) => ({
      p: plus(s.from, s.p, ratio(s.next, s.rr)),
    }));
  const measure = (rest: typeof bb): Kernel =>
    kernel(
      called('measure'),
      { domain: 'world', reads: { rest, bb }, writes: { left } },
      (s, { epsilon }) => {
        const allowed = tolerance === undefined ? pow(epsilon, 0.7) : f32(tolerance);
        return { left: s.rest.div(max(s.bb.mul(allowed).mul(allowed), 1e-37)) };
      },
    );
  const rounds = (passes: readonly (Pass | Kernel)[]): Pass =>
    iterate(passes, { until: { field: left, below: 1 }, most, name, ...(advice ? { advice } : {}) });
  const passes = (list: readonly (Pass | Kernel)[]): Pass[] => list.map(asPass);

  if (!options.transposed) {
    return passes([
      // r.r is b.b at first.
      ...[begin, copy('direct', r, p), sum('scale', b, b, bb), copyNumber('first', bb, rr)],
      rounds([
        ...[options.product(p, q), sum('curvature', p, q, pq), step],
        ...[sum('next', r, r, next), turn(r), copyNumber('size', next, rr), measure(next)],
      ]),
    ]);
  }
  // z = A^T r: made before the loop under another name, since what a loop adds up is its own.
  const [z, start] = ['Gradient', 'Start'].map(vector);
  const [startSize, rest] = ['StartSize', 'Rest'].map(number);
  return passes([
    ...[begin, options.transposed(r, start), copy('direct', start, p)],
    ...[
      sum('startSize', start, start, startSize),
      sum('scale', b, b, bb),
      copyNumber('first', startSize, rr),
    ],
    rounds([
      ...[options.product(p, q), sum('curvature', q, q, pq), step, sum('remaining', r, r, rest)],
      ...[options.transposed(r, z), sum('gradient', z, z, next)],
      ...[turn(z), copyNumber('size', next, rr), measure(rest)],
    ]),
  ]);
}
