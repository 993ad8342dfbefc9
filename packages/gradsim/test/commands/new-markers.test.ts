// A soft body from markers on it, from the outside: what is written makes a problem. Its estimate is that of @gradsim/recordings/markers.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cpuDevice } from '@gradsim/core';
import { box, writeMesh } from '@gradsim/mesh';
import { expect, it, onTestFinished } from 'vitest';
import { gradsim } from '../support.ts';

const PLACES = { tip: [0.05, 0, 0.02], side: [0.05, 0.02, 0], back: [0.03, 0, 0.018] };

it('writes an experiment for markers on a beam, whose clamp, places and load are as given', async () => {
  const folder = mkdtempSync(fileURLToPath(new URL('../../.new-markers-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), join(folder, 'node_modules/gradsim'), 'junction');
  const [mesh, markers] = [join(folder, 'beam.stl'), join(folder, 'markers.csv')];
  await writeMesh(mesh, box({ size: [0.1, 0.03, 0.03] }));
  const rows = Array.from({ length: 50 }, (_, f) =>
    Object.entries(PLACES).map(([name, [x, y, z]]) => [f / 100, name, x, y, z - Math.max(0, f - 30) * 1e-3].join(',')),
  );
  writeFileSync(markers, ['time,marker,x,y,z', ...rows.flat()].join('\n'));
  const places = Object.entries(PLACES)
    .map(([name, at]) => [name, ...at].join(' '))
    .join('; ');
  const settings = {
    places,
    density: 1000,
    load: 0.05,
    loadAt: '0.05,0,0.015',
    law: 'arm',
    modulus: 3e4,
    seconds: 0.1,
  };
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  const out = join(folder, 'made');
  const given = ['--markers', markers, '--mesh', mesh, '--clamp', 'x<-0.049'];
  const model = join(folder, 'beam.xml');
  expect((await gradsim(['new', 'markers', ...given, ...set, '--out', out, '--export', model])).stderr).toEqual([]);

  const { default: experiment } = await import(pathToFileURL(join(out, 'markers.ts')).href);
  const [{ problem, notes }] = await experiment.stages({ device: cpuDevice({ threads: 1 }), log: () => undefined });
  const names = problem.parameters.map(({ name }: { name: string }) => name);
  expect(names.slice(0, 4)).toEqual(['youngsModulus', 'dashpot', 'armRatio', 'relaxationTime']);
  expect(names.at(-1)).toContain('release of');
  expect(Math.max(...problem.values['particles.mass'])).toBe(0.05);
  const found = { youngsModulus: { estimate: 41234, standardError: 321, unit: 'Pa' } };
  expect(await notes({ parameters: found })).toEqual(["MuJoCo's model of the body: ../beam.xml"]);
  expect(readFileSync(model, 'utf8')).toContain('youngsModulus 41234 Pa, standard error 3.2e+2');

  const other = await gradsim(['new', 'markers', ...given, ...set, '--export', 'beam.glb', '--out', `${out}-glb`]);
  expect(other.stderr.join('\n')).toContain('ends in .xml');
  const none = await gradsim(['new', 'markers', '--markers', markers, '--set', 'density=1']);
  for (const option of ['--mesh FILE', '--clamp SIDE', '--set places=...'])
    expect(none.stderr.join('\n')).toContain(option);
});
