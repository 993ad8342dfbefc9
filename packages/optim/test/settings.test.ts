import { f64Device } from '@gradsim/core';
import type { SettingsContext, SettingValues, Stage } from '@gradsim/optim';
import { choiceSetting, defineExperiment, numberSetting, textSetting, wholeSetting } from '@gradsim/optim';
import { describe, type ExpectedError, expect, expectTypeOf, it } from 'vitest';

const SETTINGS = {
  size: wholeSetting(48, { least: 16 }),
  penalty: numberSetting(0, { least: 0 }),
  steps: choiceSetting(['implicit', 'explicit']),
  mesh: textSetting,
  later: { read: (text: string | undefined, what: string) => Promise.resolve(`${what}: ${text ?? 'nothing'}`) },
};
type Values = SettingsContext<SettingValues<typeof SETTINGS>>['settings'];
let seen: Values | undefined;
const experiment = defineExperiment({
  name: 'fall',
  description: 'It falls.',
  settings: SETTINGS,
  film: 'own',
  stages: (context): Stage[] => {
    seen = context.settings;
    return [];
  },
});
const read = async (settings: Record<string, string>, video?: string): Promise<Values> => {
  await experiment.stages({ device: f64Device(), settings, log: () => {}, ...(video ? { video } : {}) });
  return seen!;
};

describe('the settings of an experiment', () => {
  it('are converted from texts before its stages are made, or take their defaults', async () => {
    expect(await read({})).toEqual({
      size: 48,
      penalty: 0,
      steps: 'implicit',
      mesh: undefined,
      later: 'The setting later: nothing',
    });
    expect(await read({ size: '16', penalty: '0.5', steps: 'explicit', mesh: 'a.obj', later: 'x' })).toEqual({
      size: 16,
      penalty: 0.5,
      steps: 'explicit',
      mesh: 'a.obj',
      later: 'The setting later: x',
    });
    expectTypeOf<Values['steps']>().toEqualTypeOf<'implicit' | 'explicit'>();
    expectTypeOf<Values['mesh']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Values['later']>().toEqualTypeOf<string>();
  });

  it.each<[Record<string, string>, ExpectedError]>([
    [{ siz: '20' }, { code: 'optim/unknown-setting', values: ['"siz"', 'fall'] }],
    [{ size: '8' }, { code: 'optim/setting-value', values: ['"8"', 16] }],
    [{ size: '20.5' }, { code: 'optim/setting-value', values: ['"20.5"', 16] }],
    [{ size: ' ' }, { code: 'optim/setting-value', values: ['" "', 16] }],
    [{ penalty: '-1' }, { code: 'optim/setting-value', values: ['"-1"', 0] }],
    [{ penalty: 'Infinity' }, { code: 'optim/setting-value', values: ['"Infinity"', 0] }],
    [{ size: 20 as unknown as string }, { code: 'base/wrong-type', values: ['size', 20, 'text'] }],
    [{ steps: 'both' }, { code: 'optim/setting-value', values: ['"both"', 'steps', 'implicit, explicit'] }],
  ])('are refused if invalid: %o', async (settings, expected) => {
    await expect(read(settings)).rejects.toThrowCode(expected);
  });

  it("do not allow a video if the film is the experiment's own", async () => {
    await expect(read({}, 'a.webm')).rejects.toThrowCode({ code: 'optim/film-not-taken', values: ['--video', 'fall'] });
  });

  it('are optional: without them, defineExperiment returns the experiment as it is', async () => {
    const plain = { name: 'plain', description: '', stages: () => [] };
    expect(defineExperiment(plain)).toBe(plain);
  });
});
