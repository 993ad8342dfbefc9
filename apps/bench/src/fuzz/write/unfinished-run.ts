import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gradsimIn, writeFiles } from './in-process.ts';
import type { Ended } from './workplace.ts';

/** Finds the speed and the mass of a point in a few steps; its last function fails while the flag is set. */
const EXPERIMENT = `
import { buildModel, createScene } from '@gradsim/core';
import { Particle, particles } from '@gradsim/particles';
const scene = createScene([particles()]);
scene.add(Particle, { position: [0, 1, 0], mass: 1 });
export default {
  name: 'drop',
  description: 'A drop.',
  stages: ({ settings }) => [{
    name: settings.stage ?? 'speed',
    problem: {
      ...{ model: buildModel(scene), frames: 3, frameRate: 30, substeps: 2 },
      parameters: [{ name: 'speed', field: 'particles.velocity', initial: 0.1, range: [-10, 10] }],
      observations: [{ field: 'particles.position', target: [0, 1, 0, 0.1, 1, 0, 0.2, 1.01, 0] }],
      options: { iterations: 3 },
    },
    notes: () => {
      if (globalThis.gradsimFuzzEndsHere) throw new Error('Ended on purpose.');
      return [];
    },
  }],
};
`;

/** A run that has everything but its end. */
export interface Unfinished {
  /** Holds `drop.mjs` and the folder `run`. */
  readonly folder: string;
  readonly request: string;
  readonly journal: Uint8Array;
  /** Parameters of the undisturbed run. */
  readonly result: string;
}

let made: Promise<Unfinished> | undefined;

/** Makes one, once a process. */
export function unfinishedRun(): Promise<Unfinished> {
  made ??= make();
  return made;
}

const RUN = ['estimate', './drop.mjs', '--device', 'f64', '--quiet', '--seed', '4', '--set', 'stage=speed'];

async function make(): Promise<Unfinished> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFiles(folder, { 'drop.mjs': EXPERIMENT });
  const whole = await gradsimIn(folder, [...RUN, '--out', 'whole']);
  await ending(() => gradsimIn(folder, [...RUN, '--out', 'run']));
  const of = (path: string) => readFileSync(join(folder, path));
  if (whole.code === 1) throw new Error(`The run to be resumed fails: ${whole.err}`);
  return {
    folder,
    request: of('run/run.json').toString(),
    // No Buffer, whose slices share memory.
    journal: new Uint8Array(of('run/run.journal')),
    result: parametersIn(join(folder, 'whole')),
  };
}

/** Runs something while the experiment fails at its end. */
async function ending(run: () => Promise<Ended>): Promise<void> {
  const flags = globalThis as { gradsimFuzzEndsHere?: boolean };
  flags.gradsimFuzzEndsHere = true;
  try {
    await run();
  } finally {
    flags.gradsimFuzzEndsHere = false;
  }
}

/** Resumes a copy of the run, with other files in its folder, and says whether it comes to the same. */
export async function resumed(
  change: (folder: string) => void,
): Promise<Ended & { readonly isSame: boolean; readonly path: string }> {
  const { folder, result } = await unfinishedRun();
  const path = mkdtempSync(join(tmpdir(), 'gradsim-fuzz-'));
  try {
    cpSync(join(folder, 'run'), path, { recursive: true });
    change(path);
    const ended = await gradsimIn(folder, ['estimate', '--resume', path]);
    const isDone = ended.code !== 1;
    return { ...ended, path, isSame: isDone && parametersIn(path) === result };
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

const parametersIn = (folder: string): string =>
  JSON.stringify(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')).stages[0].parameters);
