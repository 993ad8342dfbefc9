import { cpuDevice, createSimulation, f32, f64Device, fieldOn, index, kernel, Model, vec3 } from '@gradsim/core';
import { describe, expect, it } from 'vitest';

/** Number of elements of the domain `arrows`. */
const ARROWS = 7;
/** Number of elements of the domain `points`. */
const POINTS = 5;

const stretch = kernel(
  'stretch',
  { domain: 'arrows', reads: { scale: f32, along: vec3 }, writes: { tip: vec3 } },
  ({ scale, along }) => ({ tip: along.mul(scale).mul(scale) }),
);

const follow = kernel(
  'follow',
  { domain: 'points', reads: { arrow: index('arrows'), tip: fieldOn('arrows', vec3) }, writes: { place: vec3 } },
  ({ arrow, tip }) => {
    const { x, y, z } = tip.at(arrow);
    return { place: vec3(x.mul(y), y.mul(z), z.add(x)) };
  },
);

async function run(componentsTogether: boolean, worlds: number, record: string[], device = f64Device()) {
  const model = new Model();
  model.addDomain('arrows', ARROWS, { elementsTogether: true, componentsTogether });
  model.addDomain('points', POINTS);
  const numbers = (count: number, step: number): number[] =>
    Array.from({ length: count }, (_, k) => Math.sin(1 + k * step));
  model.addField('arrows', 'scale', f32, { values: numbers(ARROWS, 0.7) });
  model.addField('arrows', 'along', vec3, { values: numbers(3 * ARROWS, 1.3) });
  model.addIndex('points', 'arrow', 'arrows', 1, [6, 2, 2, 0, 5]);
  model.addPass('pose', stretch);
  model.addPass('render', follow);
  const parameters = ['arrows.scale', 'arrows.along'];
  const settings = { frames: 2, frameRate: 1, substeps: 1, worlds, parameters };
  const simulation = await createSimulation(model, { ...settings, device, record });
  simulation.forward();
  const places = await simulation.readFrames('points.place');
  simulation.backward({ 'points.place': places.map((_, k) => Math.cos(k)) });
  const gradients = await Promise.all(parameters.map((key) => simulation.gradient(key)));
  if (componentsTogether && worlds === 1 && record.includes('arrows.tip')) {
    await expect(simulation.readRecord('arrows.tip')).rejects.toThrowCode('core/not-readable-so');
  }
  const tips = record.includes('arrows.tip') ? await simulation.readFrames('arrows.tip') : [];
  simulation.dispose();
  return [places, ...gradients, tips];
}

describe('a domain that keeps vector components together in memory', () => {
  for (const [name, device] of [
    ['f64', f64Device],
    ['cpu', cpuDevice],
  ] as const) {
    for (const worlds of [1, 3]) {
      for (const record of [['points.place'], ['points.place', 'arrows.tip']]) {
        it(`gives the same bits as one that does not: ${name}, ${worlds} worlds, ${record.join(' and ')} recorded`, async () => {
          const apart = await run(false, worlds, record, device());
          expect(apart[0].some((v) => v !== 0)).toBe(true);
          expect(await run(true, worlds, record, device())).toEqual(apart);
        });
      }
    }
  }
});
