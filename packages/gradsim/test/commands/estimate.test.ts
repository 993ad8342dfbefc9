import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FALLING_MOTE, gradsim, PUSHED, temporaryFolder } from '../support.ts';

const cpu = ['--device', 'cpu'];

describe('gradsim estimate', () => {
  it('prints truth, estimate, error and standard error, and writes a result, a report and pictures', async () => {
    const out = join(temporaryFolder(), 'out');
    const { code, stdout, stderr } = await gradsim(['estimate', FALLING_MOTE, ...cpu, '--out', out]);
    expect(code).toBe(0);
    const text = stdout.join('\n');
    expect(text).toMatch(/parameter +truth +estimate +error +standard error/);
    expect(text).toMatch(/gravity \[m\/s2\] +-9\.81 +-9\.8\d* +[+-]0\.\d+ % +0\.0\d+/);
    expect(text).toMatch(/derived +truth +value +error +standard error\n.*\nterminal speed \[m\/s\] +19\.62 +\d/);
    expect(text).toMatch(/Seen <from the side>\./);
    expect(stderr.join('\n')).toMatch(/fall: iteration 0 of 40, loss \S+, gravity -5, drag 0\.1, \d\.\d s/);
    expect(readdirSync(out).sort()).toEqual(['frames-1.png', 'report.html', 'result.json']);
  });

  it('prints how the search of a stage ended before it writes the report', async () => {
    const out = join(temporaryFolder(), 'out');
    const written: boolean[] = [];
    const args = ['estimate', FALLING_MOTE, ...cpu, '--out', out, '--json'];
    const { stdout } = await gradsim(args, (line) => {
      if (/^The search (converged|stopped)/.test(line)) written.push(existsSync(join(out, 'report.html')));
    });
    expect(written).toEqual([false]);
    expect(stdout.map((line) => JSON.parse(line).stage)).toEqual(['fall']);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
  });

  it('with a result not to be trusted, has exit code 3 and prints the reason first', async () => {
    const out = join(temporaryFolder(), 'out');
    const args = ['estimate', FALLING_MOTE, ...cpu, '--out', out, '--iterations', '1', '--quiet'];
    const { code, stdout } = await gradsim(args);
    expect(code).toBe(3);
    expect(stdout.filter((line) => line !== '')[1]).toMatch(/^Not to be trusted: \w/);
    expect(stdout.at(-1)).toMatch(/^The search stopped at the last iteration allowed after 1 iterations/);
    expect(stdout.join('\n')).not.toMatch(/^Trusted/m);
    const [stage] = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).stages;
    expect(stage.stopped).toBe('iterations');
    expect(stage.verdict.trusted).toBe(false);
    expect(stage.fit.observations[0].residuals).toHaveLength(stage.fit.observations[0].frames.length);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('<div class="distrust"><b>Not to be');
  });

  it('refuses --from a result with another number of values of a parameter, naming file and parameter', async () => {
    const folder = temporaryFolder();
    const search = ['estimate', PUSHED, ...cpu, '--quiet', '--out'];
    await gradsim([...search, join(folder, 'first')]);
    const other = [...search, join(folder, 'other'), '--set', 'pushes=6', '--from', join(folder, 'first')];
    const { code, stderr } = await gradsim(other);
    expect(code).toBe(1);
    expect(stderr.join('\n')).toMatch(
      /first\/result\.json is of another model: its pushes has 4 values, and this experiment's has 6\./,
    );
  });

  it('with --from starts at the estimates of another run, and refuses files without such estimates', async () => {
    const folder = temporaryFolder();
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const stageOf = (out: string) => JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).stages[0];
    await gradsim(['estimate', FALLING_MOTE, ...cpu, '--out', first, '--quiet']);
    const again = ['estimate', FALLING_MOTE, ...cpu, '--out', second, '--quiet', '--from', first];
    expect((await gradsim(again)).code).toBe(0);
    const [before, after] = [stageOf(first), stageOf(second)];
    for (const name of ['gravity', 'drag'])
      expect(after.history[0].parameters[name]).toBeCloseTo(before.parameters[name].estimate, 12);
    expect(after.iterations).toBeLessThan(before.iterations);
    // What is in the report as the initial value is the experiment's still.
    expect(after.parameters.gravity.initial).toBe(-5);
    expect(after.repeat.command).toContain(` --from ${first}`);
    expect(after.repeat.from.sha256).toMatch(/^[0-9a-f]{64}$/);

    const refusal = async (from: string): Promise<string> => {
      const { code, stderr } = await gradsim([
        ...['estimate', FALLING_MOTE, ...cpu, '--out', join(folder, 'none'), '--from', from],
      ]);
      expect(code).toBe(1);
      return stderr.join('\n');
    };
    expect(await refusal(join(folder, 'nowhere'))).toMatch(/nowhere is not there: --from takes/);
    writeFileSync(
      join(folder, 'other.json'),
      '{"stages": [{"stage": "fall", "parameters": {"mass": {"estimate": 1}}}]}',
    );
    expect(await refusal(join(folder, 'other.json'))).toMatch(/none of this experiment's parameters; it has mass/);
    writeFileSync(join(folder, 'plain.json'), '{}');
    expect(await refusal(join(folder, 'plain.json'))).toMatch(/is no result of gradsim estimate.*stages is und/);
    writeFileSync(
      join(folder, 'null.json'),
      '{"stages": [{"stage": "fall", "parameters": {"drag": {"estimate": null}}}]}',
    );
    expect(await refusal(join(folder, 'null.json'))).toMatch(/stages\.0\.parameters\.drag\.estimate is null/);
  });

  it('with --verify prints the estimates for half the substep, and reports those that move by over a standard error', async () => {
    const out = join(temporaryFolder(), 'out');
    const { code, stdout } = await gradsim(['estimate', FALLING_MOTE, ...cpu, '--out', out, '--quiet', '--verify']);
    const line = stdout.find((text) => text.startsWith('With half the substep: '))!;
    expect(line).toMatch(/gravity -9\.\d+ \([+-]\d[\d.e-]* standard errors\)/);
    const [stage] = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).stages;
    expect(stage.repeat.command).toContain(' --verify');
    const [{ refined, parameters }] = stage.verification;
    expect(refined).toBe('substep');
    const { estimate, standardError } = stage.parameters.gravity;
    const isMoved = Math.abs(parameters.gravity - estimate) > standardError;
    const found = stage.verdict.findings.find(({ kind }: { kind: string }) => kind === 'substep');
    expect(found?.unknowns.includes('gravity') ?? false).toBe(isMoved);
    expect(code).toBe(stage.verdict.trusted ? 0 : 3);
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(line);
  });

  it.each(['profile', 'bootstrap'])(
    'with --intervals %s prints 95 % intervals by that method beside those by the curvature',
    async (how) => {
      const out = join(temporaryFolder(), 'out');
      const args = ['estimate', FALLING_MOTE, ...cpu, '--out', out, '--quiet', '--intervals', how];
      const { code, stdout } = await gradsim(args);
      expect(code).toBe(0);
      const line = stdout.find((text) => text.startsWith('gravity, 95 %: '))!;
      expect(line).toMatch(new RegExp(` -9\\.\\d+ to -9\\.\\d+ by ${how}, -\\S+ to -\\S+ by the curvature`));
      const [stage] = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).stages;
      expect(stage.parameters.gravity[how]).toHaveLength(2);
      expect(stage.repeat.command).toContain(` --intervals ${how}`);
      expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain(line);
    },
  );

  it('with --profile prints a table of the time of each pass on standard error', async () => {
    const out = join(temporaryFolder(), 'out');
    const args = ['estimate', FALLING_MOTE, ...cpu, '--threads', '1', '--out', out, '--profile', '--quiet'];
    const { code, stderr } = await gradsim(args);
    expect(code).toBe(0);
    expect(stderr.join('\n')).toMatch(/program +pass +dispatches +ms +share +MB\n\w+ +\S+ +\d+ +\d/);
  });

  it('with --json prints one line per stage, and everything else on standard error', async () => {
    const out = join(temporaryFolder(), 'out');
    const args = ['estimate', FALLING_MOTE, ...cpu, '--out', out, '--json', '--set', 'stages=2'];
    const { code, stdout, stderr } = await gradsim(args);
    expect(code).toBe(0);
    expect(stdout).toHaveLength(2);
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map((line) => line.stage)).toEqual(['first', 'second']);
    const [line] = lines;
    expect(line).toMatchObject({
      experiment: 'falling-mote',
      device: 'cpu',
      stopped: 'tolerance',
      notes: ['Seen <from the side>.'],
    });
    expect(line.derived['terminal speed']).toMatchObject({ unit: 'm/s', from: ['gravity', 'drag'] });
    expect(line.parameters.gravity).toMatchObject({ unit: 'm/s2', initial: -5, truth: -9.81 });
    const { estimate, standardError, truth } = line.parameters.gravity;
    // Ten standard errors: the noise of the fixture is fixed, so this cannot fail by chance.
    expect(Math.abs(estimate - truth)).toBeLessThan(10 * standardError);
    expect(line.loss).toBeGreaterThan(0);
    expect(line.seconds).toBeGreaterThan(0);
    expect(line.undetermined).toEqual([]);
    expect(['gravity', 'drag']).toContain(line.leastDetermined);
    expect(stderr.join('\n')).toContain('standard error');

    const result = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(result.stages[0]).toMatchObject(line);
    expect(result.stages[0].history[0].parameters.gravity).toBe(-5);
    expect(result.stages[0].correlation).toHaveLength(2);
  });

  it('records the same hash for a folder of images and for their pattern, and refuses a gap in their numbers', async () => {
    const folder = temporaryFolder();
    const film = join(folder, 'film');
    mkdirSync(film);
    for (const n of [1, 2, 3]) writeFileSync(join(film, `${n}.png`), `image ${n}`);
    const hashOf = async (video: string, out: string): Promise<string> => {
      const run = await gradsim([
        'estimate',
        FALLING_MOTE,
        ...cpu,
        '--video',
        video,
        '--out',
        join(folder, out),
        '--json',
      ]);
      expect(run.stderr.join('\n')).not.toMatch(/film/);
      return JSON.parse(run.stdout[0]).repeat.video.sha256;
    };
    expect(await hashOf(film, 'a')).toBe(await hashOf(join(film, '%d.png'), 'b'));
    rmSync(join(film, '2.png'));
    const gap = await gradsim(['estimate', FALLING_MOTE, ...cpu, '--video', film, '--out', join(folder, 'c')]);
    expect(gap.code).toBe(1);
    expect(gap.stderr.join('\n')).toMatch(/film are not consecutive: number 2 is missing before 3\./);
    const none = await gradsim(['render', FALLING_MOTE, '--video', join(folder, '%d.png')]);
    expect(none.stderr.join('\n')).toMatch(/No file matches .*%d\.png/);
  });

  it('records a command that repeats the run with exactly equal estimates, its versions, seed and options', async () => {
    const folder = temporaryFolder();
    const first = await gradsim([
      'estimate',
      FALLING_MOTE,
      ...cpu,
      '--out',
      join(folder, 'a'),
      '--json',
      '--seed',
      '5',
      '--starts',
      '3',
    ]);
    const { parameters, repeat } = JSON.parse(first.stdout[0]);
    expect(repeat).toMatchObject({
      seed: 5,
      device: 'cpu',
      options: { search: { starts: 3, iterations: 40 } },
      settings: {},
    });
    expect(repeat.experiment.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(repeat.versions)).toEqual(expect.arrayContaining(['@gradsim/core', 'gradsim', 'node']));
    const words: string[] = repeat.command.split(' ').slice(1);
    const second = await gradsim([...words, '--json', '--out', join(folder, 'b')]);
    expect(JSON.parse(second.stdout[0]).parameters).toEqual(parameters);
  });

  it('with --quiet prints messages of the experiment alone on standard error', async () => {
    const { stderr } = await gradsim([
      'estimate',
      FALLING_MOTE,
      ...cpu,
      '--out',
      join(temporaryFolder(), 'out'),
      '--quiet',
    ]);
    expect(stderr).toEqual(['made 24 frames']);
  });

  it('writes to out/NAME, and in the next run to out/NAME-2', async () => {
    const before = process.cwd();
    process.chdir(temporaryFolder());
    onTestFinished(() => process.chdir(before));
    for (let run = 0; run < 2; run++) await gradsim(['estimate', FALLING_MOTE, ...cpu, '--quiet']);
    expect(readdirSync('out').sort()).toEqual(['falling-mote', 'falling-mote-2']);
  });

  it('refuses an existing folder before anything runs; with --force replaces results and nothing else', async () => {
    const out = temporaryFolder();
    const old = '{"experiment": "old"}';
    writeFileSync(join(out, 'result.json'), old);
    writeFileSync(join(out, 'mine.txt'), 'mine');
    const refused = await gradsim(['estimate', FALLING_MOTE, ...cpu, '--out', out]);
    expect(refused).toEqual({
      code: 1,
      stdout: [],
      stderr: [expect.stringMatching(/is there already\. .*--force/)],
    });
    expect(readFileSync(join(out, 'result.json'), 'utf8')).toBe(old);

    const forced = await gradsim(['estimate', FALLING_MOTE, ...cpu, '--out', out, '--force', '--quiet']);
    expect(forced.code).toBe(0);
    expect(readdirSync(out).sort()).toEqual(['frames-1.png', 'mine.txt', 'report.html', 'result.json']);
    expect(JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).experiment).toBe('falling-mote');
  });
});

