import type { Answered } from '../../../../packages/gradsim/src/components/index.ts';
import type { SheetLine } from '../../../../packages/gradsim/src/study/load/sheet-lines.ts';
import { csvLine } from '../../../../packages/gradsim/src/study/page/csv.ts';
import type { FormTexts } from '../form/texts.ts';
import type { Found } from '../run/run.ts';
import type { StudioSettings } from '../work/problem-messages.ts';

/** A film of a class, with what its sheet says of it. */
export interface Member {
  /** Name that no other member has. */
  readonly id: string;
  readonly file: File;
  /** Whose it is. */
  readonly group: string;
  /** Texts of fields by the sheet, which replace those of the form. */
  readonly row: FormTexts;
}

/** Result of a member, or why it has none. */
export type Outcome =
  | { readonly found: Found; readonly settings: StudioSettings; readonly fields: FormTexts }
  | { readonly error: string };

const nameOf = (path: string): string => path.replace(/^.*[/\\]/, '').toLowerCase();

/** Films of a class, those of a sheet in its order; and the lines whose film is not there. */
export function membersOf(
  files: readonly File[],
  lines: readonly SheetLine[],
): { readonly members: readonly Member[]; readonly absent: readonly SheetLine[] } {
  const fileOf = ({ own }: SheetLine): File | undefined =>
    files.find(({ name }) => name.toLowerCase() === nameOf(own.video ?? ''));
  const listed = lines.flatMap((line): Member[] => {
    const file = fileOf(line);
    const { video: _, ...row } = line.own;
    return file ? [{ id: `line ${line.line}`, file, group: line.group ?? file.name, row }] : [];
  });
  const others = files
    .filter((file) => !listed.some((member) => member.file === file))
    .map((file): Member => ({ id: file.name, file, group: file.name, row: {} }));
  return { members: [...listed, ...others], absent: lines.filter((line) => !fileOf(line)) };
}

/** Answers that an outcome has, by name. */
export const answersIn = (answers: readonly string[], outcome: Outcome | undefined): [string, Answered][] =>
  outcome && 'found' in outcome
    ? answers.flatMap((name): [string, Answered][] => {
        const { parameters, derived } = outcome.found.estimate;
        const answer = parameters[name] ?? derived[name];
        return answer ? [[name, answer]] : [];
      })
    : [];

/** Estimates of an answer that are trusted and determined, for what the class agrees on. */
export const trustedEstimatesOf = (
  name: string,
  members: readonly Member[],
  outcomes: Readonly<Record<string, Outcome>>,
) =>
  members.flatMap(({ id, group }) => {
    const outcome = outcomes[id];
    const [[, parameter] = []] = answersIn([name], outcome);
    if (!parameter || !(outcome && 'found' in outcome && outcome.found.estimate.verdict.trusted)) return [];
    const { estimate, standardError } = parameter;
    return standardError && Number.isFinite(standardError) ? [{ trial: group, estimate, standardError }] : [];
  });

/** Results of a class as CSV: a line a film. */
export function classCsv(
  answers: readonly string[],
  members: readonly Member[],
  outcomes: Readonly<Record<string, Outcome>>,
): string {
  const head = [
    'group',
    'film',
    'status',
    'trusted',
    ...answers.flatMap((name) => [name, `standard error of ${name}`]),
  ];
  const rows = members.map(({ id, group, file }) => {
    const outcome = outcomes[id];
    const found = Object.fromEntries(answersIn(answers, outcome));
    const status = outcome === undefined ? 'not estimated' : 'error' in outcome ? outcome.error : 'done';
    return [
      ...[group, file.name, status],
      outcome && 'found' in outcome ? outcome.found.estimate.verdict.trusted : null,
      ...answers.flatMap((name) => [found[name]?.estimate ?? null, found[name]?.standardError ?? null]),
    ];
  });
  return [head, ...rows].map((cells) => `${csvLine(cells)}\n`).join('');
}
