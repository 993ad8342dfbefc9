import {
  add,
  conjugate,
  mean,
  multiplyQuaternions,
  norm,
  normalizeQuaternion,
  type Quaternion,
  rotate,
  subtract,
  type Vector,
  vectorOf,
} from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import { Marker, MarkerFrame } from '../marker.ts';
import type { MarkerRecording } from '../recording.ts';
import { registerMarkers } from './registration.ts';
import type { MotionStart } from './release.ts';

/** Place of the body in the axes of the recordings: a point X of it at rest lies at R (X - pivot) + translation. */
export interface BodyRegistration {
  readonly orientation: Quaternion;
  /** Middle of the clamp, m, and its position in the axes of the recordings. */
  readonly pivot: Vector;
  readonly translation: Vector;
  /** Gravity in axes of the recordings, m/s^2. */
  readonly gravity: Vector;
  /** Places of markers on the body at rest, m. */
  readonly places: Readonly<Record<string, Vector>>;
  /** Mean position of the markers on the clamp in those axes, m, on which other recordings are laid. */
  readonly origin: Vector;
  /** Mean position of the markers on the clamp as this recording has them, m. */
  readonly clamp: Vector;
}

/** Standard deviations of told quantities; with 0 they are exact, and no unknowns. */
export interface Tolerance {
  /** Position of the clamp, m. */
  readonly position: number;
  /** Turn of each recording about the vertical, rad. */
  readonly rotation: number;
  /** Direction of gravity, rad. */
  readonly gravity: number;
  /**
   * Place of each marker on the body, m, against the others as the first recording has them while the body is held: three unknowns a
   * marker, for bodies that are held bent or twisted.
   */
  readonly standOff: number;
  /** Centre of mass of loads that stand off the surface, m, shared by recordings: three unknowns. */
  readonly load: number;
}

export const TOLERANCE: Tolerance = { position: 0.003, rotation: 0.03, gravity: 0.02, standOff: 0, load: 0.005 };
/** Length of a step of the search, in standard deviations of what is told. */
const SEARCH_STEP = 3;
export function indicesOf(recording: MarkerRecording, names: readonly string[]): number[] {
  return names.map((name) => {
    const index = recording.markers.indexOf(name);
    if (index < 0)
      throw new GradsimError('markers/no-such-marker', `${recording.name} has no marker ${name}.`, {
        hint: `It has ${recording.markers.join(', ')}.`,
      });
    return index;
  });
}

/** Point on which recordings are laid upon each other: the mean of the clamp's markers, or of the body's, while it is held. */
export function originOf(recording: MarkerRecording, start: MotionStart, clampMarkers: readonly string[] = []): Vector {
  if (clampMarkers.length === 0) return vectorOf((c) => mean(start.restPositions.map((p) => p[c])));
  const { positions, markers: all } = recording;
  const chosen = indicesOf(recording, clampMarkers);
  return vectorOf((c) =>
    mean(
      Array.from({ length: start.frame }, (_, f) => chosen.map((m) => positions[3 * (f * all.length + m) + c]))
        .flat()
        .filter(Number.isFinite),
    ),
  );
}

/** Registration by which markers lie on the body as told, while it is held; what is left is how far each stands off. */
export function registerHeldBody(
  recording: MarkerRecording,
  start: MotionStart,
  { origin, pivot }: Pick<BodyRegistration, 'origin' | 'pivot'>,
  { places, gravity }: { readonly places: Readonly<Record<string, Vector>>; readonly gravity: Vector },
): BodyRegistration {
  const names = Object.keys(places);
  const { orientation, translation } = registerMarkers(
    recording.name,
    names,
    Object.values(places),
    start.restPositions,
  );
  const onBody = start.restPositions.map((p) => rotate(conjugate(orientation), subtract(p, translation)));
  return {
    orientation,
    pivot,
    translation: add(rotate(orientation, pivot), translation),
    gravity,
    origin,
    clamp: origin,
    places: Object.fromEntries(names.map((name, m) => [name, onBody[m]])),
  };
}

