import { f64Device } from '@gradsim/core';
import type { SettingValues, SettledContext, Stage } from '@gradsim/optim';
import { choiceSetting, defineExperiment, numberSetting, textSetting, wholeSetting } from '@gradsim/optim';
import { describe, expect, expectTypeOf, it } from 'vitest';

const SETTINGS = {
  size: wholeSetting(48, { least: 16 }),
  penalty: numberSetting(0, { least: 0 }),
  steps: choiceSetting(['implicit', 'explicit']),
  mesh: textSetting,
  later: { read: (text: string | undefined, what: string) => Promise.resolve(`${what}: ${text ?? 'nothing'}`) },
};
type Values = SettledContext<SettingValues<typeof SETTINGS>>['settings'];
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
  it('are read before its functions are called, or take their defaults', async () => {
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

  it.each<[Record<string, string>, string]>([
    [{ siz: '20' }, 'The experiment fall has no setting "siz"; it has size, penalty, steps, mesh and later.'],
    [{ size: '8' }, 'The setting size is "8"; it is a whole number of at least 16.'],
    [{ size: '20.5' }, 'The setting size is "20.5"; it is a whole number of at least 16.'],
    [{ size: ' ' }, 'The setting size is " "; it is a whole number of at least 16.'],
    [{ penalty: '-1' }, 'The setting penalty is "-1"; it is a number of at least 0.'],
    [{ penalty: 'Infinity' }, 'The setting penalty is "Infinity"; it is a number of at least 0.'],
    [{ steps: 'both' }, 'The setting steps is "both"; it is one of implicit, explicit.'],
  ])('are refused if invalid: %o', async (settings, message) => {
    await expect(read(settings)).rejects.toThrow(message);
  });

  it("combine with a film of the experiment's own, which cannot be replaced", async () => {
    await expect(read({}, 'a.webm')).rejects.toThrow('The experiment fall makes its own film, and takes no --video');
  });

  it('are the given texts if the experiment declares none', async () => {
    const plain = { name: 'plain', description: '', stages: () => [] };
    expect(defineExperiment(plain)).toBe(plain);
  });
});
