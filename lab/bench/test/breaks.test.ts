import { describe, expect, test } from 'vitest';
import { applyMutation, mutationsOf } from '../src/breaks/sites.ts';

/** Operator, original line and mutated line. */
const MADE = [
  ['comparison', 'const isLow = a < b;', 'const isLow = a <= b;'],
  ['comparison', 'const isSame = a === b;', 'const isSame = a !== b;'],
  ['arithmetic', 'const offset = start + step;', 'const offset = start - step;'],
  ['logic', 'const isKept = isLast && isState;', 'const isKept = isLast;'],
  ['condition', 'if (isLast) keep(x);', 'if (!(isLast)) keep(x);'],
  ['condition', 'const port = isLast ? last : first;', 'const port = (isLast) ? (first) : (last);'],
  ['call', 'slots.push(slot);', ';'],
  ['method', 'const t = b.add(x, y);', 'const t = b.sub(x, y);'],
  ['operation', "const first = b.pure('le', x, y);", "const first = b.pure('gt', x, y);"],
  ['sign', 'const t = b.neg(y);', 'const t = y;'],
  ['argument', 'const t = copied(from, to);', 'const t = copied(to, from);'],
  ['order', 'for (const s of [...steps].reverse()) run(s);', 'for (const s of [...steps]) run(s);'],
  ['list', 'const all = [...given, ...made];', 'const all = [...[], ...made];'],
  ['element', 'const bar = bars[k];', 'const bar = bars[0];'],
  ['literal', 'let round = 0;', 'let round = 1;'],
  ['literal', 'let isOpen = true;', 'let isOpen = false;'],
] as const;

describe('the generator of code mutations', () => {
  test.each(MADE)('makes a mutation of kind %s from: %s', (operator, from, to) => {
    const made = mutationsOf(from).filter((one) => one.operator === operator);
    expect(made.map((one) => applyMutation(from, one))).toContain(to);
  });

  test('gives the changed line, and leaves error texts, argument checks and types alone', () => {
    const text = `import { one } from './one.ts';
type Pair = [0, 1];
if (a < 0) throw new Error(\`\${a + 1} is below 0.\`);
refuseNegative(a + 1);
const b = a - 1;`;
    const made = mutationsOf(text);
    expect(new Set(made.map(({ line }) => line))).toEqual(new Set([5]));
    expect(made.map(({ operator }) => operator).sort()).toEqual(['arithmetic', 'literal']);
  });

  test('changes only the derivative of a primitive if asked for mutations of derivatives', () => {
    const text = `export const double = primitive('double', {
  evaluate: (x) => x + x,
  derivative: (b, [x]) => [(t) => b.add(t, t)],
});`;
    expect(mutationsOf(text, 'derivative').map(({ operator }) => operator)).toEqual(['method']);
  });
});
