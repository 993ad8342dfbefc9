import { basename, relative, resolve } from 'node:path';
import { isFile } from '@gradsim/base/files';
import { formatTable } from '@gradsim/base/tables';
import { fittedTo } from '@gradsim/cameras';
import { GradsimError } from '@gradsim/core';
import { splitPart } from '@gradsim/recordings/files';
import { filmFiles, formatTracks, inspectFilm } from '@gradsim/video';
import { readCameraFile } from '../calibrate/read-camera-file.ts';
import { filmOf, sayTrack } from '../experiment/track.ts';
import type { FileDescription } from '../look/formats/format.ts';
import { describeFile } from '../look/formats/formats.ts';
import { type Look, lookAt, tracksOfFile } from '../look/measure.ts';
import { metresOf } from '../look/metres.ts';
import { lookPage } from '../look/page.ts';
import { largeOnes } from '../look/remarks.ts';
import { smaller, TRACK_COLUMNS, trackRow } from '../look/table.ts';
import { OF_LOOKS, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, requireOutput, takeFolder, writeOutput } from '../run/folder.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { formatNumber } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of `gradsim look`. */
export interface LookCommandOptions {
  readonly track?: number;
  readonly first?: number;
  readonly last?: number;
  readonly every?: number;
  readonly frameRate?: number;
  readonly chroma?: string;
  readonly background?: string;
  /** Path of the camera file. */
  readonly camera?: string;
  /** False with `--no-shadows`: dark grey then counts as part of the moving things, not as shadow. */
  readonly shadows: boolean;
  /** Part that is looked at, of a file that has several. */
  readonly topic?: string;
  /** Path of the table that is written, of a file from which one is taken. */
  readonly csv?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/**
 * `gradsim look`: reports the moving things in a film, and remarks for an estimate, as a page, a CSV and a few lines; of
 * another file what is in it, and the command that goes on.
 * @throws before anything is written, for a film that does not exist or cannot be read, and for a folder that is in
 * use.
 */
export async function lookCommand(file: string, options: LookCommandOptions, terminal: Terminal): Promise<number> {
  const { file: path, part = options.topic } = splitPart(file);
  const other = isFile(path) ? await describeFile(path, part) : undefined;
  if (other) {
    if (options.csv !== undefined) writeTable(options.csv, other, options.force ?? false, file);
    return sayFile(file, other, options.json ?? false, terminal);
  }
  if (options.csv !== undefined || part !== undefined)
    throw new GradsimError(
      'gradsim/options-contradict',
      `${file} is no file with recordings of which one could be read.`,
      {
        hint: 'Leave --topic and --csv away.',
      },
    );
  const { chroma = 'left', out, force = false, json = false, camera: cameraFile, track, ...rest } = options;
  const film = filmOf(file, track)!;
  if (chroma !== 'left' && chroma !== 'centre')
    throw new GradsimError('gradsim/option-wrong', `--chroma is left or centre, not "${chroma}".`);
  await filmFiles(film);
  await sayTrack(film, terminal);
  if (rest.background !== undefined) await filmFiles(rest.background);
  const read = cameraFile === undefined ? undefined : await readCameraFile(cameraFile);
  const camera = read && fittedTo(read, await inspectFilm(film));
  const name = `look-${basename(file).replace(/\.\w+$/, '')}`;
  chooseFolder(out, name, force);
  const look = await lookAt({ film, chroma, ...rest });
  const page = await lookPage(file, look);
  const told = { ...summary(file, look), ...(camera ? { camera } : {}) };
  const metres = camera && metresOf(tracksOfFile(look), camera);
  const files = takeFolder(out, name, force);
  try {
    for (const remark of files.remarks) terminal.say(remark);
    if (force) removeEarlier(files.path, OF_LOOKS);
    files.write('look.html', page);
    files.write('tracks.csv', formatTracks(tracksOfFile(look)));
    if (metres) files.write('tracks-metres.csv', metres);
    files.write('look.json', `${JSON.stringify(told, null, 2)}\n`);
  } finally {
    files.close();
  }
  if (json) terminal.print(JSON.stringify(told));
  const say = json ? terminal.say : terminal.print;
  for (const line of lines(look)) say(line);
  terminal.say(`Page: ${relative('.', files.path) || '.'}/look.html`);
  return 0;
}

/** Writes the table that was taken from a file. @throws where none was, and for a file that is there already. */
function writeTable(path: string, { table }: FileDescription, force: boolean, file: string): void {
  if (!table)
    throw new GradsimError('gradsim/options-contradict', `--csv writes one table, and ${file} gives none.`, {
      field: '--csv',
      hint: 'Of a file with several recordings say which with --topic NAME.',
    });
  requireOutput(resolve(path), '--csv', force);
  writeOutput(resolve(path), formatTable(table));
}

/** Prints what is in a file that is no film, and the commands that go on. */
function sayFile(file: string, { format, lines, next }: FileDescription, json: boolean, terminal: Terminal): number {
  if (json) terminal.print(JSON.stringify({ file, format, lines, next }));
  const say = json ? terminal.say : terminal.print;
  for (const line of lines) say(line);
  for (const line of next) say(`Next: ${line}`);
  return 0;
}

function lines(look: Look): string[] {
  const { info, remarks } = look;
  const tracks = largeOnes(tracksOfFile(look));
  const { width, height, frameCount, frameRate, times } = info;
  const rate =
    frameRate === undefined ? 'no clock' : `${formatNumber(frameRate)} frames a second${times ? ', unevenly' : ''}`;
  return [
    `${width} x ${height} pixels, ${frameCount} frames, ${rate}, ${info.codec ?? info.format}`,
    ...(tracks.length > 0 ? alignColumns([TRACK_COLUMNS, ...tracks.map(trackRow)]) : []),
    ...(tracks.length < look.tracks.length ? [smaller(look.tracks.length - tracks.length)] : []),
    ...remarks,
  ];
}

/** Machine-readable summary; positions and areas in pixels of the film file, frames numbered as in the file. */
function summary(film: string, look: Look) {
  const { info, first, every, frames, shifts, remarks, scale } = look;
  const { width, height, frameCount, frameRate, times, codec, format, rotation, track } = info;
  return {
    film,
    width,
    height,
    frameCount,
    frameRate: frameRate ?? null,
    ...(times ? { times } : {}),
    format,
    codec: codec ?? null,
    rotation,
    ...(track ? { track } : {}),
    read: {
      first,
      every,
      frames: frames.data.length / (frames.width * frames.height * 3),
      frameRate: frames.frameRate,
    },
    cameraMoves: Math.max(...shifts.map(({ x, y }) => Math.hypot(x, y))) / scale,
    tracks: tracksOfFile(look).map(({ name, points }) => ({
      name,
      points: points.map(({ frame, time, x, y, area, areaError, blob }) => ({
        frame,
        time,
        x,
        y,
        area,
        areaError,
        isWhole: blob?.isWhole ?? true,
      })),
    })),
    remarks,
  };
}
