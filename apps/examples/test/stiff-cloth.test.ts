import { cpuDevice } from '@gradsim/core';
import stiffCloth from '@gradsim/examples/stiff-cloth';
import { expect, it } from 'vitest';

const contextOf = (settings: Record<string, string>) => ({ device: cpuDevice(), settings, log: () => {} });

it('the experiment of a stiff flag refuses invalid settings by name', async () => {
  await expect(stiffCloth.stages(contextOf({ frames: '3' }))).rejects.toThrow(/stiff-cloth has no setting "frames"/);
  await expect(stiffCloth.stages(contextOf({ steps: 'both' }))).rejects.toThrow(
    /steps is "both"; it is one of implicit, explicit/,
  );
  await expect(stiffCloth.stages(contextOf({ size: '8' }))).rejects.toThrow(/size is "8"/);
});
