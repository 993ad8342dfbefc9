import { conjugate, rotate, scale } from '@gradsim/base';
import type { NamedValues } from '@gradsim/optim';
import type { FilmCamera } from './film-camera.ts';
import { cameraOf } from './film-camera.ts';
import type { PlacedCamera } from './measured-camera.ts';

/**
 * Camera at other values of what was measured of it, by name: those of an estimate, or of a start that allows for their errors.
 * Its distortion and the middle of its pictures are the same.
 *
 * ```ts
 * const { values, view } = cameraAt(camera, { ...measuredValues, 'field of view': 46 });
 * ```
 */
export function cameraAt(camera: PlacedCamera, v: NamedValues): Pick<PlacedCamera, 'values' | 'view'> {
  const tied = camera.ties.map(({ field, compute }) => [
    String(typeof field === 'string' ? field : field.key).split('.')[1],
    compute(v),
  ]);
  const values: PlacedCamera['values'] = { ...camera.values, ...Object.fromEntries(tied) };
  return { values, view: viewAt(values, camera) };
}

const numbersIn = (value: unknown): number[] => Array.from(value as ArrayLike<number>);

/** View of a camera with another focal length and pose than a known one. */
function viewAt(values: PlacedCamera['values'], known: PlacedCamera): FilmCamera {
  const [rotation, translation, focal, usual] = [
    values.rotation,
    values.translation,
    values.focalLength,
    known.values.focalLength,
  ].map(numbersIn);
  const { numbers } = known.view;
  const [wide, high, ...middle] = numbers.lens;
  const away = conjugate(rotation);
  return cameraOf({
    ...numbers,
    position: rotate(away, scale(translation, -1)),
    // The camera's own y points down.
    axes: [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
    ].map((axis) => rotate(away, axis)),
    lens: [(wide * focal[0]) / usual[0], (high * focal[1]) / usual[1], ...middle],
  });
}
