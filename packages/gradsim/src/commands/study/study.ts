import { existsSync, readdirSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { isFolder, reasonOfSystem, statusOf } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { findExperiment } from '../../experiment/find.ts';
import { hashOfFilm } from '../../experiment/record/record.ts';
import { findKind } from '../../new/find-kind.ts';
import { writeWhole } from '../../run/folder.ts';
import type { FilmSettings } from '../../study/load/film-study.ts';
import { listTrials } from '../../study/load/list-trials.ts';
import { loadStudy } from '../../study/load/load-study.ts';
import { readLines } from '../../study/load/read-lines.ts';
import { agreementLine, agreementsOf, distrustedIn } from '../../study/page/agreement.ts';
import { csvOf, type PageData, pageDataOf } from '../../study/page/data.ts';
import { studyPage } from '../../study/page/page.ts';
import { RESULTS } from '../../study/results/results-file.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { type NamedStudy, runSweep, type SweepCommandOptions } from './sweep.ts';

/** Options of `gradsim study`; the sweep's options are allowed only with an experiment. */
export interface StudyCommandOptions extends Omit<SweepCommandOptions, 'out' | 'data' | 'queue'> {
  /** Rewrites the page while results arrive. */
  readonly watch?: boolean;
  /** Writes study.csv so that a spreadsheet evaluates none of its texts. */
  readonly forSpreadsheet?: boolean;
  readonly experiment?: string;
  /** Kind that is estimated on the films of a sheet. */
  readonly kind?: string;
  readonly out?: string;
}

/** Interval at which `--watch` checks for results, and at which its page reloads itself, s. */
const LOOK = 5;

/** File extensions of films in a folder; a folder without any such file is one film of images. */
const FILMS = ['.mp4', '.mov', '.m4v', '.mkv', '.webm', '.gif', '.y4m', '.avi', '.wmv', '.mpg', '.mts'];

/**
 * `gradsim study`: writes the page of one study, or of two, into the folder of the first; with an experiment, estimates
 * it on films first, with a kind, on the lines of a sheet.
 * @throws for folders that hold no study, and, before anything runs, for a missing film or a wrong line.
 */
export async function studyCommand(
  names: readonly string[],
  options: StudyCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { experiment, kind, forSpreadsheet, watch, json } = options;
  if (experiment !== undefined && kind !== undefined)
    throw new GradsimError('gradsim/options-contradict', '--experiment and --kind both say what is estimated.', {
      hint: 'An experiment is estimated on films as it is, a kind on the films of a sheet with what was measured beside each.',
    });
  if (experiment === undefined && kind === undefined) {
    if (names.length > 2)
      throw new GradsimError('gradsim/too-many-studies', 'The page is of one study, or of two side by side.', {
        hint: 'For films add --experiment, for a sheet of films --kind.',
      });
    const folders = names.map((name) => resolve(name));
    if (watch) return watchStudies(folders, terminal, forSpreadsheet);
    writePage(folders, json ? terminal.say : terminal.print, { forSpreadsheet });
    return 0;
  }
  if (json) terminal.reserveOutput?.();
  const { study, settings, answers } =
    experiment !== undefined
      ? await ofFilms(experiment, names, options)
      : await ofSheet(kind!, names, options, terminal);
  const trials = await listTrials({ study: { ...study.loaded.study, trials: settings }, code: study.loaded.code }, {});
  const out = options.out ?? 'out/study';
  const code = await runSweep(study, trials, { ...options, out }, terminal);
  const page = writePage([resolve(out)], terminal.say, { forSpreadsheet });
  for (const line of agreementsOf(page)
    .filter(({ unknown }) => answers?.includes(unknown) ?? true)
    .map(agreementLine))
    terminal.say(line);
  const distrusted = distrustedIn(page);
  if (distrusted.length > 0) terminal.say(`Not to be trusted, and left out: ${distrusted.join(', ')}.`);
  return code;
}

/** Study that was asked for, and the settings of its trials. */
interface Asked {
  readonly study: NamedStudy;
  readonly settings: readonly object[];
  /** Unknowns that are the answer; all of them if it is not known. */
  readonly answers?: readonly string[];
}

/** One experiment on many films. @throws for a film that is not there. */
async function ofFilms(experiment: string, names: readonly string[], { set }: StudyCommandOptions): Promise<Asked> {
  const file = findExperiment(experiment);
  const films = names.flatMap(filmsOf);
  const loaded = await loadStudy({ experiment: file });
  const settings: FilmSettings[] = [];
  for (const film of films) settings.push({ film: resolve(film), sha256: await hashOfFilm(film), set });
  return { study: { loaded, source: { experiment: file }, name: experiment }, settings };
}

/** A kind on the lines of a sheet. @throws for more sheets than one, and lines that are wrong. */
async function ofSheet(
  kind: string,
  names: readonly string[],
  { set }: StudyCommandOptions,
  { say }: Terminal,
): Promise<Asked> {
  if (names.length > 1)
    throw new GradsimError('gradsim/too-many-sheets', `--kind takes one sheet of films, not ${names.length}.`);
  // A module is found from wherever trials run.
  const name = existsSync(kind) ? resolve(kind) : kind;
  const { kind: found } = await findKind(name);
  const settings = await readLines(names[0], found, set, say);
  const loaded = await loadStudy({ kind: name });
  return { study: { loaded, source: { kind: name }, name: kind }, settings, answers: found.answers };
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
