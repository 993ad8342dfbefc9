import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { motionOf } from '../../../../packages/gradsim/src/experiment/motion/motion.ts';
import { measuredThing } from '../answer/measured-thing.ts';
import { readSession, type Session } from '../answer/session.ts';
import { templateHere, templateLink } from '../answer/template.ts';
import type { Member, Outcome } from '../class/members.ts';
import { ClassPanel } from '../class/panel.tsx';
import { useClass } from '../class/use-class.ts';
import { Drop } from '../film/drop.tsx';
import type { ModelOutline } from '../film/model-picture.ts';
import { Part } from '../film/part.tsx';
import { Player } from '../film/player.tsx';
import { Record } from '../film/record.tsx';
import { Trim } from '../film/trim.tsx';
import { useFilm } from '../film/use-film.ts';
import { checkFields } from '../form/fields.ts';
import { chosenFields, OF_A_FILM, OF_A_PICTURE, remainingFields } from '../form/film-fields.ts';
import type { FormTexts } from '../form/texts.ts';
import { notWanted, TURNED } from '../form/ticks.ts';
import { KINDS, kindOf, OUTLINE, REACH_FIELD } from '../kinds.ts';
import { useBrush } from '../marks/use-brush.tsx';
import { useCamera } from '../marks/use-camera.tsx';
import { useMark } from '../marks/use-mark.tsx';
import { Ask, Wrong } from '../run/ask.tsx';
import { useEstimate } from '../run/use-estimate.ts';
import { TrackAnswer } from '../track/answer.tsx';
import { useClicks } from '../track/use-clicks.tsx';
import { useTrack } from '../track/use-track.ts';
import { TRACK } from '../track-only.ts';
import type { TrackedThing } from '../work/film-messages.ts';
import { Answer } from './answer.tsx';
import { Downloads } from './downloads.tsx';
import { keepsItself } from './keeps-itself.ts';

/** Things before any is found. */
const NONE: readonly TrackedThing[] = [];
/** Number of directions of the model's outline. */
const DIRECTIONS = 24;

/**
 * The whole page: film, questions, estimation, answer.
 * @param notThere sentence on kinds of the address that are not there.
 */
