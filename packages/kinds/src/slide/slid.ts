import type { Estimate } from '@gradsim/optim';

/** Note whether the box slides all through the film: if it comes to rest, only a bound of friction is known. */
export function slideNote({ parameters }: Estimate, gravity: number, tilt: number, seconds: number): string {
  const slowing = gravity * (parameters.friction.estimate * Math.cos(tilt) - Math.sin(tilt));
  const stop = slowing > 0 ? Math.max(parameters.speed.estimate, 0) / slowing : Number.POSITIVE_INFINITY;
  if (stop >= seconds) return 'The box slides all through the film.';
  return `The box slides for ${stop.toFixed(2)} s and then stands still, which tells only that friction is above ${Math.tan(tilt).toFixed(3)}.`;
}
