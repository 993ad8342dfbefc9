import { levenbergMarquardt } from '@gradsim/base';
import type { BoxState, Film, Incline, ObservedOutline, PlacedCamera } from '@gradsim/film';
import { cameraAt, sizeIn } from '@gradsim/film';
import { boxResiduals } from '@gradsim/kinds/define';
import type { GivenSpec, NamedValues, ParameterSpec } from '@gradsim/optim';

/** Standard deviation of the px by which the outlines of all masks are larger than the box. */
const BIAS = 0.5;
/** Natural step of an unknown that has none. */
const SCALE = 0.1;
/** Decrease of the sum of squares below which the fit ends. */
const GAIN = 0.1;

/** A slide's measurements and unknowns. */
export interface SlideSpecs {
  readonly camera: PlacedCamera;
  readonly inclineAt: (degrees: number) => Incline;
  /** Gravity, m/s^2. */
  readonly gravity: number;
  readonly parameters: readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
}

/** Slide near outlines: values of the unknowns and of the given quantities, by name, and states of the box by frame. */
export interface NearSlide {
  readonly v: NamedValues;
  readonly states: readonly BoxState[];
}

/**
 * Slide that fits outlines by least squares, in a closed form: fits to pixels need it to some pixels only. What was measured is
 * fitted too: with measured values as they are, fewer pixels would be explained.
 *
 * @param start values from which the search starts, by name. Default: the initial and the measured ones.
 */
export function slideNear(
  { times }: Pick<Film, 'times'>,
  outlines: readonly (ObservedOutline | null | undefined)[],
  { camera, inclineAt, gravity, parameters, given }: SlideSpecs,
  start: NamedValues = {},
): NearSlide {
  const exact = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const unknowns: readonly Pick<ParameterSpec, 'name' | 'initial' | 'scale' | 'prior'>[] = [
    ...parameters,
    ...[...given, { name: 'bias', value: 0, tolerance: BIAS }]
      .filter(({ tolerance }) => tolerance > 0)
      .map(({ name, value, tolerance }) => ({
        name,
        initial: value,
        scale: tolerance,
        prior: { mean: value, standardDeviation: tolerance },
      })),
  ];
  // The errors of a box's outlines are common to all frames: together they tell no more of what was measured than one of them.
  const priorWeight = Math.sqrt(outlines.filter((seen) => seen?.reaches).length);
  const valuesOf = (values: readonly number[]): NamedValues => ({
    ...exact,
    ...Object.fromEntries(unknowns.map(({ name }, k) => [name, values[k]])),
  });
  const statesAt = (v: NamedValues): BoxState[] => {
    const incline = inclineAt(v.angle);
    return times.map((time) => slidAt(incline, v, gravity, time));
  };
  const residuals = (values: readonly number[]): number[] => {
    const v = valuesOf(values);
    const { view } = cameraAt(camera, v);
    return [
      ...boxResiduals({ size: sizeIn(v), view, bias: v.bias }, statesAt(v), outlines),
      ...unknowns.flatMap(({ prior }, k) =>
        prior ? [(priorWeight * (values[k] - prior.mean)) / prior.standardDeviation] : [],
      ),
    ];
  };
  const scales = unknowns.map(({ scale = SCALE }) => scale);
  let values = unknowns.map(({ name, initial }) => start[name] ?? initial);
  // First what nobody measured: where the camera hardly sees the incline from above, a track alone leaves the place across open.
  for (const own of [unknowns.flatMap(({ prior }, k) => (prior ? [] : [k])), [...unknowns.keys()]])
    values = levenbergMarquardt([{ unknowns: own, residuals }], values, scales, GAIN).values;
  const v = valuesOf(values);
  return { v, states: statesAt(v) };
}

/** State of a box on an incline after some seconds, by constant forces until it stands, and from there on. */
function slidAt(incline: Incline, v: NamedValues, gravity: number, seconds: number): BoxState {
  const [drive, brake] = [gravity * Math.sin(incline.tilt), v.friction * gravity * Math.cos(incline.tilt)];
  const first = drive - (v.speed < 0 ? -brake : brake);
  const stop = -v.speed / first;
  const stands = stop > 0 && stop < seconds;
  const then = stands ? Math.max(0, drive - brake) : first;
  const left = stands ? seconds - stop : seconds;
  const [far, speed] = stands ? [(v.speed * stop) / 2, 0] : [0, v.speed];
  return {
    position: incline.placeAt(v.downhill + far + (speed + (then * left) / 2) * left, v.across, v.height / 2),
    velocity: incline.downhill.map((c) => c * (speed + then * left)),
    orientation: incline.orientationAt(v['turn of the box']),
    angularVelocity: [0, 0, 0],
  };
}
