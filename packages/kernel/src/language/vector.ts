import { GradsimError } from '@gradsim/base';
import type { F32, Operand } from './scalar.ts';
import { currentBuilder, f32, refuseAt } from './scalar.ts';

/** A vector of 2, 3 or 4 traced f32. Immutable; every operation returns a new one. */
export class Vec<N extends 2 | 3 | 4 = 2 | 3 | 4> {
  declare readonly size: N;
  readonly components: readonly F32[];

  constructor(components: readonly Operand[]) {
    this.components = components.map(f32);
  }

  get x(): F32 {
    return this.components[0];
  }
  get y(): F32 {
    return this.components[1];
  }
  get z(): F32 {
    return this.#component(2, 'z');
  }
  get w(): F32 {
    return this.#component(3, 'w');
  }
  #component(k: number, name: string): F32 {
    if (k >= this.components.length)
      throw new GradsimError('kernel/no-such-component', `A vec${this.components.length} has no component ${name}.`);
    return this.components[k];
  }

  #zip(other: Vec<N> | Operand, f: (a: F32, b: F32) => F32): Vec<N> {
    if (other instanceof Vec) checkAlike(this, other);
    return new Vec<N>(this.components.map((a, k) => f(a, other instanceof Vec ? other.components[k] : f32(other))));
  }
  add(other: Vec<N>): Vec<N> {
    return this.#zip(other, (a, b) => a.add(b));
  }
  sub(other: Vec<N>): Vec<N> {
    return this.#zip(other, (a, b) => a.sub(b));
  }
  /** Product with a scalar, or component by component. */
  mul(other: Vec<N> | Operand): Vec<N> {
    return this.#zip(other, (a, b) => a.mul(b));
  }
  div(other: Vec<N> | Operand): Vec<N> {
    return this.#zip(other, (a, b) => a.div(b));
  }
  neg(): Vec<N> {
    return new Vec<N>(this.components.map((a) => a.neg()));
  }
  /** Value of element `index`, of a field that the kernel reads at its own element. @throws for any other value. */
  at(_index: Operand<'u32'>): Vec<N> {
    return refuseAt();
  }
}

/** Refuses vectors of different lengths, and values of other types, which JavaScript would treat as empty vectors. */
function checkAlike(a: Vec, b: Vec): void {
  for (const v of [a, b])
    if (!(v instanceof Vec))
      throw new GradsimError(
        'base/wrong-type',
        'This takes vectors, and was given something else; the length of a number is its `abs`.',
      );
  if (a.components.length !== b.components.length)
    throw new GradsimError(
      'base/wrong-type',
      `A vec${a.components.length} and a vec${b.components.length} do not go together.`,
      { kernel: currentBuilder().kernelName },
    );
}

export type Vec2 = Vec<2>;
export type Vec3 = Vec<3>;
export type Vec4 = Vec<4>;

export const vec2 = (x: Operand, y: Operand): Vec2 => new Vec<2>([x, y]);
export const vec3 = (x: Operand, y: Operand, z: Operand): Vec3 => new Vec<3>([x, y, z]);
export const vec4 = (x: Operand, y: Operand, z: Operand, w: Operand): Vec4 => new Vec<4>([x, y, z, w]);

export function dot<N extends 2 | 3 | 4>(a: Vec<N>, b: Vec<N>): F32 {
  checkAlike(a, b);
  return a.components.map((ak, k) => ak.mul(b.components[k])).reduce((sum, term) => sum.add(term));
}

export function cross(a: Vec3, b: Vec3): Vec3 {
  return vec3(a.y.mul(b.z).sub(a.z.mul(b.y)), a.z.mul(b.x).sub(a.x.mul(b.z)), a.x.mul(b.y).sub(a.y.mul(b.x)));
}

/** A square matrix of traced f32, row-major. */
export class Mat<N extends 2 | 3 = 2 | 3> {
  readonly size: N;
  /** Entries, row-major: `entries[row * size + column]`. */
  readonly entries: readonly F32[];

  constructor(size: N, entries: readonly Operand[]) {
    if (entries.length !== size * size)
      throw new GradsimError(
        'kernel/wrong-size',
        `A mat${size}${size} has ${size * size} entries, not ${entries.length}.`,
      );
    this.size = size;
    this.entries = entries.map(f32);
  }

  /** One entry. */
  entry(row: number, column: number): F32 {
    return this.entries[row * this.size + column];
  }
  row(k: number): Vec<N> {
    return new Vec<N>(this.entries.slice(k * this.size, (k + 1) * this.size));
  }
  column(k: number): Vec<N> {
    return new Vec<N>(this.entries.filter((_, e) => e % this.size === k));
  }
  add(other: Mat<N>): Mat<N> {
    return new Mat(
      this.size,
      this.entries.map((a, k) => a.add(other.entries[k])),
    );
  }
  sub(other: Mat<N>): Mat<N> {
    return new Mat(
      this.size,
      this.entries.map((a, k) => a.sub(other.entries[k])),
    );
  }
  neg(): Mat<N> {
    return new Mat(
      this.size,
      this.entries.map((a) => a.neg()),
    );
  }
  /** Product with a matrix or a vector; with a scalar, of every entry. */
  mul(other: Mat<N>): Mat<N>;
  mul(other: Vec<N>): Vec<N>;
  mul(other: Operand): Mat<N>;
  mul(other: Mat<N> | Vec<N> | Operand): Mat<N> | Vec<N> {
    const rows = [...Array(this.size).keys()];
    if (other instanceof Vec) return new Vec<N>(rows.map((r) => dot(this.row(r), other)));
    if (other instanceof Mat) {
      return new Mat(
        this.size,
        rows.flatMap((r) => rows.map((c) => dot(this.row(r), other.column(c)))),
      );
    }
    return new Mat(
      this.size,
      this.entries.map((a) => a.mul(other)),
    );
  }
  /** Value of element `index`, of a field that the kernel reads at its own element. @throws for any other value. */
  at(_index: Operand<'u32'>): Mat<N> {
    return refuseAt();
  }
}

