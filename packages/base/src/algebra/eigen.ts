import { multiplySymmetric } from './square-matrices.ts';

/** Eigenvalues in ascending order, and an eigenvector of length 1 for each. */
export interface Eigen {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
}

/**
 * Eigenvalues and eigenvectors of a symmetric n x n matrix, given as n^2 numbers row by row, by Householder's reduction
 * to a tridiagonal matrix and QL steps with implicit shifts.
 *
 * Source: R. S. Martin, C. Reinsch, J. H. Wilkinson, Numerische Mathematik 11, 1968 (tred2); H. Bowdler, R. S. Martin,
 * C. Reinsch, J. H. Wilkinson, Numerische Mathematik 11, 1968 (tql2).
 */
export function symmetricEigen(matrix: ArrayLike<number>): Eigen {
  const n = Math.round(Math.sqrt(matrix.length));
  // Rows are eigenvectors in the end: both parts work on whole rows.
  const rows = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) rows[j * n + i] = matrix[i * n + j];
  const diagonal = new Float64Array(n);
  const beside = new Float64Array(n);
  if (n > 0) {
    tridiagonalise(rows, diagonal, beside);
    diagonalise(rows, diagonal, beside);
  }
  const order = ascendingOrder(diagonal);
  return {
    values: order.map((k) => diagonal[k]),
    vectors: order.map((k) => Array.from(rows.subarray(k * n, (k + 1) * n))),
  };
}

/**
 * Reduces the matrix in `v` to a tridiagonal one: writes its diagonal, the numbers beside it to `beside` from entry 1
 * on, and the orthogonal transformation to `v`.
 */
function tridiagonalise(v: Float64Array, diagonal: Float64Array, beside: Float64Array): void {
  const n = diagonal.length;
  const [d, e] = [diagonal, beside];
  for (let j = 0; j < n; j++) d[j] = v[j * n + n - 1];
  for (let i = n - 1; i > 0; i--) d[i] = reflect(v, i, d, e);
  for (let i = 0; i < n - 1; i++) {
    const [own, next] = [i * n, (i + 1) * n];
    v[own + n - 1] = v[own + i];
    v[own + i] = 1;
    const h = d[i + 1];
    if (h !== 0) {
      for (let k = 0; k <= i; k++) d[k] = v[next + k] / h;
      for (let j = 0; j <= i; j++) {
        let g = 0;
        for (let k = 0; k <= i; k++) g += v[next + k] * v[j * n + k];
        for (let k = 0; k <= i; k++) v[j * n + k] -= g * d[k];
      }
    }
    v.fill(0, next, next + i + 1);
  }
  for (let j = 0; j < n; j++) {
    d[j] = v[j * n + n - 1];
    v[j * n + n - 1] = 0;
  }
  v[n * n - 1] = 1;
  e[0] = 0;
}

/**
 * Applies the Householder reflection that leaves only two numbers of row `i` up to the diagonal; returns half the
 * squared length of the reflection's vector, 0 if no reflection is needed.
 */
function reflect(v: Float64Array, i: number, d: Float64Array, e: Float64Array): number {
  const n = d.length;
  let scale = 0;
  for (let k = 0; k < i; k++) scale += Math.abs(d[k]);
  if (scale === 0) {
    e[i] = d[i - 1];
    for (let j = 0; j < i; j++) {
      d[j] = v[j * n + i - 1];
      v[j * n + i] = 0;
      v[i * n + j] = 0;
    }
    return 0;
  }
  let h = 0;
  for (let k = 0; k < i; k++) {
    d[k] /= scale;
    h += d[k] * d[k];
  }
  const last = d[i - 1];
  const length = last > 0 ? -Math.sqrt(h) : Math.sqrt(h);
  e[i] = scale * length;
  h -= last * length;
  d[i - 1] = last - length;
  for (let j = 0; j < i; j++) e[j] = 0;
  for (let j = 0; j < i; j++) {
    const f = d[j];
    v[i * n + j] = f;
    const row = j * n;
    let g = e[j] + v[row + j] * f;
    for (let k = j + 1; k < i; k++) {
      g += v[row + k] * d[k];
      e[k] += v[row + k] * f;
    }
    e[j] = g;
  }
  let sum = 0;
  for (let j = 0; j < i; j++) {
    e[j] /= h;
    sum += e[j] * d[j];
  }
  const half = sum / (h + h);
  for (let j = 0; j < i; j++) e[j] -= half * d[j];
  for (let j = 0; j < i; j++) {
    const [f, g] = [d[j], e[j]];
    const row = j * n;
    for (let k = j; k < i; k++) v[row + k] -= f * e[k] + g * d[k];
    d[j] = v[row + i - 1];
    v[row + i] = 0;
  }
  return h;
}

/**
 * Computes the eigenvalues of the tridiagonal matrix in `diagonal`, and applies the same rotations to the rows of `v`,
 * which become the eigenvectors.
 */
