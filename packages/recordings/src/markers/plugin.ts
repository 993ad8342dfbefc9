import type { F32, Plugin, Quat, Vec3 } from '@gradsim/core';
import {
  clamp,
  definePlugin,
  f32,
  inverse,
  kernel,
  matFromColumns,
  normalize,
  quat,
  rotate,
  rotateInverse,
  select,
} from '@gradsim/core';
import { TET_EDGES } from '@gradsim/fem';
import { Particle, RestPosition } from '@gradsim/particles';
import { HeldParticle, LedParticle, Marker, MarkerFrame, measuredMotion } from './marker.ts';

/** Rotation from axes of the body to those of the recording. */
const rotationOf = (orientation: Quat, turn: Vec3): Quat =>
  normalize(quat(turn.x.div(2), turn.y.div(2), turn.z.div(2), 1).mul(normalize(orientation)));

/** Shape functions of a quadratic tetrahedron at a place on the body at rest, from the corners of its element at rest. */
function shapeAt(place: Vec3, corner: (k: number) => Vec3): F32[] {
  const edges = matFromColumns([1, 2, 3].map((k) => corner(k).sub(corner(0))));
  const w = inverse(edges).mul(place.sub(corner(0)));
  const at = [f32(1).sub(w.x).sub(w.y).sub(w.z), w.x, w.y, w.z];
  return [...at.map((l) => l.mul(l.mul(2).sub(1))), ...TET_EDGES.map(([i, j]) => at[i].mul(at[j]).mul(4))];
}

/** Sum of the values at an element's nodes, weighed by its shape functions. */
const interpolated = (shape: readonly F32[], at: (k: number) => Vec3): Vec3 =>
  shape.map((N, k) => at(k).mul(N)).reduce((sum, term) => sum.add(term));

/** Rate at which motion is damped while the hand takes hold, times the duration of that. */
const DAMPING_FACTOR = 8;

/**
 * Adds the weight m g of held particles, which grows from nothing in the first half of the time in which the hand takes
 * hold. In that time motion is damped, so that the body comes to rest in the shape in which it is held.
 */
export const weighHeldParticle = kernel(
  'weighHeldParticle',
  {
    domain: HeldParticle,
    reads: {
      particle: HeldParticle.particle,
      frame: HeldParticle.frame,
      v: Particle.velocity,
      mass: Particle.totalMass,
      orientation: MarkerFrame.orientation,
      turn: MarkerFrame.turn,
      gravity: MarkerFrame.gravity,
      settled: MarkerFrame.settled,
    },
    adds: { force: Particle.force },
  },
  ({ particle, frame, v, mass, orientation, turn, gravity, settled, force }, { time }) => {
    const duration = settled.at(frame);
    const share = clamp(time.mul(2).div(duration), 0, 1);
    const rotation = rotationOf(orientation.at(frame), turn.at(frame));
    const weight = rotateInverse(rotation, gravity.at(frame)).mul(share);
    const drag = v.at(particle).mul(select(time.lt(duration), f32(DAMPING_FACTOR).div(duration), 0));
    force.add(particle, weight.sub(drag).mul(mass.at(particle)));
  },
);

/**
 * Leads a particle along its measured motion until the release, as a hand that holds the body does: it is accelerated by w^2
 * (measured - simulated) + 2 w (their velocities), for the grip w. Between frames the measured motion is Hermite's cubic of
 * positions and velocities. In the substep of the release the hand counts for the part before it, so that the motion has a
 * derivative by the instant.
 */
