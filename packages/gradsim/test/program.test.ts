import { expect, it } from 'vitest';
import { duration } from '../src/experiment/settings.ts';
import { gradsim } from './support.ts';

it('gradsim --help lists the commands, and COMMAND --help its options', async () => {
  const all = await gradsim(['--help']);
  expect(all.code).toBe(0);
  for (const name of ['estimate', 'render', 'look', 'devices', 'study']) {
    expect(all.stdout.join('\n')).toContain(name);
    const one = await gradsim([name, '--help']);
    expect({ code: one.code, stderr: one.stderr }).toEqual({ code: 0, stderr: [] });
    expect(one.stdout.join('\n')).toContain(`Usage: gradsim ${name}`);
  }
});

it('gradsim --version prints the version', async () => {
  const { code, stdout } = await gradsim(['--version']);
  expect(code).toBe(0);
  expect(stdout).toEqual([expect.stringMatching(/^\d+\.\d+\.\d+/)]);
});

it('gradsim refuses an unknown command, and without one prints its help on standard error', async () => {
  expect(await gradsim(['guess'])).toEqual({
    code: 1,
    stdout: [],
    stderr: ["Unknown command 'guess'. [gradsim/command-line]"],
  });
  const none = await gradsim([]);
  expect({ code: none.code, stdout: none.stdout }).toEqual({ code: 1, stdout: [] });
  expect(none.stderr.join('\n')).toContain('Usage: gradsim');
});

it.each([
  ['estimate', '--video'],
  ['estimate', '--out'],
  ['estimate', '--resume'],
  ['render', '--out'],
])('gradsim %s refuses an empty %s', async (command, option) => {
  const { code, stderr } = await gradsim([command, './none.ts', option, '']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: [`${option} needs a name; it is empty. [gradsim/option-wrong]`],
  });
});

it.each([
  [['estimate', 'a.ts', '--seed', '1', '--seed', '2'], '--seed'],
  [['estimate', 'a.ts', '--json', '--json'], '--json'],
  [['estimate', 'a.ts', '--out', 'a', '--out=b'], '--out'],
  [['estimate', 'a.ts', '--set', 'x=1', '--set', 'y=2', '--set', 'x=1'], '--set x'],
  [['render', 'a.ts', '--device', 'cpu', '--device', 'cpu'], '--device'],
  [['look', 'a.gif', '--no-shadows', '--no-shadows'], '--no-shadows'],
  [['calibrate', '--square', '1', '--square', '2'], '--square'],
  [['new', 'ball', '--video', 'a', '--video', 'b'], '--video'],
])('gradsim %j is refused, since an option is given twice', async (args, option) => {
  const { code, stderr } = await gradsim(args);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: [`${option} is given twice. Give it once. [gradsim/option-twice]`],
  });
});

it.each([
  [['estimate', 'a.ts', '--json', '--seed', 'x'], 'gradsim/option-wrong'],
  [['estimate', 'a.ts', '--json', '--none'], 'gradsim/command-line'],
  [['estimate', 'nowhere.ts', '--json'], 'gradsim/no-experiment'],
])('gradsim %j prints an error as one line of JSON on standard output too', async (args, code) => {
  const run = await gradsim(args);
  expect(run.stdout).toHaveLength(1);
  const { error } = JSON.parse(run.stdout[0]);
  expect(error).toMatchObject({ code, message: expect.any(String), where: { package: 'gradsim' } });
  expect(run.stderr).toEqual([`${error.message} [${code}]`]);
});

it.each([
  [['studio', '--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['studio', '--port', '-1'], '--port takes a whole number from 0 to 65535, not "-1".'],
  [['estimate', 'a.ts', '--starts', '1e9'], '--starts takes a whole number from 1 to 100000, not "1e9".'],
  [['estimate', 'a.ts', '--threads', '5000'], '--threads takes a whole number from 1 to 1024, not "5000".'],
  [['estimate', 'a.ts', '--seed', '1e300'], '--seed takes a whole number of at least 0, not "1e300".'],
  [
    ['sweep', 'a.ts', '--out', 'a', '--workers', '9999999'],
    '--workers takes a whole number from 1 to 1024, not "9999999".',
  ],
  [['sweep', 'a.ts', '--out', 'a', '--attempts', '1e6'], '--attempts takes a whole number from 1 to 1000, not "1e6".'],
  ...['25d', '2147484', '0', '-1', '1e99', 'Infinity', '5 parsecs', '1.2.3', '', '2h30', 'h', '1constructor'].map(
    (text): [string[], string] => [
      ['sweep', 'a.ts', '--out', 'a', `--time-limit=${text}`],
      `--time-limit takes a duration from 0.001 s to 24 days, not "${text}". Write seconds, or a unit behind the number: 90s, 15min, 2h, 1d.`,
    ],
  ),
  [
    ['worker', 'a.ts', '--queue', 'redis://127.0.0.1', '--lease', '0.5'],
    '--lease takes a duration from 1 s to 24 days, not "0.5". Write seconds, or a unit behind the number: 90s, 15min, 2h, 1d.',
  ],
])('gradsim %j is refused with the limit', async (args, message) => {
  expect(await gradsim(args)).toEqual({ code: 1, stdout: [], stderr: [`${message} [gradsim/option-wrong]`] });
});

it.each([
  ['90', 90],
  ['90s', 90],
  ['1.5h', 5400],
  ['15min', 900],
  ['15 m', 900],
  ['250ms', 0.25],
  ['1e3', 1000],
  ['24d', 24 * 86_400],
])('a duration %s is %d s', (text, seconds) => {
  expect(duration('--time-limit', text)).toBeCloseTo(seconds, 12);
});

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is a name like another', async (name) => {
  const kind = await gradsim(['new', name]);
  expect(kind.stderr.join()).toMatch(/gradsim\/(?:unknown-kind|option-wrong)/);
  const setting = await gradsim(['new', 'ball', '--set', `${name}=1`]);
  expect(setting.stderr.join()).toContain(name);
  expect(setting.stderr.join()).toMatch(/\[[a-z]+\/unknown-option\]/);
  const device = await gradsim(['render', 'a.ts', '--device', name]);
  expect(device.stderr.join()).toMatch(/unknown-device/);
  const experiment = await gradsim(['estimate', name]);
  expect(experiment.stderr.join()).toMatch(/no-experiment/);
});
