import type { F32, Kernel, ValueType, Vec } from '@gradsim/kernel';
import { dot, f32, kernel, max, perWorld, pow, Scalar, select, vec2, vec3, vec4 } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { bind, iterate } from '../model/pass.ts';

/** A value of an element of a linear system. */
type Entry = F32 | Vec;
const TYPES: Readonly<Record<number, ValueType<F32> | ValueType<Vec>>> = {
  1: f32,
  2: vec2,
  3: vec3,
  4: vec4,
};

/** The type of a field of so many f32 a solver can work with. @throws where there is none. */
export function entryType(components: number, key: string): ValueType<Entry> {
  const type = TYPES[components];
  if (!type)
    throw new Error(`${key} has ${components} components; a linear system has 1 to 4 at each element.`);
  return type as ValueType<Entry>;
}

const product = (a: Entry, b: Entry): F32 => (a instanceof Scalar ? a.mul(b as F32) : dot(a, b as Vec));
const plus = (a: Entry, b: Entry, factor: F32): Entry =>
  a instanceof Scalar ? a.add((b as F32).mul(factor)) : a.add((b as Vec).mul(factor));
/** a / b, and 0 where b is 0: a search that has come to its end goes nowhere. */
const ratio = (a: F32, b: F32): F32 => select(b.eq(0), f32(0), a.div(select(b.eq(0), f32(1), b)));

