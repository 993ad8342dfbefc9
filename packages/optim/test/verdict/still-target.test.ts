import { buildModel, column, createScene, defineComponent, definePlugin, f32, f64Device, kernel } from '@gradsim/core';
import type { Estimate, Observation, ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { Mote, motes } from '../motes.ts';

// Targets that stand still, as those of a tracker that stopped.
const SPEED: ParameterSpec = { name: 'vy', field: 'motes.velocity', component: 1, initial: 0 };

/** Estimate of the upward velocity of a thrown mote. */
function thrown(frames: number, target: (k: number) => number, rest: Partial<Observation> = {}): Promise<Estimate> {
  const scene = createScene([motes]);
  scene.add(Mote, { position: [0, 1, 0], drag: 0 });
  const values = Float64Array.from({ length: 3 * frames }, (_, k) => target(k));
  const observations = [{ field: 'motes.seen', target: values, ...rest }];
  const run = { frames, frameRate: 30, substeps: 4 };
  return estimate({ model: buildModel(scene), ...run, parameters: [SPEED], observations }, { device: f64Device() });
}

/** Estimate of the height and width of a post, which rests, from a target that rests. */
function standing(target: readonly number[]): Promise<Estimate> {
  const Post = defineComponent('posts', { height: column(f32), width: column(f32) });
  const fields = { height: f32, width: f32 };
  const look = kernel('look', { domain: 'posts', reads: fields, writes: { seen: f32 } }, ({ height, width }) => ({
    seen: height.add(width),
  }));
  const posts = definePlugin({
    name: 'posts',
    contract: 1,
    components: [Post],
    build: ({ model }) => {
      model.addField('posts', 'seen', f32);
      model.addPass('observe', look);
    },
  });
  const scene = createScene([posts]);
  for (const width of [1, 2]) scene.add(Post, { height: 0, width });
  return estimate(
    {
      model: buildModel(scene),
      frames: 8,
      frameRate: 30,
      substeps: 1,
      parameters: [{ name: 'height', field: 'posts.height', initial: 0.5 }],
      observations: [{ field: 'posts.seen', target: Float64Array.from({ length: 16 }, (_, k) => target[k % 2]) }],
    },
    { device: f64Device() },
  );
}
const critical = ({ verdict }: Estimate, wanted: string): string[] =>
  verdict.findings.flatMap(({ kind, isCritical, note }) => (kind === wanted && isCritical ? [note] : []));

it.each([4, 60])('a target of zeros in %i frames, while the model flies, is not trusted', async (frames) => {
  const result = await thrown(frames, () => 0);
  expect(critical(result, 'still target')).toEqual([
    expect.stringMatching(
      /^The target of motes\.seen does not change, and the model's changes by [\d.]+: did the tracker or the camera stop\?$/,
    ),
  ]);
});

it('a target that only scatters is not trusted either, with its noise given or not', async () => {
  const normal = normalNumbers(randomNumbers(seedOfRun('still target', 5)));
  for (const rest of [{}, { noise: 1e-3 }])
    expect(critical(await thrown(30, () => 1e-3 * normal(), rest), 'still target')).toHaveLength(1);
});

it('a model that rests where its target rests is trusted', async () => {
  const { verdict, parameters } = await standing([4, 5]);
  expect(parameters.height.estimate).toBeCloseTo(3, 10);
  expect(verdict.trusted).toBe(true);
});

it('a model at rest that differs from a target at rest without any change is not trusted', async () => {
  expect(critical(await standing([7, 7]), 'beyond noise')).toHaveLength(1);
});
