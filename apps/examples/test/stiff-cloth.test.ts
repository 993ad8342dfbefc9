import { cpuDevice } from '@gradsim/core';
import stiffCloth from '@gradsim/examples/stiff-cloth';
import { expect, it } from 'vitest';

const contextOf = (settings: Record<string, string>) => ({ device: cpuDevice(), settings, log: () => {} });

it('the experiment of a stiff flag refuses invalid settings by name', async () => {
  await expect(stiffCloth.stages(contextOf({ frames: '3' }))).rejects.toThrowCode({
    code: 'optim/unknown-setting',
    values: ['"frames"', 'stiff-cloth'],
  });
  await expect(stiffCloth.stages(contextOf({ steps: 'both' }))).rejects.toThrowCode({
    code: 'optim/setting-value',
    values: ['"both"', 'implicit, explicit'],
  });
  await expect(stiffCloth.stages(contextOf({ size: '8' }))).rejects.toThrowCode({
    code: 'optim/setting-value',
    values: ['"8"'],
  });
});
