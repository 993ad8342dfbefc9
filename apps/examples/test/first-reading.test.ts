// What a reader of an experiment is promised: model, unknowns and what was seen in under 60 lines, without pixels and tiles,
// with fields by reference.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../src');
const experiments = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
  .filter(({ text }) => text.includes('export default defineExperiment'));

it('more than 25 experiments are found in the source folder', () => {
  expect(experiments.length).toBeGreaterThan(25);
});

it.each(experiments)('$name has fewer than 60 lines, no raw pixels, and no fields named by text', ({ text }) => {
  expect(text.trimEnd().split('\n').length).toBeLessThan(60);
  expect(text).not.toMatch(/\b(toRows|fromRows|pixelIndex|createSimulation|readFrames)\b/);
  // A key such as bodies.mass, as a text of its own or made of a template.
  expect(text).not.toMatch(/['`][a-z][A-Za-z]*\.([a-z][A-Za-z]*['`]|\$\{)/);
});
