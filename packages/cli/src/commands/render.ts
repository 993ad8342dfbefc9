import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { filmFiles, writeFrames } from '@gradsim/video';
import { findExperiment } from '../experiment/find.ts';
import { loadExperiment } from '../experiment/load.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseDevice } from './choose-device.ts';
import { asDeviceName } from './device-name.ts';

/** Options of `gradsim render`. */
export interface RenderCommandOptions {
  readonly out?: string;
  readonly device: string;
  readonly threads?: number;
  readonly profile?: boolean;
  readonly video?: string;
  readonly set: Readonly<Record<string, string>>;
  readonly force?: boolean;
}

const FILMS = ['.mp4', '.webm', '.gif', '.png'];

/**
 * `gradsim render`: an experiment's own rendering as a film, or as PNGs in a folder.
 * @throws before anything runs for an unknown experiment or device, a format that is none, and a file or folder that
 * is there already.
 */
export async function renderCommand(
  name: string,
  options: RenderCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { force = false, video, set: settings } = options;
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const file = findExperiment(name);
  if (video !== undefined) await filmFiles(video);
  if (options.out !== undefined) target(options.out, force);
  const { experiment, engine } = await loadExperiment(file);
  if (!experiment.render)
    throw new Error(`The experiment "${experiment.name}" has no render function, so it cannot be rendered.`);
  const out = target(options.out ?? join('out', `${experiment.name}.gif`), force);
  const { device, printProfile } = await chooseDevice(engine.core, deviceName, options, terminal);
  try {
    const film = await experiment.render({ device, video, settings, log: terminal.say });
    await writeFrames(out, film, { overwrite: force });
    const frames = film.data.length / (film.width * film.height * film.channels);
    terminal.say(`Wrote ${frames} frames of ${film.width} x ${film.height} to ${out}.`);
    return 0;
  } finally {
    printProfile();
    device.dispose();
  }
}

/** The file, or the pattern of files, for what `--out` names: without an ending it is a folder of PNGs. */
function target(out: string, force: boolean): string {
  const ending = extname(out).toLowerCase();
  if (ending && !FILMS.includes(ending))
    throw new Error(
      `${out} is no film that can be written: end it in ${FILMS.join(', ')}, or name a folder for PNGs.`,
    );
  if (existsSync(out) && !force)
    throw new Error(`${out} is there already; name another with --out, or add --force to replace it.`);
  return ending ? out : join(out, '%04d.png');
}
