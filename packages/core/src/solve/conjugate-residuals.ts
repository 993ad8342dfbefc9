import type { F32, FieldRef, Kernel, ValueType, Vec3 } from '@gradsim/kernel';
import { f32, field, kernel, max, pow, select, vec3 } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { asPass, iterate } from '../model/pass.ts';
import type { LinearOptions } from './conjugate-gradients.ts';
import type { Entry, VectorRef } from './vectors.ts';
import { checkVectors, plus, product, ratio, times } from './vectors.ts';

export interface ResidualOptions extends Omit<LinearOptions, 'tolerance' | 'transposed'> {
  /** As for {@link conjugateGradients}; or a field of one number per world with it. */
  readonly tolerance?: number | FieldRef<ValueType<F32>, 'world'>;
  /**
   * Positive numbers, one for each element, that are about as large as the matrix is there: what is made small is the
   * residual over their roots. Default 1.
   */
  readonly diagonal?: FieldRef<ValueType<F32>>;
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
 *   ...{ rightSide, solution: velocityChange, diagonal: Node.mass, name: 'implicit' },
 *   product: (from, into) => jacobianProduct(momentum, { along: { [Node.velocity.key]: from }, into }),
 * })) model.addPass('integrate', pass);
 * ```
 * @throws when the solution is not like the right side, or of more than four numbers.
 */
export function conjugateResiduals(options: ResidualOptions): Pass[] {
  const { name, rightSide: b, solution: x, diagonal, most = 1000, orStop = false, advice } = options;
  checkVectors(name, b, x);
  const { domain, type } = x;
  const vector = (what: string): VectorRef => field(domain, `${name}${what}`, type);
  const number = (what: string) => field('world', `${name}${what}`, f32);
  const [r, z, p, q] = ['Residual', 'Scaled', 'Direction', 'Image'].map(vector);
  const [start, w] = ['Start', 'Product'].map(vector);
  const [bb, wq, left] = ['Scale', 'Overlap', 'Left'].map(number);
  // r.q, q.q and r.r, over the diagonal like all products here.
  const [first, next, now] = ['FirstSizes', 'NextSizes', 'Sizes'].map((what) =>
    field('world', `${name}${what}`, vec3),
  );
  const weight = field(domain, `${name}Weight`, f32);
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;

  const weigh = diagonal
    ? kernel(called('weigh'), { domain, reads: { diagonal }, writes: { weight } }, (s) => ({
        weight: f32(1).div(s.diagonal),
      }))
    : kernel(called('weigh'), { domain, writes: { weight } }, () => ({ weight: f32(1) }));
  // x = 0, r = b, z = D^-1 r.
  const begin = kernel(called('begin'), { domain, reads: { b, weight }, writes: { x, r, z } }, (s) => ({
    ...{ x: times(s.b, f32(0)), r: s.b, z: times(s.b, s.weight) },
  }));
  // p = z, q = A z.
  const direct = kernel(called('direct'), { domain, reads: { z, start }, writes: { p, q } }, (s) => ({
    ...{ p: s.z, q: s.start },
  }));
  const sizes = (what: string, into: typeof first): Kernel =>
    kernel(called(what), { domain, reads: { r, q, weight }, adds: { into } }, (s) => {
      const dots = [product(s.r, s.q), product(s.q, s.q), product(s.r, s.r)] as const;
      s.into.add(vec3(...dots).mul(s.weight));
    });
  const scale = kernel(called('scale'), { domain, reads: { b, weight }, adds: { bb } }, (s) =>
    s.bb.add(product(s.b, s.b).mul(s.weight)),
  );
  const take = kernel(
    called('take'),
    { domain: 'world', reads: { first }, writes: { now } },
    ({ first }) => ({ now: first }),
  );
  // As far along p as the residual falls.
  const step = kernel(
    called('step'),
    { domain, reads: { x, r, p, q, weight, now }, writes: { x, r, z } },
    (s) => {
      const alpha = ratio(s.now.x, s.now.y);
      const left: Entry = plus(s.r, s.q, alpha.neg());
      return { x: plus(s.x, s.p, alpha), r: left, z: times(left, s.weight) };
    },
  );
  const overlap = kernel(called('overlap'), { domain, reads: { w, q, weight }, adds: { wq } }, (s) =>
    s.wq.add(product(s.w, s.q).mul(s.weight)),
  );
  // The next direction, with an image orthogonal to that of this one.
  const turn = kernel(called('turn'), { domain, reads: { z, w, p, q, wq, now }, writes: { p, q } }, (s) => {
    const beta = ratio(s.wq, s.now.y).neg();
    return { p: plus(s.z, s.p, beta), q: plus(s.w, s.q, beta) };
  });
  const measure = measurement(
    called('measure'),
    { next, bb, now, left },
    options.tolerance,
    orStop ? most : null,
  );
  return [
    ...[weigh, begin, scale, options.product(z, start), direct, sizes('firstSizes', first), take],
    iterate([step, options.product(z, w), overlap, turn, sizes('nextSizes', next), measure], {
      ...{ until: { field: left, below: 1 }, most, name, ...(advice ? { advice } : {}) },
    }),
  ].map(asPass);
}

type WorldNumber = FieldRef<ValueType<F32>, 'world'>;
interface Measured {
  readonly next: FieldRef<ValueType<Vec3>, 'world'>;
  readonly now: FieldRef<ValueType<Vec3>, 'world'>;
  readonly bb: WorldNumber;
  readonly left: WorldNumber;
}

/** What is left of the residual in units of what may be; nothing after `last` rounds. */
function measurement(
  name: string,
  { next, now, bb, left }: Measured,
  tolerance: ResidualOptions['tolerance'],
  last: number | null,
): Kernel {
  const given = typeof tolerance === 'object' ? tolerance : bb;
  return kernel(
    name,
    { domain: 'world', reads: { next, bb, given }, writes: { now, left } },
    (s, { epsilon, round }) => {
      const fixed = typeof tolerance === 'number' ? f32(tolerance) : pow(epsilon, 0.7);
      const allowed = typeof tolerance === 'object' ? s.given : fixed;
      const rest = s.next.z.div(max(s.bb.mul(allowed).mul(allowed), 1e-37));
      return { now: s.next, left: last === null ? rest : select(round.add(1).ge(last), f32(0), rest) };
    },
  );
}
