import type { Camera } from '@gradsim/cameras';
import { onPlane } from '@gradsim/cameras';
import type { Track } from '@gradsim/video';

/**
 * Tracks in metres, as CSV with the columns track, frame, time, x, y, z: on the plane of the measured length, z = 0,
 * or, for a camera placed over a floor, on the floor, y = 0. Points whose line of sight misses the plane are left
 * empty.
 * @returns undefined for a camera of unknown pose.
 */
export function metresOf(tracks: readonly Track[], camera: Camera): string | undefined {
  if (!camera.pose) return undefined;
  const plane = {
    normal: camera.metresPerPixel === undefined ? ([0, 1, 0] as const) : ([0, 0, 1] as const),
    offset: 0,
  };
  const rows = tracks.flatMap(({ name, points }) =>
    points.map(({ frame, time, x, y }) => {
      // Tracks count pixels from the corner of the picture, lenses from the middle of the first.
      const place = placed(() => onPlane(camera, [x - 0.5, y - 0.5], plane));
      return [
        name,
        frame,
        ...[time, ...place].map((value) => (Number.isNaN(value) ? '' : Number(value.toPrecision(9)))),
      ].join(',');
    }),
  );
  return ['track,frame,time,x,y,z', ...rows, ''].join('\n');
}

function placed(find: () => readonly number[]): readonly number[] {
  try {
    return find();
  } catch {
    return [Number.NaN, Number.NaN, Number.NaN];
  }
}
