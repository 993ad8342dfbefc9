import type { Across, Collider } from '@gradsim/film';
import type { Estimate, NamedValues, ParameterSpec, Problem } from '@gradsim/optim';
import { afterTouch, energyKept, impulseOf, type PlaneVector } from './impulse.ts';
import type { GivenMasses } from './weighed.ts';

/** Velocities of both, m/s, in the plane of the motion. */
interface Velocities {
  readonly before: readonly [PlaneVector, PlaneVector];
  readonly after: readonly [PlaneVector, PlaneVector];
}

/** Unknowns of a collision, and the velocities that follow. */
interface CollisionUnknowns {
  /** Ratio of the masses at which the search starts. */
  readonly ratio: number;
  readonly parameters: readonly ParameterSpec[];
  readonly velocitiesAt: (values: NamedValues) => Velocities;
  readonly derived: NonNullable<Problem['derived']>;
  readonly notes: (found: Estimate) => string[];
}

const ANGLE = 'angle in the picture';
const [E, FRICTION] = ['restitution', 'friction of the touch'];
const SPEEDS = ['first before', 'second before'] as const;
const SIDES = ['right', 'up'] as const;
/** Greatest ratio of masses at which a search starts. */
const MAX_MASS_RATIO = 100;
const RADIANS = Math.PI / 180;

/** Usual restitutions. */
const USUAL = {
  range: [0, 1] as const,
  of: 'that of all that has no spring or fuel of its own,',
  question: 'Do both move along one line, and is it level? Is the marked length along it? Are both seen whole?',
};

/**
 * Unknowns of a collision by its start: on a line, along which both move, or anyhow in a plane, where the direction from one
 * middle to the other tells how they push each other, as it does of round things.
 */
export function collisionUnknowns(
  seen: 'side' | 'above',
  [first, second]: readonly [Collider, Collider],
  { ratio: ratioAt, masses }: GivenMasses,
  { turn, placesAt }: { readonly turn: string; readonly placesAt: (v: NamedValues) => readonly (readonly number[])[] },
): CollisionUnknowns {
  const isLine = seen === 'side';
  const along = unit(first.before);
  const towards = unit([second.position[0] - first.position[0], second.position[1] - first.position[1]]);
  const heads = along[0] * towards[0] + along[1] * towards[1] < 0 ? -1 : 1;
  const speedOf = (velocity: Across): number => velocity[0] * along[0] + velocity[1] * along[1];
  const onLine = (velocity: Across): PlaneVector => [speedOf(velocity), 0];
  const start = isLine
    ? impulseOf([onLine(first.before), onLine(first.after)], [onLine(second.before), onLine(second.after)], [heads, 0])
    : impulseOf([first.before, first.after], [second.before, second.after], towards);
  const ratio = Math.min(Math.max(start.ratio, 1 / MAX_MASS_RATIO), MAX_MASS_RATIO);

  const lineAt = (v: NamedValues): PlaneVector => [Math.cos(v[ANGLE] * RADIANS), Math.sin(v[ANGLE] * RADIANS)];
  const times = (speed: number, [x, y]: PlaneVector): PlaneVector => [speed * x, speed * y];
  const beforeAt = (v: NamedValues): readonly [PlaneVector, PlaneVector] => {
    const [a, b] = isLine
      ? SPEEDS.map((name) => times(v[name], lineAt(v)))
      : SPEEDS.map((name): PlaneVector => [v[`${name}, ${SIDES[0]}`], v[`${name}, ${SIDES[1]}`]]);
    return [a, b];
  };
  const normalAt = (v: NamedValues): PlaneVector => {
    if (isLine) return times(heads, lineAt(v));
    const [a, b] = placesAt(v);
    // In the plane, which is turned about the vertical.
    return unit([(b[0] - a[0]) * Math.cos(v[turn]) - (b[2] - a[2]) * Math.sin(v[turn]), b[1] - a[1]]);
  };
  const velocitiesAt = (v: NamedValues): Velocities => {
    const before = beforeAt(v);
    const [a, b] = before;
    const friction = isLine ? 0 : v[FRICTION];
    const touch = { first: a, second: b, normal: normalAt(v), restitution: v[E], ratio: ratioAt(v), friction };
    return { before, after: afterTouch(touch) };
  };
  const speedAfter = (k: 0 | 1) => (v: NamedValues) => {
    const [x, y] = velocitiesAt(v).after[k];
    return isLine ? x * lineAt(v)[0] + y * lineAt(v)[1] : Math.hypot(x, y);
  };
  const speed = (name: string, initial: number): ParameterSpec => ({ name, initial, scale: 0.1, unit: 'm/s' });
  return {
    ratio,
    parameters: [
      { name: E, initial: Math.min(Math.max(start.restitution, 0), 1), scale: 0.1, usual: USUAL },
      ...[first, second].flatMap(({ before }, k) =>
        isLine
          ? [speed(SPEEDS[k], speedOf(before))]
          : SIDES.map((side, c) => speed(`${SPEEDS[k]}, ${side}`, before[c])),
      ),
      isLine
        ? { name: ANGLE, initial: Math.atan2(along[1], along[0]) / RADIANS, scale: 2, unit: 'degrees' }
        : { name: FRICTION, initial: start.friction, scale: 0.1 },
    ],
    velocitiesAt,
    derived: {
      'first after': { unit: 'm/s', compute: speedAfter(0) },
      'second after': { unit: 'm/s', compute: speedAfter(1) },
      'energy kept': {
        compute: (v) => {
          const { before, after } = velocitiesAt(v);
          return energyKept(before, after, ratioAt(v));
        },
      },
      ...(masses && {
        momentum: {
          unit: 'kg m/s',
          compute: (v: NamedValues) => {
            const [[a, b], [m, n]] = [beforeAt(v), masses(v)];
            return isLine ? m * v[SPEEDS[0]] + n * v[SPEEDS[1]] : Math.hypot(m * a[0] + n * b[0], m * a[1] + n * b[1]);
          },
        },
        energy: {
          unit: 'J',
          compute: (v: NamedValues) => {
            const [[a, b], [m, n]] = [beforeAt(v), masses(v)];
            return (m * (a[0] ** 2 + a[1] ** 2) + n * (b[0] ** 2 + b[1] ** 2)) / 2;
          },
        },
      }),
    },
    notes: (found) => [sentenceOf(found)],
  };
}

const unit = ([x, y]: Across | PlaneVector): PlaneVector => {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
};

/** Momentum and energy in a sentence. */
function sentenceOf({ derived = {} }: Estimate): string {
  const { momentum, energy, 'energy kept': kept } = derived;
  const part = (100 * kept.estimate).toFixed(0);
  const error = kept.standardError === null ? '' : ` ± ${(100 * kept.standardError).toFixed(1)}`;
  const total = momentum ? `, ${momentum.estimate.toPrecision(3)} kg m/s` : '';
  const joules = energy ? ` of ${energy.estimate.toPrecision(3)} J` : '';
  return `The momentum of both together${total} is the same before and after; of their energy of motion${joules}, ${part}${error} % is left.`;
}
