/** Normal equations Y^T Y x = Y^T tau of joints of all recordings. */
export function normalEquations(
  columns: readonly (readonly Float64Array[])[],
  torques: readonly Float64Array[],
): { normal: Float64Array[]; right: Float64Array } {
  const count = columns[0].length;
  const normal = Array.from({ length: count }, () => new Float64Array(count));
  const right = new Float64Array(count);
  columns.forEach((own, r) => {
    own.forEach((a, p) => {
      if (a.length === 0) return;
      right[p] += product(a, torques[r]);
      for (let q = 0; q <= p; q++) {
        if (own[q].length === 0) continue;
        normal[p][q] += product(a, own[q]);
        normal[q][p] = normal[p][q];
      }
    });
  });
  return { normal, right };
}

const product = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};
