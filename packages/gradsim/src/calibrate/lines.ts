import type { Calibration, Camera, FoundPose } from '@gradsim/cameras';
import { cameraPosition } from '@gradsim/cameras';
import { alignColumns } from '../terminal/align-columns.ts';
import { formatEstimate, formatNumber, formatStandardError } from '../terminal/numbers.ts';

/** Lens parameters as text, one line each. */
export function lensTable({ focalLength, principalPoint, distortion, calibration }: Camera): string[] {
  const [[fx, fy], [cx, cy], [k1, k2, p1, p2, k3]] = [focalLength, principalPoint, distortion];
  const errors = calibration?.standardErrors ?? {};
  const rows = Object.entries({ fx, fy, cx, cy, k1, k2, p1, p2, k3 })
    .filter(([name]) => name in errors)
    .map(([name, value]) => [
      name.length === 2 && 'fc'.includes(name[0]) ? `${name} [px]` : name,
      formatEstimate(value, errors[name]),
      formatStandardError(errors[name], 'none'),
    ]);
  return alignColumns([['lens', 'estimate', 'standard error'], ...rows]);
}

/** Lines of text: reprojection error of the board's corners over all views, and the views that were left out. */
export function viewLines({ camera, views, leftOut, tilt }: Calibration): string[] {
  const worst = views.reduce((a, b) => (b.rms > a.rms ? b : a));
  return [
    `Corners are ${formatNumber(camera.calibration!.rms, 3)} pixels off (root mean square) in ${views.length} views, turned against each other by up to ${tilt.toFixed(0)} degrees; most in ${worst.name}, ${formatNumber(worst.rms, 3)}.`,
    ...(leftOut.length > 0 ? [`Left out, since their corners are far off: ${leftOut.join('; ')}.`] : []),
  ];
}

/** Position of the camera, m, with its uncertainty and reprojection error, as text. */
export function poseLines({ pose, rms, standardErrors }: FoundPose): string[] {
  const place = cameraPosition(pose).map((v) => formatNumber(v, 4));
  const doubt = Math.max(...standardErrors.translation);
  const known = Number.isFinite(doubt) ? `, known to ${formatNumber(1000 * doubt, 2)} mm` : '';
  return [`The camera is at (${place.join(', ')}) m${known}; points are ${formatNumber(rms, 3)} pixels off.`];
}
