import type { Value } from '@gradsim/kinds';
import type { TrackSettings } from '../../../../packages/gradsim/src/track/follow.ts';

/** A click on the thing. */
export interface Click {
  readonly frame: number;
  readonly x: number;
  readonly y: number;
}

/** Clicks of the text of a field: frame, x, y of each. */
export const clicksOf = (numbers: readonly number[]): Click[] =>
  Array.from({ length: Math.floor(numbers.length / 3) }, (_, k) => {
    const [frame, x, y] = numbers.slice(3 * k, 3 * k + 3);
    return { frame, x, y };
  });

/** Formulas, and values at which their searches start, of texts. @throws for starts that are no numbers. */
export function formulasIn(fit: string, start: string): Pick<TrackSettings, 'fit' | 'start'> {
  const parts = (text: string): string[] =>
    text
      .split(/[;\n]/)
      .map((each) => each.trim())
      .filter(Boolean);
  return { fit: parts(fit), start: Object.fromEntries(parts(start).map(startOf)) };
}

/** Settings of `gradsim track` from the page's fields. @throws for starts that are no numbers. */
export function settingsOf(film: string, values: Readonly<Record<string, Value>>): TrackSettings {
  const number = (name: string): number | undefined => (values[name] as number | null) ?? undefined;
  const { ends, origin, marks, track, marksAlone } = values;
  const clicks = clicksOf((marks ?? []) as readonly number[]).sort((a, b) => a.frame - b.frame);
  return {
    film,
    length: ends ? number('span') : undefined,
    between: (ends as readonly number[] | null) ?? undefined,
    size: number('size'),
    lengthTolerance: number('lengthTolerance')!,
    origin: (origin as readonly number[] | null) ?? undefined,
    axis: number('axis')!,
    object: track === null ? undefined : Number(track),
    marks: clicks.length > 0 ? { points: clicks } : undefined,
    markError: number('markError'),
    marksAlone: marksAlone === 'yes',
    mass: number('mass'),
    gravity: number('gravity')!,
    window: number('window'),
    ...formulasIn(String(values.fit ?? ''), String(values.start ?? '')),
  };
}

function startOf(text: string): [string, number] {
  const [, name, value] = /^(\w+)\s*=\s*([-+]?[\d.,]+(?:e[-+]?\d+)?)$/i.exec(text) ?? [];
  if (name !== undefined) return [name, Number(value.replace(',', '.'))];
  throw new Error(`"${text}" is no start of a parameter: write it as in w = 6; p = 0.`);
}
