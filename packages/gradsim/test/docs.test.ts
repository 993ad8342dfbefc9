import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testPages } from '../../contact/test/pages.ts';

const { exports }: { exports: Record<string, unknown> } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const parts = Object.keys(exports)
  .filter((entry) => entry !== '.' && entry !== './package.json')
  .map((entry) => entry.slice('./'.length));
const modules = await Promise.all(
  parts.map(
    async (part): Promise<[string, object]> => [`gradsim/${part}`, await import(/* @vite-ignore */ `gradsim/${part}`)],
  ),
);

/** Documentation pages whose code is run. */
const RUN = [
  'docs/guide/acts.md',
  'docs/guide/control.md',
  'docs/guide/gradients.md',
  'docs/guide/plugin.md',
  'docs/guide/robot.md',
  'docs/guide/running.md',
  'docs/guide/start.md',
  'docs/guide/study.md',
  'docs/reference/simulation.md',
  'packages/gradsim/README.md',
];
/** Guides whose code is not run here, with the reason. */
const NOT_RUN = {
  'docs/guide/camera.md': 'reads a film',
  'docs/guide/dataset.md': 'reads a dataset; tests of lab/dataset do so',
  'docs/guide/film.md': 'has commands alone',
  'docs/guide/kind.md': 'reads a film; a test of gradsim new runs it',
  'docs/guide/poses.md': 'has commands alone; the test of gradsim new body runs them',
  'docs/guide/markers.md': 'has commands alone; the test of gradsim new markers runs the first',
  'docs/guide/page.md': 'draws; lab/page runs its estimation in Chromium',
  'docs/guide/queue.md': 'has commands alone',
  'docs/guide/studio.md': 'has commands alone',
};

it('every guide is listed as run by a test, or as not run, with a reason', () => {
  const guides = readdirSync(new URL('../../../docs/guide', import.meta.url)).map((name) => `docs/guide/${name}`);
  expect(guides.filter((guide) => !RUN.includes(guide) && !(guide in NOT_RUN))).toEqual([]);
});

testPages(RUN, Object.fromEntries(modules));
