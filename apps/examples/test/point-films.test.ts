import { cpuDevice } from '@gradsim/core';
import { MOTION as drop } from '@gradsim/examples/drop';
import { MOTION as heap } from '@gradsim/examples/heap';
import { MOTION as jelly } from '@gradsim/examples/jelly';
import { filmStageOf } from '@gradsim/examples/material-points/stage';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

describe('material points', () => {
  it.each([jelly, heap, drop])(
    'have their $parameter.name found from a film that another renderer drew',
    async (motion) => {
      const device = cpuDevice();
      const { problem } = await filmStageOf(motion, 1, device);
      const found = await estimate(problem, { device });
      const { name, truth } = motion.parameter;
      const { estimate: value, standardError } = found.parameters[name];
      console.info(`${name}: ${value} +- ${standardError}, truth ${truth}`);
      expect(Math.abs(value - truth)).toBeLessThan(2 * standardError!);
      expect(standardError!).toBeLessThan(0.1 * truth);
      device.dispose();
    },
  );
});
