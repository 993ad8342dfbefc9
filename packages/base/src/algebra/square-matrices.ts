/**
 * Product of two n x n matrices, each n^2 numbers row by row. Four rows of `b` are added at once to two rows of the
 * product, so that numbers are read and written a fourth or half as often.
 */
export function multiplySquare(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const product = new Float64Array(n * n);
  const even = n - (n % 2);
  for (let i = 0; i < even; i += 2) addTwoRows(product, a, b, n, { top: i * n, first: 0 });
  for (let i = even; i < n; i++) addColumns(product, a, b, n, { row: i * n, from: 0, first: 0 });
  return product;
}

/**
 * Product of two n x n matrices, each n^2 numbers row by row, if it is known to be symmetric, such as the square of a
 * symmetric matrix: computes the half above the diagonal, and copies it.
 */
export function multiplySymmetric(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const product = new Float64Array(n * n);
  const even = n - (n % 2);
  for (let i = 0; i < even; i += 2) addTwoRows(product, a, b, n, { top: i * n, first: i });
  for (let i = even; i < n; i++) addColumns(product, a, b, n, { row: i * n, from: 0, first: i });
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) product[i * n + j] = product[j * n + i];
  return product;
}

/** Computes two rows of the product from column `first` on: those that begin at index `top` and at `top` + n. */
function addTwoRows(
  product: Float64Array,
  a: Float64Array,
  b: Float64Array,
  n: number,
  { top, first: column }: { readonly top: number; readonly first: number },
): void {
  const low = top + n;
  const inFours = n - (n % 4);
  for (let k = 0; k < inFours; k += 4) {
    const [p, q, r, s] = [a[top + k], a[top + k + 1], a[top + k + 2], a[top + k + 3]];
    const [t, u, v, w] = [a[low + k], a[low + k + 1], a[low + k + 2], a[low + k + 3]];
    if (p === 0 && q === 0 && r === 0 && s === 0 && t === 0 && u === 0 && v === 0 && w === 0) continue;
    let first = k * n + column;
    let second = first + n;
    let third = second + n;
    let fourth = third + n;
    for (let x = top + column, y = low + column; x < low; x++, y++, first++, second++, third++, fourth++) {
      const c = b[first];
      const d = b[second];
      const e = b[third];
      const f = b[fourth];
      product[x] = product[x] + p * c + q * d + r * e + s * f;
      product[y] = product[y] + t * c + u * d + v * e + w * f;
    }
  }
  addColumns(product, a, b, n, { row: top, from: inFours, first: column });
  addColumns(product, a, b, n, { row: low, from: inFours, first: column });
}

/**
 * Adds to one row of the product, which begins at index `row`, from column `first` on, the contributions of columns
 * `from` to n - 1 of `a`.
 */
function addColumns(
  product: Float64Array,
  a: Float64Array,
  b: Float64Array,
  n: number,
  { row, from, first }: Readonly<Record<'row' | 'from' | 'first', number>>,
): void {
  for (let k = from; k < n; k++) {
    const factor = a[row + k];
    for (let j = first; j < n; j++) product[row + j] += factor * b[k * n + j];
  }
}

/** Product of an n x n matrix, given as n^2 numbers row by row, and a vector. */
export function multiplyVector(a: Float64Array, vector: ArrayLike<number>): Float64Array {
  const n = vector.length;
  const product = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += a[i * n + k] * vector[k];
    product[i] = sum;
  }
  return product;
}
