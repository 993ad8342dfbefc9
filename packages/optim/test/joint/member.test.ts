import { f64Device } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { JointRecording } from '../../src/joint/member.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';

it('estimation over several recordings refuses an unknown of several values as a shared one, before it creates a simulation', async () => {
  let opened = 0;
  const f64 = f64Device();
  const device: typeof f64 = {
    ...f64,
    dispose: () => f64.dispose(),
    createExecutor: (spec) => {
      opened++;
      return f64.createExecutor(spec);
    },
  };
  const problem = motesProblem(await seenBy(motesModel()), {
    parameters: [],
    arrays: [{ name: 'velocity', field: 'motes.velocity', initial: 0 }],
    options: { search: { method: 'adam', iterations: 1 } },
  });
  const alone = await estimate(problem, { device });
  expect(opened).toBeGreaterThan(0);
  opened = 0;
  await expect(JointRecording.open(problem, alone, ['velocity'], { device })).rejects.toThrowCode({
    code: 'optim/wrong-size',
    field: 'velocity',
    values: [6],
  });
  expect(opened).toBe(0);
});
