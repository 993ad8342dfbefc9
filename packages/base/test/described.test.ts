import { expect, it, test } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { describeValue, refuseUnknownChoice, refuseWrongType } from '../src/index.ts';

const circle: unknown[] = [1];
circle.push(circle);
const fails = (): never => {
  throw new Error('run');
};

test.each([
  [1, '1'],
  [-0, '0'],
  [Number.NaN, 'NaN'],
  [undefined, 'undefined'],
  [null, 'null'],
  [10n, '10n'],
  [Symbol('s'), 'Symbol(s)'],
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['x'.repeat(1000), `"${'x'.repeat(60)}..."`],
  [[1, 'a', [2n]], '[1, "a", [2n]]'],
  [new Array(3), 'a list of 3'],
  [Array.from({ length: 1e6 }, () => 0), 'a list of 1000000'],
  [circle, 'a list of 2'],
  [{}, '{}'],
  [{ a: 1, b: { c: 'd' } }, '{ a: 1, b: { c: "d" } }'],
  [{ 'a-b': 1, '\u001b': 2 }, '{ "a-b": 1, "\\u001b": 2 }'],
  [Object.assign(Object.create(null), { a: 1 }), '{ a: 1 }'],
  [new Float32Array(3), 'a list of 3 numbers'],
  [new DataView(new ArrayBuffer(4)), 'a list of 4 numbers'],
  [fails, 'a function'],
  [new Map([[1, 2]]), 'an object'],
  [{ toJSON: fails }, 'an object'],
  [Object.defineProperty({}, 'a', { get: fails, enumerable: true }), 'an object'],
  [new Proxy({}, { ownKeys: fails, getPrototypeOf: fails }), 'an object'],
])('described shows a value of any type in words: case %#', (value, shown) => {
  expect(describeValue(value)).toBe(shown);
});

it('described shows any value in a short line, and never fails', () => {
  const random = randomNumbers(seedOfRun('values'));
  const draw = (depth: number): unknown => {
    const inner = (): unknown => (depth > 4 ? 0 : draw(depth + 1));
    const ways: readonly (() => unknown)[] = [
      ...[() => random() - 0.5, () => 10n ** 30n, () => Symbol('s'.repeat(100)), () => undefined, () => null],
      ...[() => 'é\u001b'.repeat(100 * random()), () => fails, () => circle, () => new Date(Number.NaN)],
      () => Array.from({ length: 20 * random() }, inner),
      () => Object.fromEntries(Array.from({ length: 20 * random() }, (_, k) => [`p${k}`.repeat(k), inner()])),
      () => Object.assign(Object.create(null), { toString: fails, [Symbol.toPrimitive]: fails, toJSON: inner() }),
      () => new Proxy(inner() === 0 ? [] : {}, { get: fails, ownKeys: fails, getOwnPropertyDescriptor: fails }),
      () => Object.defineProperty([], 0, { get: fails, enumerable: true }),
      () => Proxy.revocable({}, {}).proxy,
      () => {
        const { proxy, revoke } = Proxy.revocable([], {});
        revoke();
        return proxy;
      },
    ];
    return ways[Math.floor(random() * ways.length)]();
  };
  for (let round = 0; round < 3000; round++) {
    const value = draw(0);
    const shown = describeValue(value);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(400);
    expect(() => refuseWrongType('rain: drops', value, 'rain', false)).toThrowCode('base/wrong-type');
    expect(() => refuseUnknownChoice('rain: drops', value as string, ['none'])).toThrowCode('base/unknown-choice');
  }
});