export const leadParticle = kernel(
  'leadParticle',
  {
    domain: LedParticle,
    reads: {
      particle: LedParticle.particle,
      frame: LedParticle.frame,
      grip: LedParticle.grip,
      ...measuredMotion,
      x: Particle.position,
      v: Particle.velocity,
      mass: Particle.totalMass,
      rest: RestPosition.restPosition,
      orientation: MarkerFrame.orientation,
      turn: MarkerFrame.turn,
      pivot: MarkerFrame.pivot,
      translation: MarkerFrame.translation,
      interval: MarkerFrame.interval,
      settled: MarkerFrame.settled,
      release: MarkerFrame.release,
    },
    adds: { force: Particle.force },
  },
  ({ particle, frame, grip, x, v, mass, rest, orientation, turn, ...motion }, { time, dt, frame: number }) => {
    const { from, to, velocityFrom, velocityTo, pivot, translation, interval, settled, release, force } = motion;
    const rotation = rotationOf(orientation.at(frame), turn.at(frame));
    const h = interval.at(frame);
    const [position, velocity] = hermite(time.div(h).sub(number.toF32()), h, [from, velocityFrom, to, velocityTo]);
    const share = clamp(time.div(settled.at(frame)), 0, 1);
    const atRest = rest.at(particle);
    const measured = rotateInverse(rotation, position.sub(translation.at(frame))).add(pivot.at(frame));
    const gap = atRest.add(measured.sub(atRest).mul(share)).sub(x.at(particle));
    const slip = rotateInverse(rotation, velocity).sub(v.at(particle));
    const held = clamp(release.at(frame).sub(time).div(dt), 0, 1);
    force.add(
      particle,
      gap
        .mul(grip)
        .add(slip.mul(2))
        .mul(grip.mul(mass.at(particle)).mul(held)),
    );
  },
);

/** Hermite's cubic at s in [0, 1] of a stretch of the duration h, and its derivative by time. */
function hermite(
  s: F32,
  h: F32,
  [from, velocityFrom, to, velocityTo]: readonly [Vec3, Vec3, Vec3, Vec3],
): [position: Vec3, velocity: Vec3] {
  // p = from + s (h v + s (a + s b)), with p(1) = to and p'(1) = h velocityTo.
  const [start, end] = [velocityFrom.mul(h), velocityTo.mul(h)];
  const way = to.sub(from);
  const a = way.mul(3).sub(start.mul(2)).sub(end);
  const b = start.add(end).sub(way.mul(2));
  const position = from.add(start.add(a.add(b.mul(s)).mul(s)).mul(s));
  const velocity = start
    .add(
      a
        .mul(2)
        .add(b.mul(s.mul(3)))
        .mul(s),
    )
    .div(h);
  return [position, velocity];
}

/** Computes positions of markers in axes of the recording: R (x(X) - pivot) + translation, x(X) by shape functions. */
export const markerPosition = kernel(
  'seeMarker',
  {
    domain: Marker,
    reads: {
      nodes: Marker.nodes,
      frame: Marker.frame,
      place: Marker.place,
      x: Particle.position,
      rest: RestPosition.restPosition,
      orientation: MarkerFrame.orientation,
      turn: MarkerFrame.turn,
      pivot: MarkerFrame.pivot,
      translation: MarkerFrame.translation,
    },
    writes: { position: Marker.position },
  },
  ({ nodes, frame, place, x, rest, orientation, turn, pivot, translation }) => {
    const rotation = rotationOf(orientation.at(frame), turn.at(frame));
    const shape = shapeAt(place, (k) => rest.at(nodes[k]));
    const arm = interpolated(shape, (k) => x.at(nodes[k])).sub(pivot.at(frame));
    return { position: rotate(rotation, arm).add(translation.at(frame)) };
  },
);

/**
 * Markers of a motion capture on soft bodies: where a recording would see them. Bodies are held, and led along the
 * measured motion, until the instant of release.
 *
 * ```ts
 * const scene = createScene([particles(), fem(), markers()]);
 * const frame = scene.add(MarkerFrame, { gravity: [0, -9.81, 0], release: 0.05 });
 * ```
 */
export function markers(): Plugin {
  return definePlugin({
    name: '@gradsim/recordings/markers',
    contract: 1,
    requires: ['@gradsim/particles'],
    components: [MarkerFrame, Marker, HeldParticle, LedParticle],
    build: ({ model }) => {
      for (const field of Object.values(measuredMotion)) model.addField(field, { variesBy: 'frame', fill: 0 });
      model.addPass('force', weighHeldParticle);
      model.addPass('force', leadParticle);
      model.addPass('observe', markerPosition);
    },
  });
}