export function App({ notThere }: { readonly notThere: string }): JSX.Element {
  const [kind, setKindOf] = useState(KINDS[0].name);
  /** True once a person, a session or the address has chosen the kind. */
  const isChosen = useRef(KINDS[0].file !== undefined);
  const [isGuessed, setGuessed] = useState(false);
  const setKind = (next: string): void => {
    isChosen.current = true;
    setGuessed(false);
    setKindOf(next);
  };
  const [fields, setFields] = useState<FormTexts>({});
  const [frame, setFrame] = useState(0);
  const [showsMissing, showMissing] = useState(false);
  /** Questions on units that a press of Estimate has been stopped for. */
  const [asked, ask] = useState('');
  /** True once Estimate was pressed before the film had been read. */
  const [isWaiting, wait] = useState(false);
  const [note, setNote] = useState('');
  /** Name of the film of the session that was opened last: its frames and track hold for no other. */
  const filmOfSession = useRef('');
  const checked = useMemo(() => checkFields(kindOf(kind), fields), [kind, fields]);
  const { film, open } = useFilm(checked.values, kindOf(kind).mask);
  const { run, start, adopt, cancel, clear: clearEstimate } = useEstimate();
  const room = useClass(kind);
  const { followed, start: track, clear: clearTrack } = useTrack();
  const isTrack = kind === TRACK.name;
  const clear = (): void => {
    clearEstimate();
    clearTrack();
  };
  const answerPlace = useRef<HTMLDivElement>(null);

  const setField = (name: string, text: string): void => setFields((now) => ({ ...now, [name]: text }));

  async function take(files: readonly File[]): Promise<void> {
    const isOf = (ending: RegExp) => files.find(({ name }) => ending.test(name));
    const [session, sheet] = [isOf(/\.json$/i), isOf(/\.[ct]sv$/i)];
    if (session) {
      try {
        openSession(readSession(await session.text()));
      } catch (error) {
        setNote((error as Error).message);
      }
      return;
    }
    const films = files.filter((file) => file !== sheet);
    if (films.length > 1 || sheet || room.isOpen) {
      await room.add(film && !room.isOpen && films.length === 0 ? [film.file] : films, sheet);
      if (films.length === 0 || (film && room.isOpen)) return;
    }
    const [file] = films;
    clear();
    setNote('');
    const isOther = file.name !== filmOfSession.current;
    filmOfSession.current = '';
    reopen(file, isOther ? remainingFields(fields, OF_A_FILM) : fields);
  }

  function openSession(session: Session): void {
    clear();
    setKind(session.kind);
    filmOfSession.current = session.film;
    if (film?.file.name === session.film) {
      reopen(film.file, session.fields, session.kind);
      setNote('The session is open.');
      return;
    }
    setFields(session.fields);
    setNote(
      session.film === ''
        ? 'The template is open: drop your film.'
        : `The session is open. Its film was ${session.film}: drop that too.`,
    );
  }

  /** Shows a film of the class, with its answer if there is one. */
  function show({ file }: Member, outcome?: Outcome): void {
    if (film) room.setOwn(film.file.name, chosenFields(fields, OF_A_FILM));
    clear();
    if (film?.file !== file) reopen(file, { ...remainingFields(fields, OF_A_FILM), ...room.own[file.name] });
    if (outcome && 'found' in outcome) adopt(outcome.found, outcome.settings);
  }

  /** Reads a film by new texts of the fields. */
  function reopen(file: File, next: FormTexts, nextKind = kind): void {
    setFields(next);
    const { values } = checkFields(kindOf(nextKind), next);
    setFrame((values.first as number | null) ?? 0);
    open(file, values);
  }

  useEffect(() => {
    try {
      const template = templateHere();
      if (template) openSession(template);
    } catch (error) {
      setNote((error as Error).message);
    }
    const name = new URLSearchParams(location.search).get('film');
    if (name === null) return;
    fetch('film')
      .then(async (response) => {
        if (!response.ok) throw new Error(`The film ${name} is not there any more.`);
        return take([new File([await response.blob()], name)]);
      })
      .catch((error: Error) => setNote(error.message));
  }, []);

  useEffect(() => {
    const likely = film?.likely;
    if (isChosen.current || !KINDS.some(({ name }) => name === likely)) return;
    setKindOf(likely!);
    setGuessed(true);
  }, [film?.likely]);

  /** Opens the film that comes with the page, with what was measured beside it. */
  async function tryOut(): Promise<void> {
    try {
      const [session, bytes] = await Promise.all(
        ['try.json', 'try.mp4'].map(async (name) => {
          const response = await fetch(name);
          if (!response.ok) throw new Error(`${name} of this page is not there.`);
          return response.blob();
        }),
      );
      const { kind: its, fields: given } = readSession(await session.text());
      setKind(its);
      setNote('A pendulum: string and ball were measured, and are filled in. Press Estimate.');
      reopen(new File([bytes], 'pendulum.mp4'), given, its);
    } catch (error) {
      setNote((error as Error).message);
    }
  }

  const info = film?.info;
  const pictures = film?.pictures;
  const size = info && { width: info.width, height: info.height };
  const first = (checked.values.first as number | null) ?? 0;
  const last = (checked.values.last as number | null) ?? (pictures ? pictures.first + pictures.count : 1) - 1;
  const frameRate = (checked.values.frameRate as number | null) ?? info?.frameRate ?? 30;
  const things = film?.things ?? NONE;
  const { found, settings } = run;
  const chosen = useMemo(
    () =>
      (found && settings && measuredThing(things, found.observed, (settings.measured.first as number | null) ?? 0)) ||
      fields.track ||
      (things.length === 1 ? things[0].name : undefined),
    [found, things, fields.track],
  );
  const isAsking = !found && !run.isRunning && !followed.result;
  const known = {
    ...{ kind, fields, checked, showsMissing, frame, size, pictures },
    thing: things.find(({ name }) => name === chosen) ?? things[0],
    onField: setField,
    onFrame: setFrame,
  };
  const box = useCamera(known);
  const mark = useMark(known);
  const clicks = useClicks(known);
  const camera = [box, clicks, mark].find(({ panel }) => panel) ?? mark;
  const brush = useBrush({ fields, onField: setField, frame, size, of: `${kind} of ${film?.file.name}` });
  const motion = useMemo(
    () =>
      found && settings && found.estimate.predicted[OUTLINE] && kindOf(settings.kind).moving
        ? motionOf(found.estimate, found.observed, String(kindOf(settings.kind).moving))
        : null,
    [found],
  );
  useEffect(() => {
    if (!(found || followed.result)) return;
    answerPlace.current?.focus({ preventScroll: true });
    answerPlace.current?.scrollIntoView({ block: 'start' });
  }, [found, followed.result]);

  const modelFrames = found?.estimate.predicted ?? run.progress?.frames;
  const modelAt = (at: number): ModelOutline | undefined => {
    const from = (settings?.measured.first as number | null) ?? 0;
    const [outlines, reaches] = [modelFrames?.[OUTLINE], modelFrames?.[REACH_FIELD]];
    const k = run.observed?.frameOf[at - from];
    if (!outlines || k === undefined || k < 0 || 3 * k >= outlines.length) return undefined;
    return {
      x: outlines[3 * k],
      y: outlines[3 * k + 1],
      reaches: reaches
        ? Array.from(reaches.subarray(DIRECTIONS * k, DIRECTIONS * (k + 1)))
        : Array<number>(DIRECTIONS).fill(outlines[3 * k + 2]),
    };
  };
  const path = found?.estimate.predicted[OUTLINE];
  const modelPath = path && Array.from({ length: path.length / 3 }, (_, k) => [path[3 * k], path[3 * k + 1]] as const);

  const isReading = film?.progress !== undefined;
  const canStart = !isReading && (isTrack ? film?.tracked !== undefined : things.length > 0);
  const missing = Object.keys(checked.errors);
  function estimate(): void {
    setNote('');
    showMissing(true);
    if (missing.length > 0) {
      document.getElementById(`field-${missing[0]}`)?.focus();
      return;
    }
    const questions = Object.keys(checked.questions);
    const doubts = JSON.stringify(checked.questions);
    if (questions.length > 0 && doubts !== asked) {
      ask(doubts);
      setNote('Look at the question below first. If the value is right, press again.');
      document.getElementById(`field-${questions[0]}`)?.focus();
      return;
    }
    wait(!canStart);
    if (!canStart) return;
    if (isTrack) {
      void track(film!.file.name, film!.tracked!, checked.values);
      return;
    }
    const measured = { ...checked.values, video: null };
    void start({ kind, kindFile: kindOf(kind).file, file: film!.file, measured });
  }

  useEffect(() => {
    if (!isWaiting) return;
    if (canStart) estimate();
    else if (!isReading) wait(false);
  }, [isWaiting, canStart, isReading]);

  const player = pictures && size && (
    <Player
      label={film.file.name}
      {...{ pictures, size, frameRate, frame, things, chosen, modelAt, modelPath }}
      range={[first, last]}
      onFrame={setFrame}
      hasWipe={Boolean(modelPath)}
      overlay={
        isAsking ? (
          <>
            {brush.overlay}
            {/* A click for an end of a length would be one of the brush too; corners are dragged. */}
            {(brush.overlay === null || camera === box) && camera.overlay}
          </>
        ) : null
      }
      onChoose={isAsking ? (name) => setField('track', name) : undefined}
    >
      {isAsking ? (
        <>
          <Trim
            {...{ frame, first, last, things }}
            chosen={fields.track ?? ''}
            onField={setField}
            onTurn={() =>
              reopen(film.file, {
                ...remainingFields(fields, OF_A_PICTURE),
                upright: String((Number(fields.upright ?? 0) + 90) % 360),
              })
            }
            onPart={
              pictures.count < info!.frameCount
                ? () => reopen(film.file, remainingFields(fields, OF_A_FILM))
                : undefined
            }
          />
          {brush.panel}
        </>
      ) : null}
    </Player>
  );
  return (
    <>
      <header>
        <h1>
          gradsim <span>studio</span>
        </h1>
        <p>A film in, a number that you can trust out. Your film stays on this device.</p>
      </header>
      <main>
        {[notThere, note].filter(Boolean).map((text) => (
          <p class="note" role="status">
            {text}
          </p>
        ))}
        <Drop hasFilm={film !== null} onFiles={take} onTry={tryOut} />
        {film === null && <Record onFile={(file) => take([file])} />}
        {room.isOpen && (
          <ClassPanel
            {...{ kind, room }}
            notWanted={notWanted(kindOf(kind), fields)}
            shown={film?.file.name}
            isReady={Boolean(player) && !isReading}
            onShow={show}
            onRun={() => {
              if (film) room.setOwn(film.file.name, chosenFields(fields, OF_A_FILM));
              void room.run(
                remainingFields(fields, OF_A_FILM),
                film && { [film.file.name]: chosenFields(fields, OF_A_FILM) },
              );
            }}
          />
        )}
        <Wrong of={film?.error ?? (isTrack ? undefined : film?.nothing)} />
        {film?.progress && (
          <p class="reading" role="status">
            <progress max="1" value={film.progress.fraction} aria-label="Reading" />
            {{ opening: 'Opening the film', pictures: 'Reading the pictures', reading: 'Reading the film' }[
              film.progress.step
            ] ?? 'Finding what moves'}
          </p>
        )}
        {film && info && film.most !== undefined && (
          <Part
            {...{ file: film.file, info, most: film.most }}
            onPart={(from, to) => reopen(film.file, { ...fields, first: String(from), last: String(to) })}
          />
        )}
        {player && !found && !followed.result && (
          <section class="work">
            <div class="film">
              {player}
              {info && (
                <p class="what">
                  {info.width} × {info.height}, {info.frameCount} frames,{' '}
                  {info.frameRate ? `${Number(info.frameRate.toFixed(3))} a second` : 'no clock'}
                  {info.steps && info.steps.longest > 1.5 * info.steps.shortest && ', unevenly spaced in time'}
                </p>
              )}
            </div>
            <Ask
              {...{ kind, isGuessed, texts: fields, checked, showsMissing, run }}
              camera={camera.panel}
              error={run.error ?? followed.error}
              {...{ canStart, isReading, isWaiting }}
              onKind={(next) => {
                setKind(next);
                setFields(remainingFields(fields, [TURNED]));
                showMissing(false);
                clear();
              }}
              onField={setField}
              onStart={estimate}
              onStop={cancel}
              linkOf={() => templateLink({ kind, fields: remainingFields(fields, OF_A_FILM) })}
            />
          </section>
        )}
        {followed.result && player && film.tracked && (
          <div ref={answerPlace} tabIndex={-1} class="answer-place">
            <button type="button" class="back" onClick={clear}>
              ← Change something
            </button>
            <TrackAnswer
              followed={followed as Parameters<typeof TrackAnswer>[0]['followed']}
              {...{ film: film.tracked, file: film.file, fields, pictures: pictures! }}
              player={player}
              onFit={(fit, from) => {
                const next = { ...fields, fit, start: from };
                setFields(next);
                void track(film.file.name, film.tracked!, checkFields(TRACK, next).values);
              }}
            />
          </div>
        )}
        {found && settings && player && (
          <div ref={answerPlace} tabIndex={-1} class="answer-place">
            <button type="button" class="back" onClick={clear}>
              ← Change something
            </button>
            <Answer
              {...{ kind: settings.kind, found, motion, size: size! }}
              notWanted={notWanted(kindOf(settings.kind), fields)}
              mass={(settings.measured.mass as number | null) ?? undefined}
              film={player}
              downloads={<Downloads {...{ found, motion, settings, fields, pictures: pictures! }} />}
            />
          </div>
        )}
      </main>
      <footer>
        <p>
          Everything runs in this page, on this device (cpu, WebAssembly). No request leaves it
          {keepsItself ? ', and it works without a network once it has been opened' : ''}.{' '}
          <a href="licences.txt">Licences</a>
        </p>
      </footer>
    </>
  );
}
