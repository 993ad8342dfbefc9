import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMesh } from '@gradsim/mesh';
import { inspectFilm, readFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

it('gradsim render writes a GIF, or a PNG per frame into a folder', async () => {
  const folder = temporaryFolder();
  const film = join(folder, 'mote.gif');
  const { code, stderr } = await gradsim(['render', FALLING_MOTE, '--device', 'cpu', '--out', film]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: [`Wrote 24 frames of 24 x 24 to ${film}.`] });
  expect(readFileSync(film).subarray(0, 6).toString()).toBe('GIF89a');
  await gradsim(['render', FALLING_MOTE, '--device', 'cpu', '--out', join(folder, 'frames')]);
  expect(readdirSync(join(folder, 'frames'))).toHaveLength(24);
});

it('gradsim render writes a motion as an animated glTF', async () => {
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

it('gradsim render --stage shows a stage at the true values, close to the pictures of its estimate', async () => {
  const folder = temporaryFolder();
  const pngs = join(folder, 'stage');
  const { code, stderr } = await gradsim([
    ...['render', FALLING_MOTE, '--device', 'cpu', '--stage', 'fall', '--out', pngs],
  ]);
  expect(code).toBe(0);
  expect(stderr.at(-1)).toMatch(/^Wrote 24 frames of 24 x 24/);
  const shown = await readFrames(join(pngs, '%04d.png'), { channels: 3, frameRate: 24 });
  // In results the second picture is the estimate's: as close to the truth as noise allows.
  const out = join(folder, 'results');
  await gradsim(['estimate', FALLING_MOTE, '--device', 'cpu', '--out', out, '--quiet']);
  await gradsim(['render', out, '--compare', '--out', join(folder, 'compared')]);
  const compared = await readFrames(join(folder, 'compared', '%04d.png'), { channels: 3, frameRate: 24 });
  let [off, light] = [0, 0];
  for (let k = 0; k < shown.data.length; k++) {
    const [row, within] = [Math.floor(k / (24 * 3)), k % (24 * 3)];
    off += Math.abs(shown.data[k] - compared.data[row * 72 * 3 + 24 * 3 + within]);
    light += shown.data[k];
  }
  expect(light).toBeGreaterThan(100);
  expect(off).toBeLessThan(0.05 * light);
});

describe('gradsim render --compare', () => {
  it('writes target, estimate and difference side by side, from results', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'results');
    const settings = ['--set', 'stages=2', '--quiet', '--seed', '3'];
    await gradsim(['estimate', FALLING_MOTE, '--device', 'cpu', '--out', out, ...settings]);
    const { code, stderr } = await gradsim(['render', out, '--compare']);
    const film = join(out, 'comparison.gif');
    const said = `Wrote 24 frames of 72 x 24 to ${film}: target, estimate, difference × 20.`;
    expect({ code, stderr }).toEqual({ code: 0, stderr: [said] });
    expect((await inspectFilm(film)).frameCount).toBe(24);
    const pngs = join(folder, 'pngs');
    await gradsim(['render', out, '--compare', '--stage', 'first', '--out', pngs]);
    const { data, width, height } = await readFrames(join(pngs, '%04d.png'), { channels: 3, frameRate: 24 });
    expect([width, height, data.length]).toEqual([72, 24, 72 * 24 * 3 * 24]);
    // The third picture is the difference of the others, brightened: in steps of 1/255 there, of 20/255 here.
    for (let pixel = 0; pixel < 72 * 24 * 24; pixel++) {
      if (pixel % 72 >= 24) continue;
      const [target, estimate, difference] = [0, 24, 48].map((x) => data[3 * (pixel + x)]);
      expect(Math.abs(difference - Math.min(1, 20 * Math.abs(target - estimate)))).toBeLessThan(22 / 255);
    }
  });

  it('refuses a folder without results or pictures, an unknown stage, and options or formats that do not apply', async () => {
    const folder = temporaryFolder();
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await gradsim(['render', ...args]);
      expect(code).toBe(1);
      return stderr.join('\n');
    };
    expect(await refusal(folder, '--compare')).toMatch(
      /result\.json is not there: --compare takes the folder that gradsim estimate has written/,
    );
    const pictures = {
      file: 'frames-1.png',
      width: 1,
      height: 1,
      frames: [0],
      columns: 1,
      seconds: [1],
      gain: 1,
    };
    const results = (stages: object[]): void => writeFileSync(join(folder, 'result.json'), JSON.stringify({ stages }));
    results([{ stage: 'mass' }]);
    expect(await refusal(folder, '--compare')).toMatch(/have no frames to compare: no stage .* strip function/);
    results([{ stage: 'mass', pictures }]);
    expect(await refusal(folder, '--compare', '--stage', 'contact')).toMatch(
      /No stage "contact" with frames is in .*; there is mass\./,
    );
    expect(await refusal(folder, '--compare', '--video', 'a.mp4', '--set', 'a=b')).toMatch(
      /--compare shows results that are there, so leave out --video, --set\./,
    );
    expect(await refusal(folder, '--compare', '--out', join(folder, 'a.glb'))).toMatch(/a\.glb is nothing that/);
    expect(await refusal(FALLING_MOTE, '--stage', 'rise', '--out', join(folder, 'rise.gif'))).toMatch(
      /has no stage "rise" with a strip; there is fall/,
    );
    expect(await refusal(FALLING_MOTE, '--stage', 'fall', '--out', join(folder, 'fall.glb'))).toMatch(/Leave it out/);
  });
});

it('gradsim render refuses existing files, unknown formats, and an experiment that cannot be rendered', async () => {
  const folder = temporaryFolder();
  const refusal = async (file: string, out: string): Promise<string> => {
    const { code, stderr } = await gradsim(['render', file, '--out', join(folder, out)]);
    expect(code).toBe(1);
    return stderr.join('\n');
  };
  writeFileSync(join(folder, 'old.gif'), 'old');
  writeFileSync(join(folder, 'plain.ts'), 'export default { name: "plain", description: "", stages: () => [] };');
  expect(await refusal(FALLING_MOTE, 'old.gif')).toMatch(/old\.gif is there already\. .*--force/);
  expect(await refusal(FALLING_MOTE, 'film.avi')).toMatch(
    /film\.avi is nothing that can be written\. End it in \.mp4.* for a film, in \.glb for a scene/,
  );
  expect(await refusal(join(folder, 'plain.ts'), 'plain.gif')).toMatch(
    /"plain" cannot be rendered: it has no render function, and no stage has a strip/,
  );
  expect(await refusal(join(folder, 'plain.ts'), 'plain.glb')).toMatch(/"plain" has no motion function/);
  expect(readdirSync(folder).sort()).toEqual(['old.gif', 'plain.ts']);
});
