import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Device } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { MeshMotion } from '@gradsim/mesh';
import type { Experiment, ExperimentContext, Run } from '@gradsim/optim';
import { cutFrames, filmFiles, frameCount, writeFrames } from '@gradsim/video';
import type { Engine } from '../experiment/engine.ts';
import { findExperiment } from '../experiment/find.ts';
import { loadExperiment } from '../experiment/load.ts';
import { showStage } from '../experiment/show-stage.ts';
import { motionBy, renderedBy } from '../experiment/shown.ts';
import { stagesOf } from '../experiment/stages.ts';
import { resultFile, startingFrom } from '../experiment/start-from.ts';
import { filmOf, sayTrack } from '../experiment/track.ts';
import { importFromPackage } from '../modules/import-package.ts';
import { writeOutput } from '../run/folder.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { compareCommand } from './compare.ts';
import { chooseDevice } from './device/choose-device.ts';
import { asDeviceName } from './device/device-name.ts';

/** Options of `gradsim render`. */
export interface RenderCommandOptions {
  readonly out?: string;
  readonly device: string;
  readonly threads?: number;
  readonly profile?: boolean;
  readonly video?: string;
  readonly track?: number;
  readonly set: Readonly<Record<string, string>>;
  readonly force?: boolean;
  readonly compare?: boolean;
  readonly stage?: string;
  /** `result.json` of an estimate, or its folder: what is rendered is that. */
  readonly from?: string;
}

/** Options refused with `--compare`, which uses a finished run. */
const OF_RUNS = ['video', 'track', 'threads', 'profile', 'from'] as const;

const FILMS = ['.mp4', '.webm', '.gif', '.png'];
const GLTF = '.glb';
/** Maximum frame rate that a GIF can have, frames/s. */
const MAX_GIF_RATE = 100;

/**
 * `gradsim render`: an experiment's own rendering, or the pictures of a stage before its estimation, as a film or as
 * PNGs in a folder, or its motion as an animated glTF.
 * @throws before anything runs, for an unknown experiment or device, an unknown format, and an existing file or
 * folder.
 */
export async function renderCommand(name: string, options: RenderCommandOptions, terminal: Terminal): Promise<number> {
  const { force = false, set: settings } = options;
  if (options.compare) {
    const extra = OF_RUNS.filter((option) => options[option] !== undefined).map((option) => `--${option}`);
    if (Object.keys(settings).length > 0) extra.push('--set');
    if (extra.length > 0)
      throw new GradsimError(
        'gradsim/options-contradict',
        `--compare shows results that are there, so leave out ${extra.join(', ')}.`,
      );
    const choose = (fallback: string): string => target(options.out ?? fallback, force, FILMS);
    return compareCommand(name, options.stage, choose, force, terminal);
  }
  const video = filmOf(options.video, options.track);
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const file = findExperiment(name);
  if (video !== undefined) {
    await filmFiles(video);
    await sayTrack(video, terminal);
  }
  if (options.out !== undefined) target(options.out, force);
  if (options.from !== undefined) resultFile(options.from);
  const { experiment, engine } = await loadExperiment(file);
  const out = target(options.out ?? join('out', `${experiment.name}.gif`), force);
  const write = await writerOf(experiment, engine, file, out, options);
  const { device, printProfile } = await chooseDevice(engine.core, deviceName, options, terminal);
  try {
    const written = await write({ device, video, settings, log: terminal.say }, force);
    terminal.say(`Wrote ${written} to ${out}.`);
    return 0;
  } finally {
    printProfile();
    device.dispose();
  }
}

/** Function that writes the output file, and returns a description of its content. */
type Writer = (context: ExperimentContext, overwrite: boolean) => Promise<string>;

/**
 * Writer for the requested file format.
 * @throws if the experiment does not provide the data for this format, or the package that writes it is not installed.
 */
