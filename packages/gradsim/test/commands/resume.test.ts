import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { drawn } from '../../../../scripts/vitest/draws.ts';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

const RUN = ['--device', 'cpu', '--set', 'slow=1', '--set', 'stages=2', '--iterations', '30'];
/** Exit code of a run that ends far from the minimum, so that its result is not trusted. */
const FAR_FROM_THE_END = 3;
const interrupt = (): void => {
  process.kill(process.pid, 'SIGINT');
};
/** Calls a function once, when the stage with number `of` has begun. */
const atFirstIteration = (action: () => void, of = 1) => {
  let begun = 0;
  return (line: string): void => {
    if (/iteration 0 of/.test(line) && ++begun === of) action();
  };
};

/** Result of a run without the parts that differ between runs, its durations. */
function resultIn(folder: string): unknown {
  const text = readFileSync(join(folder, 'result.json'), 'utf8');
  return JSON.parse(text, (key, value) => (/^(seconds|compileSeconds)$/.test(key) ? undefined : value));
}

/** Makes an uninterrupted run, and one that was interrupted in a stage. */
async function runs(stage: number): Promise<{ whole: unknown; folder: string }> {
  const [out, folder] = [join(temporaryFolder(), 'whole'), join(temporaryFolder(), 'ended')];
  expect((await gradsim(['estimate', FALLING_MOTE, ...RUN, '--out', out])).code).toBe(FAR_FROM_THE_END);
  expect(readdirSync(out).sort()).toEqual(['frames-1.png', 'frames-2.png', 'report.html', 'result.json']);
  const ended = await gradsim(['estimate', FALLING_MOTE, ...RUN, '--out', folder], atFirstIteration(interrupt, stage));
  expect(ended.code).toBe(130);
  expect(ended.stderr.at(-1)).toMatch(/^Go on with: gradsim estimate --resume .*ended$/);
  return { whole: resultIn(out), folder };
}

describe('--resume', () => {
  it.each([1, 2])('after SIGINT in stage %i gives the result of an uninterrupted run', async (stage) => {
    const { whole, folder } = await runs(stage);
    expect(readdirSync(folder)).toContain('run.journal');
    const { code, stdout } = await gradsim(['estimate', '--resume', folder]);
    expect(code).toBe(FAR_FROM_THE_END);
    expect(stdout.join('\n')).toContain('falling-mote, second');
    expect(resultIn(folder)).toEqual(whole);
    expect(readdirSync(folder).sort()).toEqual(['frames-1.png', 'frames-2.png', 'report.html', 'result.json']);
    const again = await gradsim(['estimate', '--resume', folder]);
    expect(again.stderr.at(-1)).toMatch(/is at its end; there is nothing to go on with/);
  });

  it('gives the same result with the journal truncated to any length, from 0 to all but one byte', async () => {
    const { whole, folder } = await runs(2);
    const { size } = { size: readFileSync(join(folder, 'run.journal')).length };
    for (const bytes of drawn([0, 5, 100, Math.floor(size / 3), size - 1], 2)) {
      const copy = join(temporaryFolder(), 'copy');
      cpSync(folder, copy, { recursive: true });
      truncateSync(join(copy, 'run.journal'), bytes);
      // A file that was being written when the run was killed.
      writeFileSync(join(copy, '.gradsim-draft-result.json'), '{');
      expect((await gradsim(['estimate', '--resume', copy, '--quiet'])).code).toBe(FAR_FROM_THE_END);
      expect(resultIn(copy)).toEqual(whole);
      expect(readdirSync(copy).sort()).toEqual(['frames-1.png', 'frames-2.png', 'report.html', 'result.json']);
    }
  });

  it('is not needed for results of finished stages: result.json holds them while the next stage runs', async () => {
    const folder = join(temporaryFolder(), 'out');
    let found: { stages: unknown[] } | null = null;
    const look = (): void => {
      found = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
    };
    await gradsim(['estimate', FALLING_MOTE, ...RUN, '--out', folder], atFirstIteration(look, 2));
    expect(found!.stages).toHaveLength(1);
  });

  it('refuses a changed experiment, further options, a folder without a run, and a damaged run.json', async () => {
    const folder = temporaryFolder();
    const experiment = join(folder, 'mote.ts');
    writeFileSync(experiment, readFileSync(FALLING_MOTE, 'utf8'));
    const out = join(folder, 'out');
    await gradsim(['estimate', experiment, ...RUN, '--out', out], atFirstIteration(interrupt));
    writeFileSync(experiment, readFileSync(FALLING_MOTE, 'utf8').replace('fill: 0.5', 'fill: 0.4'));
    const said = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await gradsim(['estimate', ...args]);
      expect(code).toBe(1);
      return stderr.at(-1)!;
    };
    expect(await said('--resume', out)).toMatch(/Changed since it began: .*mote.ts. Begin anew with --force/);
    expect(await said(experiment, ...RUN, '--out', out)).toMatch(/there already\. .*go on with its run by --resume/);
    expect(await said('--resume', out, '--seed', '3', '--set', 'a=1')).toMatch(
      /as it was asked for, so leave out --seed, --set/,
    );
    expect(await said('--resume', folder)).toMatch(/There is no run in .* to go on with/);
    writeFileSync(join(out, 'run.json'), '{');
    expect(await said('--resume', out)).toMatch(/is damaged/);
  });
});

describe('the results of a run', () => {
  it('are written inside an existing folder, and nothing is created beside it', async () => {
    // Nothing may be made or renamed in the folder's parent: as where it is a mounted volume.
    const parent = temporaryFolder();
    const out = join(parent, 'out');
    mkdirSync(out);
    const before = readdirSync(parent);
    const seen = new Set<string>();
    const look = (): void => readdirSync(parent).forEach((name) => seen.add(name));
    await gradsim(['estimate', FALLING_MOTE, ...RUN, '--out', out, '--force'], look);
    expect([...seen]).toEqual(before);
    expect(existsSync(join(out, 'report.html'))).toBe(true);
  });

  it('are refused for an impossible folder before anything runs', async () => {
    const tried = async (...args: string[]): Promise<string> => {
      const { code, stderr, stdout } = await gradsim(['estimate', FALLING_MOTE, ...RUN, ...args]);
      expect(code).toBe(1);
      expect(stdout).toEqual([]);
      expect(stderr.join('\n')).not.toContain('iteration');
      return stderr.at(-1)!;
    };
    expect(await tried('--out', '/proc/x')).toMatch(/^Nothing can be written to \/proc\/x: /);
    expect(await tried('--out', 'n'.repeat(300))).toMatch(/^n{40}\.\.\. is no name for a folder: it has 300/);
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    expect(await tried('--out', join(file, 'in'))).toMatch(/a part of the path is a file/);
  });

  it("are refused if the experiment's name cannot be a folder name", async () => {
    const folder = temporaryFolder();
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const named = async (name: string): Promise<string> => {
      const experiment = join(folder, 'mote.ts');
      writeFileSync(experiment, readFileSync(FALLING_MOTE, 'utf8').replace("'falling-mote'", `'${name}'`));
      const { code, stderr } = await gradsim(['estimate', experiment, ...RUN]);
      expect(code).toBe(1);
      return stderr.at(-1)!;
    };
    expect(await named('..')).toMatch(/^The experiment's name "\.\." makes no folder\. Name one with --out/);
    expect(await named('n'.repeat(300))).toMatch(/is no name for a folder/);
    vi.restoreAllMocks();
  });
});