export interface LinearOptions {
  /** Over which the unknowns lie. */
  readonly domain: string;
  /** Components of an unknown, 1 to 4. */
  readonly components: number;
  /** Fields of the domain: the right side, and where the solution goes. */
  readonly rightSide: string;
  readonly solution: string;
  /** The pass that puts the matrix times one field of the domain into another, both by `domain.name`. */
  readonly product: (from: string, into: string) => Pass;
  /** The same for the transposed matrix; needed unless the matrix is symmetric and positive definite. */
  readonly transposed?: (from: string, into: string) => Pass;
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
 * model.addPass('integrate', bind(rightSide));
 * for (const pass of conjugateGradients({
 *   ...{ domain: 'nodes', components: 3, name: 'implicit', rightSide: 'b', solution: 'velocityChange' },
 *   product: (from, into) => jacobianProduct('nodes.momentum', { along: { 'nodes.velocity': from }, into }),
 * })) model.addPass('integrate', pass);
 * ```
 */
export function conjugateGradients(options: LinearOptions): Pass[] {
  const { domain, components, name, rightSide, solution, tolerance, most = 1000, advice } = options;
  const type = entryType(components, `${domain}.${solution}`);
  const isNormal = options.transposed !== undefined;
  const own = (what: string): string => `${name}${what}`;
  const names = {
    ...{
      b: rightSide,
      x: solution,
      r: own('Residual'),
      p: own('Direction'),
      q: own('Product'),
      z: own('Gradient'),
    },
    ...{ bb: own('Scale'), rr: own('Size'), pq: own('Curvature'), next: own('NextSize'), left: own('Left') },
  };
  const key = (field: string): string => `${domain}.${field}`;
  const called = (what: string): string => `${what}_${name.replace(/\W/g, '_')}`;
  const over = (of: Kernel): Pass =>
    bind(
      of,
      Object.fromEntries(
        Object.entries(names).filter(([from]) => of.form.ports.some((p) => p.name === from)),
      ),
    );
  const sum = (
    what: string,
    a: 'b' | 'p' | 'q' | 'r' | 'z',
    b: typeof a,
    into: 'bb' | 'pq' | 'next' | 'rr',
  ): Pass =>
    over(
      kernel(
        called(what),
        { domain, reads: { [a]: type, [b]: type }, adds: { [into]: perWorld(f32) } },
        (s) => (s[into] as { add(value: F32): void }).add(product(s[a] as Entry, s[b] as Entry)),
      ),
    );
  const world = <T extends Kernel>(of: T): Pass => over(of);

  // x = 0, r = b, and p = b or A^T b.
  const begin = over(
    kernel(called('begin'), { domain, reads: { b: type }, writes: { x: type, r: type } }, ({ b }) => ({
      x: plus(b, b, f32(-1)),
      r: b,
    })),
  );
  const direct = (from: 'r' | 'z'): Pass =>
    over(
      kernel(called('direct'), { domain, reads: { [from]: type }, writes: { p: type } }, (s) => ({
        p: s[from] as Entry,
      })),
    );
  // How far to go along p: to where the error, or for normal equations the residual, is least.
  const step = over(
    kernel(
      called('step'),
      {
        domain,
        reads: { x: type, r: type, p: type, q: type, rr: perWorld(f32), pq: perWorld(f32) },
        writes: { x: type, r: type },
      },
      ({ x, r, p, q, rr, pq }) => {
        const alpha = ratio(rr, pq);
        return { x: plus(x, p, alpha), r: plus(r, q, alpha.neg()) };
      },
    ),
  );
  const turn = (from: 'r' | 'z'): Pass =>
    over(
      kernel(
        called('turn'),
        {
          domain,
          reads: { [from]: type, p: type, rr: perWorld(f32), next: perWorld(f32) },
          writes: { p: type },
        },
        (s) => ({ p: plus(s[from] as Entry, s.p as Entry, ratio(s.next as F32, s.rr as F32)) }),
      ),
    );
  const size = world(
    kernel(called('size'), { domain: 'world', reads: { next: f32 }, writes: { rr: f32 } }, ({ next }) => ({
      rr: next,
    })),
  );
  const rest = own('Rest');
  const measure = bind(
    kernel(
      called('measure'),
      { domain: 'world', reads: { rest: f32, bb: f32 }, writes: { left: f32 } },
      ({ rest: remaining, bb }, { epsilon }) => {
        const allowed = tolerance === undefined ? pow(epsilon, 0.7) : f32(tolerance);
        return { left: remaining.div(max(bb.mul(allowed).mul(allowed), 1e-37)) };
      },
    ),
    { rest: isNormal ? rest : names.next, bb: names.bb, left: names.left },
  );
  const until = { field: names.left, below: 1 };
  const how = { until, most, name, ...(advice ? { advice } : {}) };
  if (!isNormal) {
    // rr = r.r is bb at first.
    const first = world(
      kernel(called('first'), { domain: 'world', reads: { bb: f32 }, writes: { rr: f32 } }, ({ bb }) => ({
        rr: bb,
      })),
    );
    return [
      ...[begin, direct('r'), sum('scale', 'b', 'b', 'bb'), first],
      iterate(
        [
          ...[options.product(key(names.p), key(names.q)), sum('curvature', 'p', 'q', 'pq'), step],
          ...[sum('next', 'r', 'r', 'next'), turn('r'), size, measure],
        ],
        how,
      ),
    ];
  }
  const transposed = options.transposed!;
  const first = sum('first', 'z', 'z', 'next');
  const remaining = bind(
    kernel(
      called('remaining'),
      { domain, reads: { r: type }, adds: { rest: perWorld(f32) } },
      ({ r, rest: to }) => to.add(product(r, r)),
    ),
    { r: names.r, rest },
  );
  // z = A^T r: made before the loop under another name, since what a loop adds up is its own.
  const start = own('Start');
  const startSize = own('StartSize');
  return [
    begin,
    transposed(key(names.r), key(start)),
    bind(
      kernel(called('direct'), { domain, reads: { z: type }, writes: { p: type } }, ({ z }) => ({ p: z })),
      { z: start, p: names.p },
    ),
    bind(
      kernel(
        called('startSize'),
        { domain, reads: { z: type }, adds: { next: perWorld(f32) } },
        ({ z, next }) => next.add(product(z, z)),
      ),
      { z: start, next: startSize },
    ),
    sum('scale', 'b', 'b', 'bb'),
    bind(
      kernel(called('first'), { domain: 'world', reads: { next: f32 }, writes: { rr: f32 } }, ({ next }) => ({
        rr: next,
      })),
      { next: startSize, rr: names.rr },
    ),
    iterate(
      [
        ...[options.product(key(names.p), key(names.q)), sum('curvature', 'q', 'q', 'pq'), step, remaining],
        ...[transposed(key(names.r), key(names.z)), first, turn('z'), size, measure],
      ],
      how,
    ),
  ];
}
