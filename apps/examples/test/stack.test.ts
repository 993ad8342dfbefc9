import { cpuDevice } from '@gradsim/core';
import stack from '@gradsim/examples/stack';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';

const contextOf = (settings: Record<string, string>) => ({ device: cpuDevice(), settings, log: () => {} });

describe('a ball that topples a stack', () => {
  const films = [
    [{ size: '32' }, 1e-4],
    [{ size: '32', renderer: 'dibr' }, 1e-4],
    [{ size: '48', observe: 'png' }, 5e-3],
  ] as const;
  for (const [settings, allowed] of films)
    it(`has its mass and friction found from a film: ${JSON.stringify(settings)}`, async () => {
      const context = contextOf(settings);
      const [stage] = await stack.stages(context);
      const found = await estimate(stage.problem, { device: context.device });
      const truths = Object.fromEntries(stage.problem.parameters!.map(({ name, truth }) => [name, truth!]));
      for (const [name, { estimate: value }] of Object.entries(found.parameters)) {
        const error = Math.abs(value / truths[name] - 1);
        console.info(`${name}: ${value}, off by ${error.toExponential(2)}`);
        expect(error).toBeLessThan(allowed);
      }
      expect(stage.strip!(found)).toMatchObject({ width: Number(settings.size) });
    });

  it('refuses invalid settings by name', async () => {
    await expect(stack.stages(contextOf({ frames: '3' }))).rejects.toThrowCode({
      code: 'optim/unknown-setting',
      values: ['"frames"', 'stack'],
    });
    await expect(stack.stages(contextOf({ observe: 'jpg' }))).rejects.toThrowCode({
      code: 'optim/setting-value',
      values: ['"jpg"', 'film, png'],
    });
  });
});
