import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GradsimError } from '@gradsim/core';
import { reasonOfSystem } from '@gradsim/kernel/files';
import { filmFiles, inspectFilm, readFrames, readOverview } from '@gradsim/video';
import { filmOf } from '../experiment/track.ts';
import { cutRemark, cutsIn } from '../look/cuts.ts';
import { withCamera } from '../new/camera.ts';
import { experimentFiles } from '../new/files.ts';
import { KINDS } from '../new/kinds.ts';
import type { Value } from '../new/measured.ts';
import { measuredOf } from '../new/measured.ts';
import { askAboutUnit } from '../new/units.ts';
import { ROBOT } from '../robot/settings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type NewRobotOptions, newRobotCommand } from './new-robot.ts';

/** Options of `gradsim new`; those of a robot are refused with films, and the other way round. */
export interface NewCommandOptions extends NewRobotOptions {
  readonly video?: string;
  readonly track?: number;
  readonly poses?: string;
  readonly markers?: string;
  readonly mesh?: string;
  readonly clamp?: string;
}

const TEMPLATES = fileURLToPath(new URL('../../template', import.meta.url));

/** Length of the longer side to which pictures are reduced to search for cuts, px. */
const LARGE_ENOUGH = 160;
/** Number of pixels of all frames of this size up to which a film is read so; of longer ones an overview is. */
const MOST_PIXELS = 4e6;

/**
 * `gradsim new`: writes an experiment of a kind for the user's film, in a new folder: the experiment, its film reader,
 * the measurements, and the configuration of type checks. A robot with logs is calibrated at once, by {@link newRobotCommand}.
 * @throws before anything is written, for an unknown kind, a missing film or measurement, and a folder that is not
 * empty.
 */
export async function newCommand(kind: string, options: NewCommandOptions, terminal: Terminal): Promise<number> {
  refuseOtherOptions(kind, options);
  if (kind === 'robot') return newRobotCommand(options, terminal);
  const chosen = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!chosen)
    throw new GradsimError(
      'gradsim/unknown-kind',
      `There is no kind "${kind}" of experiment; there are:\n${Object.entries({ ...KINDS, robot: ROBOT })
        .map(([name, { finds }]) => `  ${name}: ${finds}`)
        .join('\n')}`,
    );
  const folder = resolve(options.out ?? kind);
  const video = filmOf(options.video ?? options.set.video, options.track);
  const { poses, markers, mesh, clamp, export: written } = options;
  const named = Object.entries({ video, poses, markers, mesh, clamp, export: written });
  const given = {
    ...options.set,
    ...Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
  const measured = measuredOf(kind, chosen, given);
  const values = chosen.table ? { ...measured } : await withCamera(kind, chosen, measured, given);
  for (const [name, { type }] of Object.entries(chosen.measures)) {
    const value = values[name];
    if (!['file', 'camera', 'data', 'written'].includes(String(type)) || typeof value !== 'string') continue;
    if (type === 'file') await filmFiles(value);
    else if (type === 'data') await access(value).catch(refuseUnreadable(value));
    else if (type === 'written') refuseOtherFormat(value);
    values[name] = fromFolder(folder, value);
  }
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new GradsimError('gradsim/folder-in-use', `The folder ${folder} holds something already.`, {
      hint: 'Name another with --out.',
    });
  mkdirSync(folder, { recursive: true });
  const templates = {
    experiment: templateOf(kind, kind),
    ...(chosen.table ? {} : { film: templateOf('shared', 'film') }),
  };
  const files = experimentFiles(kind, chosen, values, templates);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const [name, measure] of Object.entries(chosen.measures)) {
    const question = askAboutUnit(name, measure, measured[name]);
    if (question !== undefined) terminal.say(question);
  }
  if (!chosen.table) for (const remark of await cutRemarks(measured)) terminal.say(remark);
  const experiment = join(relative('.', folder) || '.', `${kind}.ts`);
  terminal.print(`${experiment} finds ${chosen.finds}.`);
  terminal.print('It needs the package gradsim: npm install gradsim');
  terminal.print('To check its types: npm install --save-dev typescript @types/node');
  terminal.print(`Next: npx gradsim estimate ${experiment}`);
  return 0;
}

/** Options that robots, films and poses alone take. */
const OPTIONS_OF = {
  robot: ['model', 'log', 'holdOut', 'export', 'force', 'json'],
  film: ['video', 'track'],
  poses: ['poses'],
  markers: ['markers', 'mesh', 'clamp', 'export'],
} as const;

function refuseOtherOptions(kind: string, options: NewCommandOptions): void {
  const own = kind === 'robot' ? 'robot' : (Object.hasOwn(KINDS, kind) && KINDS[kind].table) || 'film';
  for (const [of, names] of Object.entries(OPTIONS_OF)) {
    const taken: readonly string[] = OPTIONS_OF[own];
    const wrong = of === own ? undefined : names.find((name) => options[name] !== undefined && !taken.includes(name));
    if (wrong === undefined) continue;
    const flag = wrong === 'holdOut' ? '--hold-out' : `--${wrong}`;
    throw new GradsimError('gradsim/options-contradict', `${flag} is not for gradsim new ${kind}.`, {
      hint: TAKES[own],
    });
  }
}

const TAKES = {
  robot: 'A robot takes --model and --log.',
  film: 'This kind takes --video; a robot takes --model and --log, a body --poses, and markers --markers, --mesh and --clamp.',
  poses: 'A body takes --poses.',
  markers: 'Markers take --markers, --mesh, --clamp and --export.',
} as const;

function refuseOtherFormat(path: string): void {
  if (extname(path) === '.xml') return;
  throw new GradsimError('gradsim/option-wrong', `--export takes a file that ends in .xml, not "${path}".`, {
    field: '--export',
    hint: 'For a .glb of its motion, estimate, then gradsim render EXPERIMENT --from RESULT --out FILE.glb.',
  });
}

const refuseUnreadable =
  (path: string) =>
  (cause: unknown): never => {
    throw new GradsimError('gradsim/file-unreadable', `${path} cannot be read: ${reasonOfSystem(cause)}.`, { cause });
  };

/**
 * Warnings about cuts among the frames that are used. A film that cannot be read causes none here: the experiment will
 * refuse it.
 */
async function cutRemarks({ video, first, last }: Readonly<Record<string, Value>>): Promise<string[]> {
  const film = String(video);
  const info = await inspectFilm(film).catch(() => undefined);
  if (!info) return [];
  const { width, height, frameCount, frameRate = 1 } = info;
  const from = typeof first === 'number' ? first : 0;
  const to = typeof last === 'number' ? last : frameCount - 1;
  const scale = Math.min(1, LARGE_ENOUGH / Math.max(width, height));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const isLong = size.width * size.height * (to - from + 1) > MOST_PIXELS;
  const part = { first: from, last: to, frameRate };
  const reading = isLong ? readOverview(film, part) : readFrames(film, { ...part, size });
  const frames = await reading.catch(() => undefined);
  return frames ? cutsIn(frames).map((cut) => cutRemark(from + cut)) : [];
}

/** Reads a template file, from the folder of its kind or the one that all kinds share. */
const templateOf = (folder: string, name: string): string =>
  readFileSync(join(TEMPLATES, folder, `${name}.ts`), 'utf8');

/** Converts a path to a URL relative to a module in the folder. */
function fromFolder(folder: string, path: string): string {
  const to = relative(folder, resolve(path));
  if (isAbsolute(to)) return to.split(sep).join('/');
  const parts = to.split(sep).join('/');
  return parts.startsWith('.') ? parts : `./${parts}`;
}
