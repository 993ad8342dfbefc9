/**
 * Product of two square matrices, row by row. Four rows of `b` are added at once, so that a row of the product is read and
 * written a fourth as often; sums are in the order of the rows.
 */
export function multiplySquare(a: Float64Array, b: Float64Array, n: number): Float64Array {
  const product = new Float64Array(n * n);
  const inFours = n - (n % 4);
  for (let i = 0; i < n; i++) {
    const row = product.subarray(i * n, (i + 1) * n);
    for (let k = 0; k < inFours; k += 4) {
      const at = i * n + k;
      const [p, q, r, s] = [a[at], a[at + 1], a[at + 2], a[at + 3]];
      if (p === 0 && q === 0 && r === 0 && s === 0) continue;
      let from = k * n;
      for (let j = 0; j < n; j++, from++)
        row[j] = row[j] + p * b[from] + q * b[from + n] + r * b[from + 2 * n] + s * b[from + 3 * n];
    }
    for (let k = inFours; k < n; k++) {
      const factor = a[i * n + k];
      for (let j = 0; j < n; j++) row[j] += factor * b[k * n + j];
    }
  }
  return product;
}

/** Product of a square matrix and a vector. */
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
