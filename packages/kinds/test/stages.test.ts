// A promise to users who read a kind, or copy it to change its model: model, unknowns and observations in under 100 lines,
// with fields by reference.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KINDS } from '../src/index.ts';

it.each(KINDS.map(({ name }) => name))(
  'the stages of %s have under 100 lines, and no field names in quotes',
  (name) => {
    const text = readFileSync(new URL(`../src/${name}/stages.ts`, import.meta.url), 'utf8');
    expect(text.trimEnd().split('\n').length).toBeLessThan(100);
    // A key such as bodies.mass.
    expect(text).not.toMatch(/'[a-z][A-Za-z]*\.[a-z][A-Za-z]*'/);
  },
);
