import type { Sheet } from '@gradsim/base/tables';
import { useRef, useState } from 'preact/hooks';
import { checkFields } from '../form/fields.ts';
import type { FormTexts } from '../form/texts.ts';
import { labelOf } from '../form/words.ts';
import { kindOf, MEASURES_NOT_ON_PAGES } from '../kinds.ts';
import { runEstimate } from '../run/run.ts';
import { sentenceOf } from '../work/sentence.ts';
import { type Member, membersOf, type Outcome } from './members.ts';

type Module = typeof import('./sheet.ts');

interface Classroom {
  readonly files: readonly File[];
  readonly sheet?: { readonly name: string; readonly content: Sheet };
  readonly module?: Module;
  /** Texts of fields that hold for one film, by its name. */
  readonly own: Readonly<Record<string, FormTexts>>;
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** Member that is being estimated. */
  readonly running?: string;
  readonly error?: string;
}

const EMPTY: Classroom = { files: [], own: {}, outcomes: {} };

/** Films of a class with one set of measurements or a sheet of them, which are estimated one after the other. */
export function useClass(kind: string) {
  const [room, setRoom] = useState(EMPTY);
  const stop = useRef<AbortController>();
  const change = (news: Partial<Classroom>): void => setRoom((now) => ({ ...now, ...news }));

  async function add(files: readonly File[], sheet?: File): Promise<void> {
    const module = await import('./sheet.ts');
    let content: Classroom['sheet'];
    try {
      if (sheet)
        content = {
          name: sheet.name,
          content: module.readSheet(new Uint8Array(await sheet.arrayBuffer()), sheet.name),
        };
    } catch (error) {
      const { message, hint = '' } = sentenceOf(error);
      change({ error: `${message} ${hint}` });
    }
    setRoom((now) => ({
      ...now,
      module,
      files: [...now.files.filter(({ name }) => !files.some((file) => file.name === name)), ...files],
      ...(content ? { sheet: content, error: undefined } : {}),
    }));
  }

  let wrong = room.error;
  let lines: ReturnType<Module['sheetLines']> = [];
  try {
    if (room.sheet && room.module) lines = room.module.sheetLines(room.sheet.content, room.sheet.name, kindOf(kind));
  } catch (error) {
    const { message, hint = '' } = sentenceOf(error);
    wrong = `${message} ${hint}`;
  }
  const { members, absent } = membersOf(room.files, lines);
  const questions = room.module?.sheetQuestions(lines, kindOf(kind).measures) ?? [];

  async function estimate(
    { file, row }: Member,
    shared: FormTexts,
    own: Classroom['own'],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const fields = { ...shared, ...own[file.name], ...row };
    const { values, errors } = checkFields(kindOf(kind), fields);
    const notHere = MEASURES_NOT_ON_PAGES.find((name) => row[name] !== undefined);
    if (notHere !== undefined) return { error: `${labelOf(notHere)}: a page has no files beside the film.` };
    const [missing] = Object.entries(errors);
    if (missing) return { error: `${labelOf(missing[0])}: ${missing[1]}` };
    const settings = { kind, kindFile: kindOf(kind).file, file, measured: { ...values, video: null } };
    try {
      return { found: await runEstimate(settings, signal, () => {}), settings, fields };
    } catch (error) {
      const { message, hint = '' } = sentenceOf(error);
      return { error: `${message} ${hint}`.trim() };
    }
  }

  /** Estimates all films, by the fields that hold for all of them; `shown` are those of the film that is shown. */
  async function run(shared: FormTexts, shown: Classroom['own'] | null): Promise<void> {
    const own = new AbortController();
    stop.current?.abort();
    stop.current = own;
    change({ outcomes: {} });
    for (const member of members) {
      change({ running: member.id });
      const outcome = await estimate(member, shared, { ...room.own, ...shown }, own.signal);
      if (own.signal.aborted) break;
      setRoom((now) => ({ ...now, outcomes: { ...now.outcomes, [member.id]: outcome } }));
    }
    if (stop.current === own) change({ running: undefined });
  }
  return {
    ...room,
    members,
    absent,
    questions,
    wrong,
    add,
    run,
    isOpen: room.files.length > 1 || room.sheet !== undefined,
    setOwn: (name: string, fields: FormTexts) => setRoom((now) => ({ ...now, own: { ...now.own, [name]: fields } })),
    cancel: () => {
      stop.current?.abort();
      change({ running: undefined });
    },
    close: () => {
      stop.current?.abort();
      setRoom(EMPTY);
    },
  };
}
