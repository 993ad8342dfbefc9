import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { GradsimError } from '@gradsim/core';
import type { Kind, Value } from '@gradsim/kinds';
import { experimentFiles, unitQuestions } from '@gradsim/kinds';
import { filePartPath } from '@gradsim/recordings/files';
import { inspectFilm, readFrames, readOverview } from '@gradsim/video';
import { quote } from '../experiment/record/record.ts';
import { filmOf } from '../experiment/track.ts';
import { cutRemark, cutsIn, lastSearched } from '../look/cuts.ts';
import { requirePackage } from '../modules/import-package.ts';
import { COMMAND_FOLDER } from '../modules/installed.ts';
import { findKind } from '../new/find-kind.ts';
import { measurementsFrom, withPathsFrom } from '../new/measurements.ts';
import { everyFewSeconds } from '../terminal/progress.ts';
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
  readonly copy?: true;
}

/** Length of the longer side to which pictures are reduced to search for cuts, px. */
const LARGE_ENOUGH = 160;
/** Number of pixels of all frames of this size up to which a film is read so; of longer ones an overview is. */
const MOST_PIXELS = 4e6;

/**
 * `gradsim new`: writes an experiment of a kind in a new folder: the experiment, the measurements, and the configuration of
 * type checks; with `--copy` the source of the kind too. A robot with logs is calibrated at once, by {@link newRobotCommand}.
 * @throws before anything is written, for an unknown kind, a missing film or measurement, and a folder that is not
 * empty.
 */
export async function newCommand(kindName: string, options: NewCommandOptions, terminal: Terminal): Promise<number> {
  if (kindName === 'robot') {
    refuseOtherOptions('robot', OF_ROBOT, options);
    return newRobotCommand(options, terminal);
  }
  const { kind, importFrom } = await findKind(kindName);
  const { name, measures } = kind;
  const isOfTable = 'poses' in measures || 'markers' in measures;
  refuseOtherOptions(name, [...Object.keys(measures), 'copy', ...(isOfTable ? ['topic'] : [])], options);
  const folder = resolve(options.out ?? name);
  const video = filmOf(options.video ?? options.set.video, options.track);
  const { poses, markers, mesh, clamp, export: written } = options;
  const named = Object.entries({ video, poses, markers, mesh, clamp, export: written });
  const given: Record<string, string> = {
    ...options.set,
    ...Object.fromEntries(named.filter((entry): entry is [string, string] => entry[1] !== undefined)),
  };
  for (const table of ['poses', 'markers'])
    if (given[table] !== undefined) given[table] = filePartPath(given[table], options.topic);
  const isOfFilm = 'video' in measures;
  const measured = await measurementsFrom(kind, given);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new GradsimError('gradsim/folder-in-use', `The folder ${folder} holds something already.`, {
      hint: 'Name another with --out.',
    });
  const source = options.copy && sourceOf(kind);
  mkdirSync(folder, { recursive: true });
  if (source) cpSync(source, join(folder, COPY), { recursive: true });
  const from = source ? { from: `./${COPY}/index.ts`, name } : importFrom(folder);
  const files = experimentFiles(kind, from, withPathsFrom(folder, kind, measured));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  for (const question of unitQuestions(measures, measured)) terminal.say(question);
  const experiment = join(relative('.', folder) || '.', `${name}.ts`);
  terminal.print(`${experiment} finds ${kind.finds}.`);
  if (source) terminal.print(`Its model is in ${join(relative('.', folder) || '.', COPY)}, to be changed.`);
  terminal.print('It needs the package gradsim: npm install gradsim');
  terminal.print('To check its types: npm install --save-dev typescript @types/node');
  terminal.print(`Next: npx gradsim estimate ${experiment}`);
  if (isOfFilm) await sayCuts(measured, terminal);
  return 0;
}

/** Folder of an experiment to which the source of its kind is copied. */
const COPY = 'kind';

/** Folder with the source of a kind. @throws for a kind of others. */
function sourceOf({ name }: Kind): string {
  const folder = join(requirePackage('@gradsim/kinds', COMMAND_FOLDER).folder, 'src', name);
  if (existsSync(folder)) return folder;
  throw new GradsimError('gradsim/options-contradict', `--copy copies kinds of gradsim, and ${name} is of others.`, {
    hint: 'Copy it from its package.',
  });
}

/** Options of measurements, and those that a robot takes. */
const OF_MEASURES = ['video', 'track', 'poses', 'markers', 'mesh', 'clamp'] as const;
const OF_ROBOT = [
  'model',
  'log',
  'withPayload',
  'holdOut',
  'topic',
  'export',
  'variants',
  'check',
  'force',
  'json',
] as const;

/** @throws for an option that the kind does not take, naming those that it takes. */
function refuseOtherOptions(kind: string, takes: readonly string[], options: NewCommandOptions): void {
  const all = [...OF_MEASURES, ...OF_ROBOT, 'copy'] as const;
  const wrong = all.find((option) => options[option] !== undefined && !takes.includes(option));
  if (wrong === undefined) return;
  const flag = (option: string): string => `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new GradsimError('gradsim/options-contradict', `${flag(wrong)} is not for gradsim new ${kind}.`, {
    hint: `It takes ${all
      .filter((option) => takes.includes(option))
      .map(flag)
      .join(', ')}.`,
  });
}

/**
 * Warns about cuts among the frames that are used; of a large film in those that are decoded within seconds. A film that
 * cannot be read causes no warning here: the experiment will refuse it.
 */
async function sayCuts(
  { video, first, last }: Readonly<Record<string, Value>>,
  { say }: Pick<Terminal, 'say'>,
): Promise<void> {
  const film = String(video);
  const info = await inspectFilm(film).catch(() => undefined);
  if (!info) return;
  const { width, height, frameCount, frameRate = 1 } = info;
  const from = typeof first === 'number' ? first : 0;
  const used = typeof last === 'number' ? last : frameCount - 1;
  const to = Math.min(used, lastSearched(info, from));
  if (to < used)
    say(
      `Looking for cuts in frames ${from} to ${to} alone, since the film is large; gradsim look ${quote(film)} looks at all. The experiment is written already.`,
    );
  const scale = Math.min(1, LARGE_ENOUGH / Math.max(width, height));
  const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
  const isLong = size.width * size.height * (to - from + 1) > MOST_PIXELS;
  const part = { first: from, last: to, frameRate, onProgress: everyFewSeconds('Looking for cuts', say) };
  const reading = isLong ? readOverview(film, part) : readFrames(film, { ...part, size });
  const frames = await reading.catch(() => undefined);
  if (frames) for (const cut of cutsIn(frames)) say(cutRemark(from + cut));
}
