import { f64Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { gravity, motesModel, RUN, seenBy } from '../motes.ts';

const model = motesModel();
const normal = normalNumbers(randomNumbers(7));

it.each([
  ['the first frame', 0],
  ['a later frame', 2],
])('residuals are in units of the noise of their frame, of which %s has half', async (_, half) => {
  const target = (await seenBy(model)).map((x) => x + 0.02 * normal());
  const residualsWith = async (noiseOf: (frame: number) => number): Promise<readonly number[]> => {
    const noise = Array.from({ length: RUN.frames }, (_, frame) => noiseOf(frame));
    const observations = [{ field: 'motes.seen', target, noise }];
    const { fit } = await estimate({ model, ...RUN, parameters: [gravity], observations }, { device: f64Device() });
    return fit!.observations[0].residuals;
  };
  const even = await residualsWith(() => 2);
  const uneven = await residualsWith((frame) => (frame === half ? 1 : 2));
  for (const [frame, residual] of uneven.entries())
    expect(residual / even[frame] / (frame === half ? 2 : 1)).toBeCloseTo(1, 1);
});