export type Mat22 = Mat<2>;
export type Mat33 = Mat<3>;

export const mat22 = (...entries: Operand[]): Mat22 => new Mat(2, entries);
/** 3 x 3 matrix from nine entries, row by row. */
export const mat33 = (...entries: Operand[]): Mat33 => new Mat(3, entries);

export function matFromRows<N extends 2 | 3>(rows: readonly Vec<N>[]): Mat<N> {
  return new Mat(
    rows.length as N,
    rows.flatMap((row) => row.components),
  );
}
export function matFromColumns<N extends 2 | 3>(columns: readonly Vec<N>[]): Mat<N> {
  return transpose(matFromRows(columns));
}
export function identity<N extends 2 | 3>(size: N): Mat<N> {
  return new Mat(
    size,
    [...Array(size * size).keys()].map((k) => (k % (size + 1) === 0 ? 1 : 0)),
  );
}

export function transpose<N extends 2 | 3>(m: Mat<N>): Mat<N> {
  const rows = [...Array(m.size).keys()];
  return new Mat(
    m.size,
    rows.flatMap((r) => rows.map((c) => m.entry(c, r))),
  );
}

export function traceOf(m: Mat): F32 {
  return [...Array(m.size).keys()].map((k) => m.entry(k, k)).reduce((sum, term) => sum.add(term));
}

export function determinant(m: Mat): F32 {
  if (m.size === 2)
    return m
      .entry(0, 0)
      .mul(m.entry(1, 1))
      .sub(m.entry(0, 1).mul(m.entry(1, 0)));
  const m3 = m as Mat33;
  return dot(m3.row(0) as Vec3, cross(m3.row(1) as Vec3, m3.row(2) as Vec3));
}

/** Inverse by cofactors. A singular matrix gives infinities. */
export function inverse<N extends 2 | 3>(m: Mat<N>): Mat<N> {
  const scale = f32(1).div(determinant(m));
  if (m.size === 2) {
    return new Mat(m.size, [m.entry(1, 1), m.entry(0, 1).neg(), m.entry(1, 0).neg(), m.entry(0, 0)]).mul(scale);
  }
  const m3 = m as Mat as Mat33;
  const [r0, r1, r2] = [0, 1, 2].map((k) => m3.row(k) as Vec3);
  return matFromColumns([cross(r1, r2), cross(r2, r0), cross(r0, r1)] as readonly Vec[] as readonly Vec<N>[]).mul(
    scale,
  );
}

export function outer<N extends 2 | 3>(a: Vec<N>, b: Vec<N>): Mat<N> {
  return new Mat(
    a.components.length as N,
    a.components.flatMap((ak) => b.components.map((bk) => ak.mul(bk))),
  );
}

/** A quaternion (x, y, z, w), w the real part, as in glTF. */
export class Quat {
  readonly components: readonly F32[];
  constructor(components: readonly Operand[]) {
    this.components = components.map(f32);
  }
  get vector(): Vec3 {
    return new Vec<3>(this.components.slice(0, 3));
  }
  get w(): F32 {
    return this.components[3];
  }
  add(other: Quat): Quat {
    return new Quat(this.components.map((a, k) => a.add(other.components[k])));
  }
  scale(factor: Operand): Quat {
    return new Quat(this.components.map((a) => a.mul(factor)));
  }
  /** Hamilton product. */
  mul(other: Quat): Quat {
    const [a, b] = [this.vector, other.vector];
    const vector = b.mul(this.w).add(a.mul(other.w)).add(cross(a, b));
    return new Quat([...vector.components, this.w.mul(other.w).sub(dot(a, b))]);
  }
  conjugate(): Quat {
    return new Quat([...this.vector.neg().components, this.w]);
  }
  /** Value of element `index`, of a field that the kernel reads at its own element. @throws for any other value. */
  at(_index: Operand<'u32'>): Quat {
    return refuseAt();
  }
}

export const quat = (x: Operand, y: Operand, z: Operand, w: Operand): Quat => new Quat([x, y, z, w]);

/** Rotates `v` by the unit quaternion `q`: v + 2 u x (u x v + w v), u the vector part. */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const t = cross(q.vector, v).mul(2);
  return v.add(t.mul(q.w)).add(cross(q.vector, t));
}

/** Rotates `v` by the inverse of the unit quaternion `q`. */
export function rotateInverse(q: Quat, v: Vec3): Vec3 {
  return rotate(q.conjugate(), v);
}
