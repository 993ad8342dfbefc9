import { dot } from '@gradsim/base';
import type { Incline } from '@gradsim/film';
import type { Estimate } from '@gradsim/optim';

/** Sine of the angle by which a camera has to be below an incline to be questioned: more than angles are off. */
const CLEARLY_BELOW = 0.07;

/** Question about a camera below the plane of the incline, whose near edge hides the foot of the box; undefined above it. */
export function hiddenFoot(eye: readonly number[], { normal, offset, point }: Incline): string | undefined {
  const below = offset - dot(normal, eye);
  if (below < CLEARLY_BELOW * Math.hypot(...point.map((c, k) => eye[k] - c))) return undefined;
  return `The camera is ${below.toFixed(2)} m below the plane of the incline: does its edge hide the foot of the box? Film it from above, or measure angle, point and eye again.`;
}

/** Note whether the box slides all through the film: if it comes to rest, only a bound of friction is known. */
export function slideNote({ parameters }: Estimate, gravity: number, tilt: number, seconds: number): string {
  const slowing = gravity * (parameters.friction.estimate * Math.cos(tilt) - Math.sin(tilt));
  const stop = slowing > 0 ? Math.max(parameters.speed.estimate, 0) / slowing : Number.POSITIVE_INFINITY;
  if (stop >= seconds) return 'The box slides all through the film.';
  return `The box slides for ${stop.toFixed(2)} s and then stands still, which tells only that friction is above ${Math.tan(tilt).toFixed(3)}.`;
}