async function writerOf(
  experiment: Experiment,
  engine: Engine,
  file: string,
  out: string,
  { stage, from }: Pick<RenderCommandOptions, 'stage' | 'from'>,
): Promise<Writer> {
  const { name, motion, render } = experiment;
  if (extname(out).toLowerCase() === GLTF) {
    if (stage !== undefined)
      throw new GradsimError('gradsim/options-contradict', `--stage chooses pictures, and a ${GLTF} has none.`, {
        hint: 'Leave it out, or name a film.',
      });
    if (!motion && from === undefined)
      throw new GradsimError(
        'gradsim/nothing-to-show',
        `The experiment "${name}" has no motion function, so no ${GLTF} of it can be written.`,
        { hint: 'Name a result of gradsim estimate with --from: its motion is written then.' },
      );
    const { formatMotion } = (await importFromPackage('@gradsim/mesh', file)) as typeof import('@gradsim/mesh');
    return async (context, overwrite) => {
      const run =
        from === undefined ? motionBy(experiment, motion!, context) : estimatedRun(experiment, engine, context, from);
      const moved = await motionOf(await run, engine.core, context.device);
      const bytes = await formatMotion(moved.motion);
      if (!overwrite && existsSync(out))
        throw new GradsimError('gradsim/file-exists', `${out} has come to be there meanwhile; nothing was written.`);
      writeOutput(out, bytes);
      return `${moved.frames} frames of ${moved.motion.meshes.length} ${moved.motion.meshes.length === 1 ? 'mesh' : 'meshes'}`;
    };
  }
  return async (context, overwrite) => {
    // A named stage is shown, whatever else the experiment renders.
    const film =
      render && stage === undefined && from === undefined
        ? await renderedBy(experiment, render, context)
        : await showStage(experiment, engine, context, stage, from);
    // A GIF counts in hundredths of a second.
    const every = extname(out).toLowerCase() === '.gif' ? Math.ceil(film.frameRate / MAX_GIF_RATE) : 1;
    const written = every > 1 ? cutFrames(film, { every }) : film;
    await writeFrames(out, written, { overwrite });
    const of = every > 1 ? `, one of ${every}, since a GIF holds at most ${MAX_GIF_RATE} a second` : '';
    return `${frameCount(written)} frames of ${film.width} x ${film.height}${of}`;
  };
}

/** Run of the last stage's model at the values of a result. */
async function estimatedRun(
  experiment: Experiment,
  { optim }: Engine,
  context: ExperimentContext,
  from: string,
): Promise<Run> {
  const stages = startingFrom(from, await stagesOf(experiment, context));
  return optim.runOf(stages[stages.length - 1].problem);
}

/** Runs a model and records the motion to write. */
async function motionOf(
  { model, values = {}, ...timeline }: Run,
  core: Engine['core'],
  device: Device,
): Promise<{ motion: MeshMotion; frames: number }> {
  const simulation = await core.createSimulation(model, {
    device,
    ...timeline,
    record: core.motionFields(model),
    derivative: 'none',
  });
  try {
    for (const [field, given] of Object.entries(values)) simulation.set(field, given);
    simulation.forward();
    return { motion: await core.readMotion(simulation), frames: simulation.frames };
  } finally {
    simulation.dispose();
  }
}

/** Path, or numbered pattern of paths, for `--out`: without a file extension it is a folder of PNGs. */
function target(out: string, force: boolean, endings = [...FILMS, GLTF]): string {
  const ending = extname(out).toLowerCase();
  if (ending && !endings.includes(ending)) {
    const scene = endings.includes(GLTF) ? `, in ${GLTF} for a scene that moves` : '';
    throw new GradsimError('gradsim/unknown-format', `${out} is nothing that can be written.`, {
      hint: `End it in ${FILMS.join(', ')} for a film${scene}, or name a folder for PNGs.`,
    });
  }
  if (existsSync(out) && !force)
    throw new GradsimError('gradsim/file-exists', `${out} is there already.`, {
      hint: 'Name another with --out, or add --force to replace it.',
    });
  return ending ? out : join(out, '%04d.png');
}
