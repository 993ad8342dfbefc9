import { expect, it } from 'vitest';
import { f32, fieldOn, i32, kernel, maxOver, productOver, sumOver, u32, vec2, vec3 } from '../src/index.ts';
import { checkKernel } from '../src/testing/index.ts';
import { agree } from './support/agree.ts';
import { randomFields } from './support/random.ts';

const { numbers, wholes } = randomFields('sums over ranges');
const elements = 9;

/** Sums, products and greatest values over the first `n` entries. */
const folded = kernel(
  'folded',
  { domain: 'points', reads: { n: u32, x: fieldOn('entries', f32) }, writes: { three: vec3, count: u32, most: i32 } },
  ({ n, x }) => ({
    three: vec3(
      sumOver(0, n, vec2, (k) => vec2(x.at(k), 1)).y.add(sumOver(0, n, f32, (k) => x.at(k))),
      productOver(0, n, f32, (k) => x.at(k)),
      maxOver(0, n, f32, (k) => x.at(k)),
    ),
    count: sumOver(2, n, u32, (k) => k),
    most: maxOver(0, n, i32, (k) => k.toI32().sub(3)),
  }),
);

it('sums, products and greatest values over ranges are those of JavaScript, of empty ones too', async () => {
  const x = numbers(elements);
  const n = [0, 1, 2, ...wholes(elements - 3, 0, elements + 1)];
  const found = await agree(folded.form, { elements, sizes: { entries: elements }, inputs: { n, x } });
  n.forEach((end, e) => {
    const part = x.slice(0, end);
    const sum = end + part.reduce((a, b) => a + b, 0);
    expect(found['new three'][e]).toBeCloseTo(sum, 4);
    expect(found['new three'][elements + e]).toBeCloseTo(
      part.reduce((a, b) => a * b, 1),
      4,
    );
    if (end > 0) expect(found['new three'][2 * elements + e]).toBe(Math.fround(Math.max(...part)));
    else expect(found['new three'][2 * elements + e]).toBeLessThan(-3e38);
    expect(found['new count'][e]).toBe(end > 2 ? (end * (end - 1)) / 2 - 1 : 0);
    expect(found['new most'][e]).toBe(end > 0 ? end - 4 : -(2 ** 31));
  });
});

it('derivatives of sums, products and greatest values over ranges agree with differences', () =>
  checkKernel(
    kernel('folds', { domain: 'points', reads: { x: vec3 }, writes: { y: vec3 } }, ({ x }) => ({
      y: vec3(
        sumOver(1, 4, f32, (k) => x.y.mul(k.toF32()).mul(x.z)),
        productOver(0, 3, f32, (k) => x.x.add(k.toF32())),
        maxOver(0, 3, f32, (k) => x.z.mul(k.toF32().sub(1))),
      ),
    })),
  ));

it('what a range folds is of the type named', () => {
  const wrong = () =>
    kernel('wrong', { domain: 'points', reads: { x: vec3 }, writes: { y: f32 } }, ({ x }) => ({
      y: sumOver(0, 3, f32, () => x as never),
    }));
  expect(wrong).toThrowCode({ code: 'base/wrong-type', values: ['f32', '3 numbers'] });
});
