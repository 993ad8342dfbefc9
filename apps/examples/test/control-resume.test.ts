// An experiment of control through the command line, in a process of its own that is killed: gone on with, it comes to the
// same weights bit for bit. What it had worked out for another model is refused, and so are another model's weights. The
// verdict is whether the goal is reached.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordsIn } from '../../../packages/gradsim/src/run/journal.ts';
import { build } from '../../../scripts/setup.js';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const SWAY = at('fixtures/sway.ts');
/** Exit code of a control run that reached its goal. */
const REACHED = 0;
/** Exit code of a control run that did not reach its goal. */
const NOT_REACHED = 4;

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly said: string;
}

/** Runs the built command line, which starts faster than the source, in a process that `disturb` may kill. */
async function gradsim(args: readonly string[], disturb?: (kill: () => void) => Promise<void>): Promise<Ended> {
  const child = spawn(process.execPath, [at('../../../packages/gradsim/dist/main.js'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said += text.toString();
    });
  const end = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, said }));
  });
  await disturb?.(() => child.kill('SIGKILL'));
  return end;
}

/** Result of a run, without what differs between any two runs: durations, and the command line. */
const resultIn = (folder: string): { stages: { goal: unknown; arrays: Record<string, { estimate: number[] }> }[] } =>
  JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'), (key, value) =>
    /^(seconds|compileSeconds|command)$/.test(key) ? undefined : value,
  );

let folder: string;
beforeAll(() => {
  build();
  folder = mkdtempSync(join(tmpdir(), 'gradsim-control-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const RUN = ['--device', 'cpu', '--threads', '1'];

describe('training of a controller', () => {
  it('has bit for bit the result of an undisturbed run when it is killed and resumed twice; another network refuses its journal and weights', async () => {
    const [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];
    const undisturbed = await gradsim(['estimate', SWAY, ...RUN, '--out', whole]);
    expect(undisturbed.code, undisturbed.said).toBe(REACHED);
    const journal = join(killed, 'run.journal');
    const size = (): number => (existsSync(journal) ? statSync(journal).size : 0);
    /** Kills a process once its journal has a record: a file that grows may hold part of one. */
    const onceRecorded = async (kill: () => void) => {
      while (recordsIn(journal) === 0) await after(5);
      kill();
    };
    /** Returns a disturbance that kills a process once its journal has grown by a number of bytes. */
    const onceGrown = (by: number) => async (kill: () => void) => {
      const from = size();
      while (size() < from + by) await after(5);
      kill();
    };
    const first = await gradsim(['estimate', SWAY, ...RUN, '--out', killed], onceRecorded);
    expect(first.signal).toBe('SIGKILL');
    const bytes = size();
    cpSync(killed, join(folder, 'kept'), { recursive: true });
    const second = await gradsim(['estimate', '--resume', killed], onceGrown(6 * bytes));
    expect(second.signal).toBe('SIGKILL');
    const last = await gradsim(['estimate', '--resume', killed]);
    expect(last.code, last.said).toBe(REACHED);
    expect(resultIn(killed)).toEqual(resultIn(whole));
    const { stages } = resultIn(whole);
    expect(stages.map(({ goal }) => goal)).toMatchObject([{}, { reached: true, within: 0.005, unit: 'm' }]);
    expect(undisturbed.said).toMatch(/The goal is reached: .* m from the goal/);
    expect(undisturbed.said).not.toContain('Not to be trusted');
    const page = readFileSync(join(whole, 'report.html'), 'utf8');
    expect(page).toContain('The goal is reached');

    // What a run of a network of one layer had worked out, put to one of two.
    const out = join(folder, 'other-network');
    const given = ['estimate', SWAY, ...RUN, '--set', 'hidden=5'];
    await gradsim([...given, '--out', out], async (kill) => {
      while (!existsSync(join(out, 'run.journal'))) await after(5);
      kill();
    });
    cpSync(join(folder, 'kept', 'run.journal'), join(out, 'run.journal'));
    const resumed = await gradsim(['estimate', '--resume', out]);
    expect(resumed.code, resumed.said).toBe(1);
    expect(resumed.said).toMatch(/other-network\/run\.journal is of a run that did something else: its record 1/);
    // Weights of a network of one layer, for one of two.
    const from = ['--from', join(folder, 'whole'), '--set', 'hidden=5'];
    const other = await gradsim(['estimate', SWAY, ...RUN, ...from, '--out', join(folder, 'other')]);
    expect(other.code).toBe(1);
    expect(other.said).toMatch(/swaySight0Weights\.weight/);
  });

  it('reports a missed goal, and exits with code 4', async () => {
    const out = join(folder, 'short');
    const { code, said } = await gradsim(['estimate', SWAY, ...RUN, '--out', out, '--set', 'iterations=1']);
    expect(code, said).toBe(NOT_REACHED);
    expect(said).toMatch(/The goal is not reached: .* The iterations allowed were over\./);
    expect(said).toMatch(/Not reached after 1 iterations/);
  });
});
