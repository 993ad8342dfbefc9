import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { column, createScene, defineComponent, definePlugin, f32 } from '@gradsim/core';
import { expect, it } from 'vitest';
import { uncovered } from '../src/coverage.ts';
import { root } from '../src/packages.ts';
import { fieldsPage } from '../src/page.ts';

const { text, lacks } = await fieldsPage();

it('docs/reference/fields.md matches the plugins; `npm run docs` rewrites it', () => {
  expect(readFileSync(join(root, 'docs/reference/fields.md'), 'utf8')).toBe(text);
});

it('fields.md lists every exported plugin and component', () => {
  expect(lacks).toEqual([]);
});

it('a plugin or component that is in no scene of fields.md is reported', () => {
  const Mote = defineComponent('motes', { mass: column(f32) });
  const motes = definePlugin({ name: 'motes', contract: 1, components: [Mote] });
  const packages = [
    { name: 'motes', entries: [], plugins: ['motes', 'dust'], components: new Map(), fields: new Map() },
  ];
  const exported = new Map([[Mote, { name: 'Mote' }]]);
  const scene = createScene([motes]);
  expect(uncovered(packages, [scene], exported)).toEqual([
    'motes exports the plugins motes, dust; scenes register 1 of them.',
    'No scene has an entity of the component Mote.',
  ]);
  scene.add(Mote, { mass: 1 });
  expect(uncovered(packages.slice(1), [scene], exported)).toEqual([]);
});
