import { fileURLToPath } from 'node:url';
import { cpuDevice, createSimulation } from '@gradsim/core';
import { rendererOf, SOFT_KINDS, tossModel } from '@gradsim/examples';
import { estimate } from '@gradsim/optim';
import { Pixel } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { afterAll, describe, expect, it } from 'vitest';
import ballDrop from '../src/ball-drop.ts';
import softMass from '../src/soft-mass.ts';
import { SAMPLE } from '../src/toss/scene.ts';
import toss from '../src/toss.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());
const points = fileURLToPath(new URL('./fixtures/points.js', import.meta.url));
const TIMELINE = { frames: 8, frameRate: 30, substeps: 16 };

describe('the setting `renderer`', () => {
  const renderers = [
    ['softras', 'softras'],
    ['dibr', 'dibr'],
    ['a file', points],
  ];
  it.each(renderers)('finds the mass of a toss to 1e-5 from pictures by %s', async (_, name) => {
    // Outlines soft enough that they overlap from where the search starts.
    const picture = { softness: 1e-3, renderer: await rendererOf(name) };
    const model = tossModel({ ...SAMPLE, size: 24 }, picture);
    const film = await createSimulation(model, { device, ...TIMELINE, record: [Pixel.rgba] });
    film.forward();
    const target = await film.readFrames(Pixel.rgba);
    film.dispose();
    const found = await estimate(
      {
        model,
        ...TIMELINE,
        parameters: [{ name: 'mass', field: Body.mass, transform: 'log', initial: 2 }],
        observations: [{ field: Pixel.rgba, target }],
      },
      { device },
    );
    // Pixels are rounded at 3e-8, and a relative change of the mass moves them by about 0.1.
    expect(Math.abs(found.parameters.mass.estimate / SAMPLE.mass - 1)).toBeLessThan(1e-5);
  });

  it('is accepted by the toss and by all soft bodies', async () => {
    for (const name of ['dibr', points])
      for (const { draw } of Object.values(SOFT_KINDS)) {
        const { model } = draw(1, { size: 8, renderer: await rendererOf(name) });
        expect(model.field('pixels.rgba').components).toBe(4);
      }
    const [stage] = await toss.stages({ device, settings: { renderer: 'dibr' }, log: () => {} });
    expect(stage.problem.model.fields.has('pixels.shown')).toBe(true);
  });

  it('is refused if it names no renderer, and so is a misspelt name of the setting', async () => {
    await expect(rendererOf('dib')).rejects.toThrow(
      'The setting renderer is "dib"; it is one of softras, dibr, or the path of a module, such as ./points.ts.',
    );
    await expect(rendererOf('./nothing.ts')).rejects.toThrow(/"\.\/nothing\.ts", but there is no file .*nothing\.ts/);
    await expect(rendererOf(fileURLToPath(new URL('./fixtures/small-toss.ts', import.meta.url)))).rejects.toThrow(
      'its default export is no function',
    );
    for (const experiment of [toss, softMass, ballDrop])
      await expect(
        (async () => experiment.stages({ device, settings: { rendrer: 'dibr' }, log: () => {}, video: 'x' }))(),
      ).rejects.toThrowCode({ code: 'optim/unknown-setting', values: [experiment.name, '"rendrer"'] });
  });
});
