import { add, conjugate, rotate, scale, transform, transpose } from '@gradsim/base';
import type { NamedValues } from '@gradsim/optim';
import type { FilmCamera } from './camera.ts';
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

const numbers = (value: unknown): number[] => Array.from(value as ArrayLike<number>);

/** View of a camera with another focal length and pose than a known one. */
function viewAt(values: PlacedCamera['values'], known: PlacedCamera): FilmCamera {
  const [rotation, translation, focal, usual] = [
    values.rotation,
    values.translation,
    values.focalLength,
    known.values.focalLength,
  ].map(numbers);
  const [across, upwards] = [focal[0] / usual[0], focal[1] / usual[1]];
  const rows = transpose([rotate(rotation, [1, 0, 0]), rotate(rotation, [0, 1, 0]), rotate(rotation, [0, 0, 1])]);
  const axes = (point: readonly number[]): [number, number, number] => {
    const [x, y, z] = add(transform(rows, point), translation);
    return [x, -y, z];
  };
  const pixel = (right: number, up: number) => known.view.pixel(across * right, upwards * up);
  return {
    ...known.view,
    position: rotate(conjugate(rotation), scale(translation, -1)),
    axes,
    pixel,
    ray: (x, y) => {
      const [right, up] = known.view.ray(x, y);
      return [right / across, up / upwards];
    },
    project: (point) => {
      const [right, up, ahead] = axes(point);
      return pixel(right / ahead, up / ahead);
    },
  };
}
