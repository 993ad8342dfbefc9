import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gradsimIn, inFolder } from './in-process.ts';
import type { Ended } from './node-process.ts';

/**
 * Source of an experiment that estimates speed and mass of a point; its last function fails while a global flag is set.
 */
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
      model: buildModel(scene), frames: 3, frameRate: 30, substeps: 2,
      parameters: [{ name: 'speed', field: 'particles.velocity', component: 0, initial: 0.1, range: [-10, 10] }],
      observations: [{ field: 'particles.position', target: [0, 1, 0, 0.1, 1, 0, 0.2, 1.01, 0] }],
      options: { search: { iterations: 3 } },
    },
    notes: () => {
      if (globalThis.gradsimFuzzEndsHere) throw new Error('Ended on purpose.');
      return [];
    },
  }],
};
`;

/** A run interrupted just before its end. */
export interface Unfinished {
  /**
   * Content of its `run.json`, with the folder from which it is resumed written as `.`, so that it is the same in any
   * folder.
   */
  readonly request: string;
  readonly journal: Uint8Array;
  /** Parameters of the undisturbed run. */
  readonly result: string;
}

let made: Promise<Unfinished> | undefined;

/** Makes the interrupted run; later calls in this process return the same one. */
export function unfinishedRun(): Promise<Unfinished> {
  made ??= inFolder({ 'drop.mjs': EXPERIMENT }, make);
  return made;
}

const RUN = ['estimate', './drop.mjs', '--device', 'f64', '--quiet', '--seed', '4', '--set', 'stage=speed'];

async function make(folder: string): Promise<Unfinished> {
  const whole = await gradsimIn(folder, [...RUN, '--out', 'whole']);
  if (whole.code === 1) throw new Error(`The run to be resumed fails: ${whole.err}`);
  await ending(() => gradsimIn(folder, [...RUN, '--out', 'run']));
  const request = JSON.parse(readFileSync(join(folder, 'run/run.json'), 'utf8'));
  return {
    request: `${JSON.stringify({ ...request, from: '.' }, null, 2)}\n`,
    // No Buffer, whose slices share memory.
    journal: new Uint8Array(readFileSync(join(folder, 'run/run.journal'))),
    result: parametersIn(join(folder, 'whole')),
  };
}

/** Calls a function with the flag set that makes the experiment fail at its end. */
async function ending(run: () => Promise<Ended>): Promise<void> {
  const flags = globalThis as { gradsimFuzzEndsHere?: boolean };
  flags.gradsimFuzzEndsHere = true;
  try {
    await run();
  } finally {
    flags.gradsimFuzzEndsHere = false;
  }
}

/** Resumes the run with some files of its folder replaced. `isSame` says whether it reaches the undisturbed result. */
export async function resumed(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Ended & { readonly isSame: boolean }> {
  const { request, journal, result } = await unfinishedRun();
  const all = { 'run.json': request, 'run.journal': journal, ...files };
  const inRun = Object.entries(all).map(([name, content]) => [`run/${name}`, content]);
  return inFolder({ 'drop.mjs': EXPERIMENT, ...Object.fromEntries(inRun) }, async (folder) => {
    const ended = await gradsimIn(folder, ['estimate', '--resume', 'run']);
    const isDone = ended.code !== 1;
    return { ...ended, isSame: isDone && parametersIn(join(folder, 'run')) === result };
  });
}

const parametersIn = (folder: string): string =>
  JSON.stringify(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')).stages[0].parameters);
