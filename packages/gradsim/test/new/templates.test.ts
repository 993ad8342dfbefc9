// A promise to users who open their experiment: model, unknowns and observations in under 100 lines, with fields by
// reference.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KINDS } from '../../src/new/kinds.ts';

const templates = [...Object.keys(KINDS).map((kind) => `${kind}/${kind}.ts`), 'shared/film.ts'];

it.each(templates)('template %s has under 100 lines, and no field names in quotes', (name) => {
  const text = readFileSync(new URL(`../../template/${name}`, import.meta.url), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThan(100);
  // A key such as bodies.mass.
  expect(text).not.toMatch(/'[a-z][A-Za-z]*\.[a-z][A-Za-z]*'/);
});