export const nearest = (all: readonly BodyRegistration[], origin: Vector): BodyRegistration | undefined =>
  [...all].sort((a, b) => norm(subtract(a.clamp, origin)) - norm(subtract(b.clamp, origin)))[0];

const placeOf = (marker: string, axis: number): string => `place of marker ${marker} ${'xyz'[axis]}`;
const turnOf = (recording: MarkerRecording): string => `turn of ${recording.name}`;
/** Index of the axis along which gravity is strongest. */
const gravityAngle = (gravity: Vector): number => gravity.map(Math.abs).indexOf(Math.max(...gravity.map(Math.abs)));

export function registrationBy(
  values: Readonly<Record<string, number>>,
  bodyRegistration: BodyRegistration,
  recording: MarkerRecording,
): BodyRegistration {
  const half = (values[turnOf(recording)] ?? 0) / 2;
  const [x, y, z] = vectorOf((c) => (c === gravityAngle(bodyRegistration.gravity) ? half : 0));
  const vector = (what: string, otherwise: Vector): Vector =>
    vectorOf((c) => values[`${what} ${'xyz'[c]}`] ?? otherwise[c]);
  return {
    ...bodyRegistration,
    orientation: multiplyQuaternions(normalizeQuaternion([x, y, z, 1]), bodyRegistration.orientation),
    translation: vector('translation', bodyRegistration.translation),
    gravity: vector('gravity', bodyRegistration.gravity),
    places: Object.fromEntries(
      Object.entries(bodyRegistration.places).map(([name, place]) => [
        name,
        vectorOf((c) => values[placeOf(name, c)] ?? place[c]),
      ]),
    ),
  };
}

/** Start, prior and scale of an unknown that was told. */
export const givenUnknown = (center: number, standardDeviation: number) => ({
  initial: center,
  prior: { mean: center, standardDeviation },
  scale: SEARCH_STEP * standardDeviation,
});

/**
 * Unknowns of the registration. What stands on a table may be moved and turned on it between two recordings, about the axis
 * along which gravity is strongest; the direction of gravity, and so how it is tilted, is that of all.
 */
export function registrationUnknowns(
  { translation, gravity, places }: BodyRegistration,
  recordings: readonly MarkerRecording[],
  tolerance: Tolerance,
): ParameterSpec[] {
  const strength = Math.hypot(...gravity);
  const up = gravityAngle(gravity);
  const turn = { field: MarkerFrame.turn, component: up, unit: 'rad', ...givenUnknown(0, tolerance.rotation) };
  return [
    ...recordings.map((recording, k) => ({ name: turnOf(recording), elements: [k], ...turn })),
    ...[0, 1, 2].flatMap((component): ParameterSpec[] => {
      const axis = 'xyz'[component];
      const shift = {
        field: MarkerFrame.translation,
        unit: 'm',
        ...givenUnknown(translation[component], tolerance.position),
      };
      const deviation = tolerance.gravity * strength;
      const pull = { field: MarkerFrame.gravity, unit: 'm/s^2', ...givenUnknown(gravity[component], deviation) };
      return [
        { name: `translation ${axis}`, component, ...shift },
        ...(component === up || deviation === 0 ? [] : [{ name: `gravity ${axis}`, component, ...pull }]),
      ];
    }),
    ...(tolerance.standOff === 0 ? [] : Object.entries(places)).flatMap(([name, place], m, all): ParameterSpec[] =>
      [0, 1, 2].map((component) => ({
        name: placeOf(name, component),
        field: Marker.place,
        // Recording after recording.
        elements: recordings.map((_, k) => k * all.length + m),
        component,
        unit: 'm',
        ...givenUnknown(place[component], tolerance.standOff),
      })),
    ),
  ];
}
