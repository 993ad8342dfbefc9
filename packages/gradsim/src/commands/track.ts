import { basename, relative, resolve } from 'node:path';
import { readBytes } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { type Film, readFilm } from '@gradsim/film';
import { filmFiles, readTracks } from '@gradsim/video';
import { filmOf, sayTrack } from '../experiment/track.ts';
import { trackPage } from '../report/track-page.ts';
import { OF_TRACKS, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, takeFolder } from '../run/folder.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { everyFewSeconds } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { FIT_COLUMNS, fitRows, fitSentence } from '../track/fit.ts';
import { follow, projectOf, type TrackSettings } from '../track/follow.ts';
import { checkScale, startsOf, type TrackCommandOptions } from '../track/options.ts';
import { scaleSentence } from '../track/scale.ts';
import { motionCsv, summaryOf } from '../track/tables.ts';

/**
 * `gradsim track`: follows something in a film without a model of its motion, and writes place, speed, acceleration and
 * energy with error bars as a page, a CSV and a project of Tracker; fits formulas to them.
 * @throws before anything is written, for options that lack each other, a film or marks that cannot be read, and formulas
 * that are none.
 */
export async function trackCommand(file: string, options: TrackCommandOptions, terminal: Terminal): Promise<number> {
  const { marks: marksFile, json = false, force = false, out, mass, gravity, window } = options;
  if (json) terminal.reserveOutput?.();
  checkScale(options);
  const start = startsOf(options.start);
  const path = filmOf(file, options.track)!;
  await filmFiles(path);
  await sayTrack(path, terminal);
  if (options.background !== undefined) await filmFiles(options.background);
  const name = `track-${basename(file).replace(/\.\w+$/, '')}`;
  chooseFolder(out, name, force);
  const interrupt = watchInterrupt(() => {}, undefined, true);
  try {
    const film = await filmIn(path, options, interrupt.signal, terminal);
    const marks = marksFile === undefined ? undefined : await marksIn(marksFile, film);
    const { origin, axis, object, markError, marksAlone, lengthTolerance, length, between, size, fit } = options;
    const settings: TrackSettings = {
      film: file,
      origin,
      axis,
      object,
      marks,
      markError,
      marksAlone,
      mass,
      gravity,
      window,
      fit,
      start,
      lengthTolerance,
      length,
      between,
      size,
    };
    const result = follow(film, settings);
    const { seen, motion, fits, remarks, scale } = result;
    const [first] = seen.points;
    const files = takeFolder(out, name, force);
    try {
      for (const remark of files.remarks) terminal.say(remark);
      if (force) removeEarlier(files.path, OF_TRACKS);
      files.write('track.html', trackPage(result));
      files.write('track.csv', motionCsv(result));
      files.write('track.json', `${JSON.stringify(summaryOf(result), null, 2)}\n`);
      const path = relative(files.path, resolve(file)).replaceAll('\\', '/');
      files.write('track.trk', projectOf(result, film, settings, path));
    } finally {
      files.close();
    }
    if (json) terminal.print(JSON.stringify(summaryOf(result)));
    const say = json ? terminal.say : terminal.print;
    const { points } = seen;
    say(
      `${points.length} points from frame ${first.frame} to ${points[points.length - 1].frame}, each to ${first.error.toPrecision(2)} px; velocities and accelerations by cubics through ${motion.window} points.`,
    );
    say(scaleSentence(scale));
    for (const fit of fits)
      for (const line of [
        '',
        fit.text,
        ...alignColumns([FIT_COLUMNS, ...fitRows(fit)]),
        `${fitSentence(fit)}.`,
        ...fit.remarks,
      ])
        say(line);
    for (const remark of remarks) say(remark);
    terminal.say(`Page: ${relative('.', files.path) || '.'}/track.html, with track.csv, track.json and track.trk`);
    return 0;
  } catch (error) {
    if (interrupt.signal.aborted) return interrupt.code();
    throw error;
  } finally {
    interrupt.dispose();
  }
}

/** Reads the film; what is said of its clock with another frame rate is that it was taken so. */
function filmIn(
  path: string,
  { first, last, frameRate, background, steady = false, marksAlone = false }: TrackCommandOptions,
  signal: AbortSignal,
  { say }: Terminal,
): Promise<Film> {
  const progress = everyFewSeconds('Reading', say);
  return readFilm(path, {
    ...(first === undefined ? {} : { first }),
    ...(last === undefined ? {} : { last }),
    ...(frameRate === undefined ? {} : { frameRate, clock: 'wrong' as const }),
    ...(background === undefined ? {} : { background: { file: background } }),
    steady,
    signal,
    log: say,
    onProgress: progress,
    mask: marksAlone ? 'none' : 'moving',
  });
}

/** Marks of a person, from a CSV. @throws for a file of several tracks, or none. */
async function marksIn(path: string, film: Film) {
  const tracks = readTracks(await readBytes(path), { name: basename(path), frameRate: film.takenRate });
  if (tracks.length === 1) return tracks[0];
  throw new GradsimError('gradsim/option-wrong', `--marks ${path} has the points of ${tracks.length} things.`, {
    field: '--marks',
    hint: 'It must be a CSV of one: frame,x,y, in pixels from the upper left corner.',
  });
}
