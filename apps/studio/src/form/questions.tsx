import type { Measure } from '@gradsim/kinds';
import type { JSX } from 'preact';
import { KINDS, kindOf, MEASURES_NOT_ASKED } from '../kinds.ts';
import { Drawing } from './drawings.tsx';
import type { Checked } from './fields.ts';
import type { FormTexts } from './texts.ts';
import { defaultText } from './texts.ts';
import { ticksOf, turn } from './ticks.ts';
import { describe, EXPERT_MEASURES, labelOf, wordOf } from './words.ts';

interface QuestionsProps {
  readonly kind: string;
  /** True if the path of the thing chose the kind. */
  readonly isGuessed: boolean;
  readonly onKind: (kind: string) => void;
  readonly texts: FormTexts;
  readonly onField: (name: string, text: string) => void;
  readonly checked: Checked;
  /** True if errors of fields that are still empty are shown. */
  readonly showsMissing: boolean;
  /** Panel on the camera, for kinds that have one. */
  readonly camera?: JSX.Element | null;
}

/** Choice of the kind, what is looked for, and what must be measured for it: the measures of `gradsim new`. */
export function Questions({ kind, isGuessed, onKind, camera, ...rest }: QuestionsProps): JSX.Element {
  const { measures, meaning, finds } = kindOf(kind);
  const { texts, onField } = rest;
  const ticks = ticksOf(kindOf(kind), texts);
  const tickOf = (name: string) => ticks.find(({ measure }) => measure === name);
  const asked = Object.keys(measures).filter(
    (name) => !MEASURES_NOT_ASKED.includes(name) && !isPath(measures[name].type) && !tickOf(name)?.isTicked,
  );
  const isFirst = (name: string): boolean => measures[name].isFirst === true || tickOf(name)?.isTurned === true;
  return (
    <>
      <fieldset class="kinds">
        <legend>What happens in it?</legend>
        {KINDS.map(({ name, title }) => (
          <label class={name === kind ? 'kind chosen' : 'kind'}>
            <input type="radio" name="kind" value={name} checked={name === kind} onChange={() => onKind(name)} />
            <Drawing kind={name} />
            <span>{title}</span>
          </label>
        ))}
      </fieldset>
      <p class="finds" role="status">
        {isGuessed && 'Chosen by its path; choose another if it is wrong. '}Finds {finds}.
      </p>
      {ticks.length > 1 && (
        <fieldset class="ticks">
          <legend>What are you looking for?</legend>
          {ticks.map((tick) => (
            <label>
              <input
                type="checkbox"
                name={`find ${tick.answer}`}
                checked={tick.isTicked}
                onChange={() => {
                  for (const [name, text] of Object.entries(turn(kindOf(kind), texts, tick))) onField(name, text);
                }}
              />
              <span>
                <b>{tick.answer}</b>
                {meaning[tick.answer] && `: ${meaning[tick.answer]}`}
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <fieldset class="fields">
        <legend>What did you measure?</legend>
        {asked.filter(isFirst).map((name) => (
          <Field name={name} measure={measures[name]} {...rest} />
        ))}
      </fieldset>
      {camera}
      <fieldset class="fields">
        {[false, true].map((isForExperts) => (
          <details>
            <summary>{isForExperts ? 'For experts' : 'More that may be known'}</summary>
            {asked
              .filter((name) => !isFirst(name) && EXPERT_MEASURES.includes(name) === isForExperts)
              .map((name) => (
                <Field name={name} measure={measures[name]} {...rest} />
              ))}
          </details>
        ))}
      </fieldset>
    </>
  );
}

/** True for measures that a kind of others has of files, which a page has none of; they have a default. */
const isPath = (type: Measure['type']): boolean => ['file', 'camera', 'data', 'written'].includes(type as string);

type FieldProps = Pick<QuestionsProps, 'texts' | 'onField' | 'checked' | 'showsMissing'> & {
  readonly name: string;
  readonly measure: Measure;
};

/** Labelled field of a measure. */
export function Field({ name, measure, texts, onField, checked, showsMissing }: FieldProps): JSX.Element {
  const text = texts[name] ?? defaultText(measure);
  const error = text.trim() !== '' || showsMissing ? checked.errors[name] : undefined;
  const remark = error ?? checked.questions[name];
  const id = `field-${name}`;
  const shared = {
    id,
    'aria-describedby': `${id}-what${remark ? ` ${id}-remark` : ''}`,
    'aria-invalid': error !== undefined,
  } as const;
  return (
    <div class="field">
      <label for={id}>{labelOf(name)}</label>
      {typeof measure.type === 'object' ? (
        <select {...shared} value={text} onChange={({ currentTarget }) => onField(name, currentTarget.value)}>
          {measure.type.map((word) => (
            <option value={word}>{wordOf(name, word)}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={measure.type === 'vector' ? 'text' : 'decimal'}
          autoComplete="off"
          placeholder={measure.type === 'vector' ? 'x, y, z' : measure.default === undefined ? '' : 'not known'}
          value={text}
          onInput={({ currentTarget }) => onField(name, currentTarget.value)}
        />
      )}
      <p class="what" id={`${id}-what`}>
        {describe(name, measure)}
      </p>
      {remark && (
        <p class={error ? 'wrong' : 'question'} id={`${id}-remark`} role="status">
          {remark}
        </p>
      )}
    </div>
  );
}
