import { cpuDevice } from '@gradsim/core';
import { afterAll, describe, expect, it } from 'vitest';
import { bothWays } from '../../../packages/core/test/support/watched.ts';
import { SCENES } from '../src/support/scenes.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.dispose());

describe('sharing memory between temporaries', () => {
  it.each(Object.entries(SCENES))('%s: takes less memory, and needs no more barriers', async (_, make) => {
    const { model, settings } = make();
    const { ours, apart, waits } = await bothWays(model, { device, memory: 64e6, ...settings });
    expect(waits.ours).toEqual(waits.apart);
    expect(ours.memoryUse().scratch).toBeLessThan(apart.memoryUse().scratch);
    ours.dispose();
    apart.dispose();
  });
});