describe('gradsim estimate refuses, in one sentence and with nothing written', () => {
  const files: Record<string, string> = {
    'no-default.ts': 'export const name: string = "x";',
    'no-stages.ts': 'export default { name: "x", description: "", stages: 3 };',
    'empty.ts': 'export default { name: "x", description: "", stages: () => [] };',
    'broken.ts': 'export default {',
    'throws.ts': 'throw new Error("the table has no legs");',
    'twice.ts':
      'export default { name: "x", description: "", stages: () => [{ name: "a", problem: {} }, { name: "a", problem: {} }] };',
    'notes.txt': 'not a module',
  };
  const cases: [string, string[], RegExp][] = [
    [
      'an unknown device',
      [FALLING_MOTE, '--device', 'abacus'],
      /^There is no device "abacus"\. Choose one of: auto, cpu, webgpu, f64\. \[gradsim\/unknown-device\]$/,
    ],
    ['an unknown experiment', ['nonsense'], /^There is no experiment "nonsense": no such file/],
    [
      'a module without a default export',
      ['no-default.ts'],
      /no-default\.ts has no default export that is an experiment: it exports no default\. Write/,
    ],
    [
      'a default export that is no experiment',
      ['no-stages.ts'],
      /no-stages\.ts has no default export that is an experiment/,
    ],
    ['an experiment without stages', ['empty.ts'], /^The experiment "x" has no stages/],
    [
      'settings that the experiment does not look at',
      ['empty.ts', '--set', 'frameRate=60', '--set', 'size=3'],
      /^x takes no settings, and was given --set frameRate, size\. Say it in the experiment itself/,
    ],
    ['two stages of one name', ['twice.ts'], /two stages named "a"/],
    ['a module that is not TypeScript', ['broken.ts'], /broken\.ts cannot be loaded: /],
    ['a module that fails while it loads', ['throws.ts'], /throws\.ts cannot be loaded: the table has no legs/],
    [
      'a file that is no module',
      ['notes.txt'],
      /notes\.txt cannot be an experiment\. It must be a module that ends in \.ts/,
    ],
    [
      'a video that is not there',
      [FALLING_MOTE, '--video', 'nowhere.mp4'],
      /^There is no file nowhere\.mp4\. \[video\/no-file\]$/,
    ],
    [
      'an unknown option',
      [FALLING_MOTE, '--frobnicate'],
      /^Unknown option '--frobnicate'\. \[gradsim\/command-line\]$/,
    ],
    [
      'a setting without a value',
      [FALLING_MOTE, '--set', 'slow'],
      /^--set takes name=value, not "slow"\. \[gradsim\/option-wrong\]$/,
    ],
    [
      'a number that is none',
      [FALLING_MOTE, '--iterations', 'many'],
      /^--iterations takes a whole number of at least 1, not "many"\. \[gradsim\/option-wrong\]$/,
    ],
    [
      'a number that is too small',
      [FALLING_MOTE, '--starts', '0'],
      /^--starts takes a whole number from 1 to 100000, not "0"\. \[gradsim\/option-wrong\]$/,
    ],
    [
      'no experiment at all',
      [],
      /^Which experiment\? Give a module or the name of an example, or --resume FOLDER\. \[gradsim\/no-experiment\]$/,
    ],
  ];
  it.each(cases)('%s', async (_, args, message) => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const before = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(before));
    const { code, stdout, stderr } = await gradsim(['estimate', '--quiet', ...args]);
    expect(stdout).toEqual([]);
    expect(stderr).toEqual([expect.stringMatching(message)]);
    expect(code).toBe(1);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(files).sort());
  });

  it('a file in the place of the folder, and a folder below a file', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const at = (out: string) => gradsim(['estimate', FALLING_MOTE, '--out', join(folder, out), '--force']);
    expect((await at('file')).stderr[0]).toMatch(/file is a file; results go to a folder/);
    expect((await at('file/below')).stderr[0]).toMatch(/Nothing can be written to .*below/);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('an unknown experiment, followed by the stack with --debug', async () => {
    const { stderr } = await gradsim(['estimate', 'nonsense', '--debug']);
    expect(stderr[0]).toMatch(/There is no experiment "nonsense".*\n +at findExperiment/s);
  });
});

it('an experiment in JavaScript, in a folder without packages, uses those of the command', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'parts'));
  writeFileSync(join(folder, 'parts/name.ts'), 'export const NAME: string = "borrowed";');
  const lines = [
    "import { defineExperiment } from '@gradsim/optim';",
    `import mote from ${JSON.stringify(FALLING_MOTE)};`,
    "import { NAME } from './parts/name.ts';",
    'export default defineExperiment({ ...mote, name: NAME });',
  ];
  writeFileSync(join(folder, 'borrowed.mjs'), lines.join('\n'));
  const out = join(folder, 'out');
  const { code, stderr } = await gradsim(['estimate', join(folder, 'borrowed.mjs'), ...cpu, '--out', out, '--quiet']);
  expect(stderr).toEqual(['made 24 frames']);
  expect(code).toBe(0);
  expect(existsSync(join(out, 'report.html'))).toBe(true);
});
