import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isFolder, reasonOfSystem, statusOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { findExperiment } from '../experiment/find.ts';
import { hashOfFilm } from '../experiment/record/record.ts';
import { writeWhole } from '../run/folder.ts';
import type { FilmSettings } from '../study/load/film-study.ts';
import { listTrials } from '../study/load/list-trials.ts';
import { loadStudy } from '../study/load/load-study.ts';
import { csvOf, type PageData, pageDataOf } from '../study/page/data.ts';
import { studyPage } from '../study/page/page.ts';
import { RESULTS } from '../study/results/results-file.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { runSweep, type SweepCommandOptions } from './sweep.ts';

/** Options of `gradsim study`; the sweep's options are allowed only with an experiment. */
export interface StudyCommandOptions extends Omit<SweepCommandOptions, 'out' | 'data' | 'queue'> {
  /** Rewrites the page while results arrive. */
  readonly watch?: boolean;
  /** Writes study.csv so that a spreadsheet evaluates none of its texts. */
  readonly forSpreadsheet?: boolean;
  readonly experiment?: string;
  readonly out?: string;
}

/** Interval at which `--watch` checks for results, and at which its page reloads itself, s. */
const LOOK = 5;

/** File extensions of films in a folder; a folder without any such file is one film of images. */
const FILMS = ['.mp4', '.mov', '.m4v', '.mkv', '.webm', '.gif', '.y4m', '.avi', '.wmv', '.mpg', '.mts'];

/**
 * `gradsim study`: writes the page of one study, or of two, into the folder of the first; with an experiment, estimates
 * it on films first.
 * @throws for folders that hold no study, and, before anything runs, for a missing film.
 */
export async function studyCommand(
  names: readonly string[],
  options: StudyCommandOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.experiment === undefined) {
    if (names.length > 2)
      throw new GradsimError('gradsim/too-many-studies', 'The page is of one study, or of two side by side.', {
        hint: 'For films add --experiment.',
      });
    const folders = names.map((name) => resolve(name));
    const { forSpreadsheet } = options;
    if (options.watch) return watchStudies(folders, terminal, forSpreadsheet);
    writePage(folders, options.json ? terminal.say : terminal.print, { forSpreadsheet });
    return 0;
  }
  if (options.json) terminal.reserveOutput?.();
  const file = findExperiment(options.experiment);
  const films = names.flatMap(filmsOf);
  const loaded = await loadStudy({ experiment: file });
  const settings: FilmSettings[] = [];
  for (const film of films) settings.push({ film: resolve(film), sha256: await hashOfFilm(film), set: options.set });
  const trials = await listTrials({ study: { ...loaded.study, trials: settings }, code: loaded.code }, {});
  const out = options.out ?? 'out/study';
  const study = { loaded, source: { experiment: file }, name: options.experiment };
  const code = await runSweep(study, trials, { ...options, out }, terminal);
  writePage([resolve(out)], terminal.say, { forSpreadsheet: options.forSpreadsheet });
  return code;
}

/**
 * Rewrites the page whenever results have arrived, until all trials have results or a signal arrives. Returns the exit
 * code.
 */
async function watchStudies(folders: readonly string[], terminal: Terminal, forSpreadsheet?: boolean): Promise<number> {
  const interrupt = watchInterrupt(() => {});
  try {
    for (let seen = ''; ; ) {
      const now = folders.map((folder) => statusOf(join(folder, RESULTS))?.size).join();
      const isLast = interrupt.signal.aborted;
      if (now !== seen || isLast) {
        const { ids, studies } = writePage(folders, seen === '' ? terminal.print : () => {}, {
          refresh: isLast ? undefined : LOOK,
          forSpreadsheet,
        });
        seen = now;
        const isWhole = ids.length === studies.reduce((sum, { asked }) => sum + asked, 0);
        if (isWhole && !isLast) writePage(folders, terminal.say, { forSpreadsheet });
        if (isWhole || isLast) return isLast ? interrupt.code() : 0;
      }
      await after(1000 * LOOK, undefined, { signal: interrupt.signal }).catch(() => {});
    }
  } finally {
    interrupt.dispose();
  }
}

/**
 * Writes page and table.
 * @param refresh interval at which the page reloads itself, s.
 */
function writePage(
  folders: readonly string[],
  say: (line: string) => void,
  { refresh, forSpreadsheet }: { readonly refresh?: number; readonly forSpreadsheet?: boolean },
): PageData {
  const data = pageDataOf(folders);
  const files = { 'study.html': studyPage(data, refresh), 'study.csv': csvOf(data, forSpreadsheet) };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folders[0], name);
    try {
      writeWhole(path, content);
    } catch (cause) {
      throw new GradsimError('gradsim/file-not-written', `${path} cannot be written: ${reasonOfSystem(cause)}.`, {
        cause,
      });
    }
  }
  say(`Page: ${join(relative('.', folders[0]) || '.', 'study.html')}`);
  return data;
}

/** Paths of the films that an argument names: the film itself, or all films in a folder. */
function filmsOf(name: string): string[] {
  if (!existsSync(name)) {
    // A pattern of PNGs.
    if (name.includes('%')) return [name];
    throw new GradsimError('gradsim/no-film', `There is no film ${name}: no such file or folder.`);
  }
  if (!isFolder(name)) return [name];
  const films = readdirSync(name)
    .filter((file) => FILMS.includes(extname(file).toLowerCase()))
    .sort();
  return films.length > 0 ? films.map((film) => join(name, film)) : [name];
}
