import type { NamedValues, PlanCandidate, PredictedFrames, Problem } from '@gradsim/optim';
import type { Size } from '@gradsim/video';
import { outlineCentroidAndSize } from './fields.ts';

/** Names of what `measuredCamera` and `measuredScale` measure of the camera, which is not measured by a ruler. */
const [LENS, FOCAL] = ['field of view', 'focal length'];
const PLACE = ['eye x', 'eye y', 'eye z', 'target x', 'target y', 'target z'];
const HELD = ['tilt of the camera', 'roll of the camera'];
const OTHER = ['marked length in the picture', ...HELD, ...PLACE, LENS, FOCAL];

/** Factors of what can be done: another rate and length of the film, a closer view, better measurements. */
const [FASTER, LONGER, CLOSER, BETTER, LEVEL] = [2, 1.5, 1.5, 0.25, 0.2];
/** Angle by which the camera goes round, and height by which it goes up, as a part of its distance. */
const [ROUND, UP] = [Math.PI / 4, 0.4];
const RADIANS = Math.PI / 180;

/** Other experiments that any film of a moving thing suggests: of its camera, its clock, and what was measured beside it. */
export function filmCandidates({
  given = [],
  parameters = [],
}: Pick<Problem, 'given' | 'parameters'>): PlanCandidate[] {
  const measured = given.map(({ name }) => name);
  const has = (name: string): boolean => measured.includes(name);
  const known = [LENS, FOCAL].filter(has);
  const isPlaced = PLACE.every(has);
  const held = [...parameters.map(({ name }) => name), ...measured].filter((name) => HELD.includes(name));
  return [
    { words: 'film it at twice the frames a second', change: { frameRate: FASTER } },
    { words: 'film half as much again', change: { seconds: LONGER } },
    ...(known.length > 0
      ? [
          {
            words: 'zoom in, so that all is half as large again in the picture',
            change: {
              values: (v: NamedValues) =>
                has(FOCAL)
                  ? { [FOCAL]: CLOSER * v[FOCAL] }
                  : { [LENS]: (2 * Math.atan(Math.tan((v[LENS] * RADIANS) / 2) / CLOSER)) / RADIANS },
            },
          },
          {
            words: 'calibrate the lens (gradsim calibrate)',
            change: { tolerances: Object.fromEntries(known.map((name) => [name, BETTER / 2.5])) },
          },
        ]
      : []),
    ...(held.length > 0
      ? [
          {
            words: 'level the camera with a spirit level',
            change: { tolerances: Object.fromEntries(held.map((name) => [name, LEVEL])) },
          },
        ]
      : []),
    ...(isPlaced
      ? [
          { words: 'film it from further to the side', change: { values: (v: NamedValues) => around(v, ROUND, 0) } },
          { words: 'film it from higher up', change: { values: (v: NamedValues) => around(v, 0, UP) } },
          {
            words: 'measure the place of the camera four times as well',
            change: { tolerances: Object.fromEntries(PLACE.map((name) => [name, BETTER])) },
          },
        ]
      : []),
    ...measured
      .filter((name) => !OTHER.includes(name))
      .map((name) => ({ words: `measure ${name} four times as well`, change: { tolerances: { [name]: BETTER } } })),
  ];
}

/** The camera's eye, gone round its target by an angle, rad, and up by a part of its distance. */
function around(v: NamedValues, angle: number, up: number): NamedValues {
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => v[`eye ${axis}`] - v[`target ${axis}`]);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return {
    'eye x': v['target x'] + cos * x + sin * z,
    'eye y': v['target y'] + y + up * Math.hypot(x, y, z),
    'eye z': v['target z'] + cos * z - sin * x,
  };
}

/** Returns whether an outline lies in the picture in a frame. */
export const isInPicture =
  ({ width, height }: Size) =>
  (predicted: PredictedFrames, frame: number): boolean => {
    const [x, y, size] = predicted[outlineCentroidAndSize.key].subarray(3 * frame, 3 * frame + 3);
    return x > size && x < width - size && y > size && y < height - size;
  };
