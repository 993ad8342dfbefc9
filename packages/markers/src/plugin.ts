import type { Plugin, Quat, Vec3 } from '@gradsim/core';
import {
  clamp,
  definePlugin,
  inverse,
  kernel,
  matFromColumns,
  normalize,
  quat,
  rotate,
  rotateInverse,
} from '@gradsim/core';
import { Particle, RestPosition } from '@gradsim/particles';
import { HeldParticle, Marker, MarkerFrame } from './marker.ts';

/** Rotation from axes of the body to those of the recording. */
const rotationOf = (orientation: Quat, turn: Vec3): Quat =>
  normalize(quat(turn.x.div(2), turn.y.div(2), turn.z.div(2), 1).mul(normalize(orientation)));

/**
 * Adds the weight m g of held particles, from the release on. In the substep of the release it is that of the part that
 * is left, so that the motion has a derivative by the instant.
 */
export const weighHeldParticle = kernel(
  'weighHeldParticle',
  {
    domain: HeldParticle,
    reads: {
      particle: HeldParticle.particle,
      frame: HeldParticle.frame,
      mass: Particle.totalMass,
      orientation: MarkerFrame.orientation,
      turn: MarkerFrame.turn,
      gravity: MarkerFrame.gravity,
      release: MarkerFrame.release,
    },
    adds: { force: Particle.force },
  },
  ({ particle, frame, mass, orientation, turn, gravity, release, force }, { time, dt }) => {
    const free = clamp(time.add(dt).sub(release.at(frame)).div(dt), 0, 1);
    const rotation = rotationOf(orientation.at(frame), turn.at(frame));
    force.add(particle, rotateInverse(rotation, gravity.at(frame)).mul(mass.at(particle).mul(free)));
  },
);

/**
 * Computes positions of markers in axes of the recording: start + R (x(X) - X), with the place X on the body at rest, R X
 * + translation = start, moved as its element is, affinely: x(X) = x_0 + D w, with X = X_0 + D_m w.
 */
export const seeMarker = kernel(
  'seeMarker',
  {
    domain: Marker,
    reads: {
      corners: Marker.corners,
      frame: Marker.frame,
      start: Marker.start,
      x: Particle.position,
      rest: RestPosition.restPosition,
      orientation: MarkerFrame.orientation,
      turn: MarkerFrame.turn,
      translation: MarkerFrame.translation,
    },
    writes: { position: Marker.position },
  },
  ({ corners, frame, start, x, rest, orientation, turn, translation }) => {
    const rotation = rotationOf(orientation.at(frame), turn.at(frame));
    const edges = (at: (k: number) => Vec3) => matFromColumns([1, 2, 3].map((k) => at(k).sub(at(0))));
    const Dm = edges((k) => rest.at(corners[k]));
    const D = edges((k) => x.at(corners[k]));
    const X = rotateInverse(rotation, start.sub(translation.at(frame)));
    const w = inverse(Dm).mul(X.sub(rest.at(corners[0])));
    const moved = x.at(corners[0]).sub(rest.at(corners[0])).add(D.sub(Dm).mul(w));
    return { position: start.add(rotate(rotation, moved)) };
  },
);

/**
 * Markers of a motion capture on soft bodies: where a recording would see them. Bodies are held until the instant of
 * release.
 *
 * ```ts
 * const scene = createScene([particles(), fem(), markers()]);
 * const frame = scene.add(MarkerFrame, { gravity: [0, -9.81, 0], release: 0.05 });
 * ```
 */
export function markers(): Plugin {
  return definePlugin({
    name: '@gradsim/markers',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [MarkerFrame, Marker, HeldParticle],
    build: ({ model }) => {
      model.addPass('force', weighHeldParticle);
      model.addPass('observe', seeMarker);
    },
  });
}
