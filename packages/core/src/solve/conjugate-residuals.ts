import type { F32, FieldRef, Kernel, ValueType, Vec3 } from '@gradsim/kernel';
import { abs, f32, field, kernel, max, pow, select, vec3, when } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { asPass, iterate } from '../model/pass.ts';
import type { LinearOptions } from './conjugate-gradients.ts';
import type { VectorRef } from './vectors.ts';
import { checkVectors, plus, product, ratio, times } from './vectors.ts';

export interface ResidualOptions extends Omit<LinearOptions, 'tolerance' | 'transposed'> {
  /** As for {@link conjugateGradients}; or a field of one number per world with it. */
  readonly tolerance?: number | FieldRef<ValueType<F32>, 'world'>;
  /**
   * Passes that put a symmetric positive definite matrix times a field into another: about the inverse of A. What is made
   * small is r.M r, with that matrix M. Default none.
   */
  readonly precondition?: (from: VectorRef, into: VectorRef) => readonly Pass[];
  /**
   * So many times the tolerance is enough once the residual hardly falls any more: what rounding leaves of a solve is not
   * known before. Default 1.
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
 * symmetric part is not definite it may come to no end, which is an error.
 *
 * Source: S. Eisenstat, H. Elman and M. Schultz, Variational iterative methods for nonsymmetric systems of linear
 * equations, SIAM J. Numer. Anal. 20, 1983: Orthomin(1).
 *
 * ```ts
 * for (const pass of conjugateResiduals({
 *   ...{ rightSide, solution: velocityChange, name: 'implicit' },
 *   product: (from, into) => jacobianProduct(momentum, { along: { [Node.velocity.key]: from }, into }),
 * })) model.addPass('integrate', pass);
 * ```
 * @throws when the solution is not like the right side, or of more than four numbers.
 */
export function conjugateResiduals(options: ResidualOptions): Pass[] {
  const { name, rightSide: b, solution: x, most = 1000, enough = 1, orStop = false, advice } = options;
  checkVectors(name, b, x);
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;
  // q = A p, and those of a second letter are M times the first: z of r, s of q, u of w.
  const [r, z, p, q, s] = ['Residual', 'Scaled', 'Direction', 'Image', 'ScaledImage'].map(vector);
  const [start, startScaled, w, u] = ['Start', 'StartScaled', 'Product', 'ScaledProduct'].map(vector);
  const [ws, left] = ['Overlap', 'Left'].map((what) => field('world', `${name}${what}`, f32));
  const bz = field('world', `${name}Scale`, f32);
  // r.z when it was last looked at whether that still falls, in which round, and whether it did not.
  const mark = field('world', `${name}Mark`, vec3);
  // r.s, q.s and r.z.
  const [first, next, now] = ['FirstSizes', 'NextSizes', 'Sizes'].map((what) =>
    field('world', `${name}${what}`, vec3),
  );
  const copy = (from: VectorRef, into: VectorRef): Pass =>
    asPass(
      kernel(called('copy'), { domain, reads: { from }, writes: { into } }, ({ from }) => ({ into: from })),
    );
  const precondition = options.precondition ?? ((from, into) => [copy(from, into)]);

  const begin = kernel(called('begin'), { domain, reads: { b }, writes: { x, r } }, (f) => ({
    ...{ x: times(f.b, f32(0)), r: f.b },
  }));
  const direct = kernel(
    called('direct'),
    { domain, reads: { z, start, startScaled }, writes: { p, q, s } },
    (f) => ({ p: f.z, q: f.start, s: f.startScaled }),
  );
  const sizes = (what: string, into: typeof first): Kernel =>
    kernel(called(what), { domain, reads: { r, z, q, s }, adds: { into } }, (f) =>
      f.into.add(vec3(product(f.r, f.s), product(f.q, f.s), product(f.r, f.z))),
    );
  const take = kernel(
    called('take'),
    { domain: 'world', reads: { first }, writes: { now, bz, mark } },
    ({ first }) => ({ now: first, bz: first.z, mark: vec3(first.z, 0, 0) }),
  );
  // As far along p as the residual falls.
  const step = kernel(
    called('step'),
    { domain, reads: { x, r, z, p, q, s, now }, writes: { x, r, z } },
    (f) => {
      const alpha = ratio(f.now.x, f.now.y);
      const back = alpha.neg();
      return { x: plus(f.x, f.p, alpha), r: plus(f.r, f.q, back), z: plus(f.z, f.s, back) };
    },
  );
  const overlap = kernel(called('overlap'), { domain, reads: { w, s }, adds: { ws } }, (f) =>
    f.ws.add(product(f.w, f.s)),
  );
  // The next direction, with an image orthogonal to that of this one.
  const turn = kernel(
    called('turn'),
    { domain, reads: { z, w, u, p, q, s, ws, now }, writes: { p, q, s } },
    (f) => {
      const beta = ratio(f.ws, f.now.y).neg();
      return { p: plus(f.z, f.p, beta), q: plus(f.w, f.q, beta), s: plus(f.u, f.s, beta) };
    },
  );
  const measure = measurement(called('measure'), { next, bz, mark, now, left }, options.tolerance, {
    most,
    enough,
    orStop,
  });
  const rounds = [
    step,
    options.product(z, w),
    ...precondition(w, u),
    overlap,
    turn,
    sizes('nextSizes', next),
  ];
  return [
    ...[begin, ...precondition(r, z), options.product(z, start), ...precondition(start, startScaled)],
    ...[direct, sizes('firstSizes', first), take],
    iterate([...rounds, measure], {
      ...{ until: { field: left, below: 1 }, most, name, ...(advice ? { advice } : {}) },
    }),
  ].map(asPass);
}

type WorldNumber = FieldRef<ValueType<F32>, 'world'>;
interface Measured {
  readonly next: FieldRef<ValueType<Vec3>, 'world'>;
  readonly now: FieldRef<ValueType<Vec3>, 'world'>;
  readonly bz: WorldNumber;
  readonly mark: FieldRef<ValueType<Vec3>, 'world'>;
  readonly left: WorldNumber;
}

/** It is looked at as many rounds later as a half of those that were, and some. */
const PAUSE = 0.5;
const LEAST_PAUSE = 8;
/** What the residual falls to in that time, squared, where it hardly falls any more: rounding stops it altogether. */
const HARDLY = 0.99 ** 2;

/** What is left of the residual in units of what may be. */
function measurement(
  name: string,
  { next, now, bz, mark, left }: Measured,
  tolerance: ResidualOptions['tolerance'],
  { most, enough, orStop }: Required<Pick<ResidualOptions, 'most' | 'enough' | 'orStop'>>,
): Kernel {
  const given = typeof tolerance === 'object' ? tolerance : bz;
  return kernel(
    name,
    { domain: 'world', reads: { next, bz, given, mark }, writes: { now, left, mark } },
    (s, { epsilon, round }) => {
      const fixed = typeof tolerance === 'number' ? f32(tolerance) : pow(epsilon, 0.7);
      const allowed = typeof tolerance === 'object' ? s.given : fixed;
      // Where r is all rounding, r.z may be below 0.
      const size = abs(s.next.z);
      const rounds = round.toF32().add(1);
      const isLookedAt = rounds.ge(s.mark.y.mul(1 + PAUSE).add(LEAST_PAUSE));
      const hardlyFalls = select(size.gt(s.mark.x.mul(HARDLY)), f32(1), 0);
      const mark = when(
        isLookedAt,
        () => vec3(size, rounds, hardlyFalls),
        () => s.mark,
      );
      const more = select(mark.z.gt(0), f32(enough ** 2), 1);
      const rest = size.div(max(s.bz.mul(allowed).mul(allowed), 1e-37)).div(more);
      return { now: s.next, mark, left: orStop ? select(round.add(1).ge(most), f32(0), rest) : rest };
    },
  );
}