function diagonalise(v: Float64Array, diagonal: Float64Array, beside: Float64Array): void {
  const n = diagonal.length;
  const [d, e] = [diagonal, beside];
  e.copyWithin(0, 1);
  e[n - 1] = 0;
  // Cosine and sine by the row that they turn.
  const turns = new Float64Array(2 * n);
  let shift = 0;
  let largest = 0;
  for (let l = 0; l < n; l++) {
    largest = Math.max(largest, Math.abs(d[l]) + Math.abs(e[l]));
    const small = Number.EPSILON * largest;
    let m = l;
    while (m < n && !(Math.abs(e[m]) <= small)) m++;
    if (m > l)
      do {
        const g = d[l];
        const p = (d[l + 1] - g) / (2 * e[l]);
        const r = p < 0 ? -hypotenuse(p, 1) : hypotenuse(p, 1);
        d[l] = e[l] / (p + r);
        d[l + 1] = e[l] * (p + r);
        const next = d[l + 1];
        const h = g - d[l];
        for (let i = l + 2; i < n; i++) d[i] -= h;
        shift += h;
        implicitQlStep(v, d, e, turns, { from: l, to: m, next });
      } while (Math.abs(e[l]) > small);
    d[l] += shift;
    e[l] = 0;
  }
}

/**
 * One implicit QL step over rows `from` to `to`.
 * @param next diagonal entry of row `from` + 1 after the shift.
 */
function implicitQlStep(
  v: Float64Array,
  d: Float64Array,
  e: Float64Array,
  turns: Float64Array,
  { from, to, next }: { readonly from: number; readonly to: number; readonly next: number },
): void {
  let p = d[to];
  let [c, c2, c3] = [1, 1, 1];
  let [s, s2] = [0, 0];
  const second = e[from + 1];
  for (let i = to - 1; i >= from; i--) {
    c3 = c2;
    c2 = c;
    s2 = s;
    const g = c * e[i];
    const h = c * p;
    const r = hypotenuse(p, e[i]);
    e[i + 1] = s * r;
    s = e[i] / r;
    c = p / r;
    p = c * d[i] - s * g;
    d[i + 1] = h + s * (c * g + s * d[i]);
    turns[2 * i] = c;
    turns[2 * i + 1] = s;
  }
  p = (-s * s2 * c3 * second * e[from]) / next;
  e[from] = s * p;
  d[from] = c * p;
  turnRows(v, turns, from, to);
}

/**
 * Rotates rows `to` and `to - 1` of `v`, then `to - 1` and `to - 2`, down to `from`. `turns` holds the cosine and sine
 * of each rotation. Four columns at a time stay in registers: a row is read and written once.
 */
function turnRows(v: Float64Array, turns: Float64Array, from: number, to: number): void {
  const n = turns.length / 2;
  const inFours = n - (n % 4);
  for (let k = 0; k < inFours; k += 4) {
    let at = to * n + k;
    let [x, y, z, w] = [v[at], v[at + 1], v[at + 2], v[at + 3]];
    for (let i = to - 1; i >= from; i--, at -= n) {
      const [c, s] = [turns[2 * i], turns[2 * i + 1]];
      const before = at - n;
      const [p, q, r, t] = [v[before], v[before + 1], v[before + 2], v[before + 3]];
      v[at] = s * p + c * x;
      v[at + 1] = s * q + c * y;
      v[at + 2] = s * r + c * z;
      v[at + 3] = s * t + c * w;
      x = c * p - s * x;
      y = c * q - s * y;
      z = c * r - s * z;
      w = c * t - s * w;
    }
    v[at] = x;
    v[at + 1] = y;
    v[at + 2] = z;
    v[at + 3] = w;
  }
  for (let k = inFours; k < n; k++) {
    let at = to * n + k;
    let x = v[at];
    for (let i = to - 1; i >= from; i--, at -= n) {
      const [c, s] = [turns[2 * i], turns[2 * i + 1]];
      const p = v[at - n];
      v[at] = s * p + c * x;
      x = c * p - s * x;
    }
    v[at] = x;
  }
}

/** sqrt(a^2 + b^2) without overflow. */
function hypotenuse(a: number, b: number): number {
  const [large, small] = Math.abs(a) > Math.abs(b) ? [a, b] : [b, a];
  if (large === 0) return 0;
  const ratio = small / large;
  return Math.abs(large) * Math.sqrt(1 + ratio * ratio);
}

/** Indices of values, in ascending order of the values. */
const ascendingOrder = (values: Float64Array): number[] => [...values.keys()].sort((a, b) => values[a] - values[b]);

/** Symmetric matrix, row by row, with the same eigenvectors and with `change` applied to each eigenvalue. */
export function mapEigenvalues({ values, vectors }: Eigen, change: (value: number) => number): Float64Array {
  const n = values.length;
  const changed = values.map(change);
  const rows = new Float64Array(n * n);
  const scaled = new Float64Array(n * n);
  vectors.forEach((vector, k) => {
    rows.set(vector, k * n);
    for (let i = 0; i < n; i++) scaled[i * n + k] = changed[k] * vector[i];
  });
  return multiplySymmetric(scaled, rows, n);
}
