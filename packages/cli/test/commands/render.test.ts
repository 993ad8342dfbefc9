import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMesh } from '@gradsim/mesh';
import { expect, it } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

it('gradsim render writes a film, or PNGs into a folder', async () => {
  const folder = temporaryFolder();
  const film = join(folder, 'mote.gif');
  const { code, stderr } = await gradsim(['render', FALLING_MOTE, '--device', 'cpu', '--out', film]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [`Wrote 24 frames of 24 x 24 to ${film}.`] });
  expect(readFileSync(film).subarray(0, 6).toString()).toBe('GIF89a');
  await gradsim(['render', FALLING_MOTE, '--device', 'cpu', '--out', join(folder, 'frames')]);
  expect(readdirSync(join(folder, 'frames'))).toHaveLength(24);
});

it('gradsim render writes what moves as an animated glTF', async () => {
  const folder = temporaryFolder();
  const experiment = join(folder, 'drop.ts');
  writeFileSync(
    experiment,
    `import { buildModel, createScene } from '@gradsim/core';
    import { box } from '@gradsim/mesh';
    import { Body, rigid } from '@gradsim/rigid';
    const scene = createScene([rigid()]);
    scene.add(Body, { mesh: box(), mass: 1, position: [0, 2, 0] }, 'the box');
    const model = buildModel(scene);
    export default {
      name: 'drop', description: '', stages: () => [],
      motion: () => ({ model, frames: 5, frameRate: 10, substeps: 4, values: { 'bodies.position': [3, 2, 0] } }),
    };`,
  );
  const out = join(folder, 'new', 'drop.glb');
  const { code, stderr } = await gradsim(['render', experiment, '--device', 'cpu', '--out', out]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [`Wrote 5 frames of 1 mesh to ${out}.`] });
  expect(readdirSync(join(folder, 'new'))).toEqual(['drop.glb']);
  const { positions } = await readMesh(out);
  expect([positions[0], positions[1]].map(Math.abs)).toEqual([2.5, 1.5]);
});

it('refuses what is there already, a format that is none, and an experiment that cannot be rendered', async () => {
  const folder = temporaryFolder();
  const refusal = async (file: string, out: string): Promise<string> => {
    const { code, stderr } = await gradsim(['render', file, '--out', join(folder, out)]);
    expect(code).toBe(1);
    return stderr.join('\n');
  };
  writeFileSync(join(folder, 'old.gif'), 'old');
  writeFileSync(
    join(folder, 'plain.ts'),
    'export default { name: "plain", description: "", stages: () => [] };',
  );
  expect(await refusal(FALLING_MOTE, 'old.gif')).toMatch(/old\.gif is there already; .*--force/);
  expect(await refusal(FALLING_MOTE, 'film.avi')).toMatch(
    /film\.avi is nothing that can be written: end it in \.mp4.* for a film, in \.glb for a scene/,
  );
  expect(await refusal(join(folder, 'plain.ts'), 'plain.gif')).toMatch(/"plain" has no render function/);
  expect(await refusal(join(folder, 'plain.ts'), 'plain.glb')).toMatch(/"plain" has no motion function/);
  expect(readdirSync(folder).sort()).toEqual(['old.gif', 'plain.ts']);
});
