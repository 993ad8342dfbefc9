import { multiplySquare, multiplySymmetric, multiplyVector } from '@gradsim/base';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

it.each([1, 2, 3, 4, 5, 8, 13])('square matrices of %i rows are multiplied with matrices and vectors', (n) => {
  const random = randomNumbers(n);
  const draw = (length: number): Float64Array =>
    Float64Array.from({ length }, () => (random() < 0.3 ? 0 : random() - 0.5));
  const [a, b, v] = [draw(n * n), draw(n * n), draw(n)];
  const product = multiplySquare(a, b, n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      expect(product[i * n + j]).toBeCloseTo(sum, 14);
    }
    const along = v.reduce((sum, x, k) => sum + a[i * n + k] * x, 0);
    expect(multiplyVector(a, v)[i]).toBeCloseTo(along, 14);
  }
});

it.each([1, 2, 5, 9, 12])('multiplySymmetric gives the square of a symmetric %i x %i matrix', (n) => {
  const random = randomNumbers(n);
  const a = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) a[i * n + j] = a[j * n + i] = random() - 0.5;
  expect([...multiplySymmetric(a, a, n)]).toEqual([...multiplySquare(a, a, n)]);
});
