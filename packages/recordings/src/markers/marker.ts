import { column, computed, defineComponent, f32, field, reference, vec3 } from '@gradsim/core';
import { orientation } from '@gradsim/dynamics';
import { Particle } from '@gradsim/particles';

/**
 * Axes of a recording of markers, beside those of the simulated body at rest: a point X of the body at rest lies at R
 * (X - pivot) + translation of the recording, where R turns by `orientation` and then by `turn`.
 */
export const MarkerFrame = defineComponent(
  'markerFrames',
  {
    /** Rotation from the axes of the body to those of the recording. */
    orientation,
    /** Small further rotation, in axes of the recording: unit vector times twice the tangent of half the angle. */
    turn: column(vec3, { default: 0, unit: 'rad' }),
    /** Point of the body at rest about which it turns, such as the middle of its clamp. */
    pivot: column(vec3, { default: 0, unit: 'm' }),
    /** Position of the pivot in axes of the recording. */
    translation: column(vec3, { default: 0, unit: 'm' }),
    /** Gravity in axes of the recording. */
    gravity: column(vec3, { default: 0, unit: 'm/s^2' }),
    /** Time between two frames of the recording. */
    interval: column(f32, { default: 0.01, unit: 's', range: 'positive' }),
    /**
     * Time in which the hand takes hold: weight and the way from the shape at rest to the measured one grow from nothing
     * to all.
     */
    settled: column(f32, { default: 0.05, unit: 's', range: 'positive' }),
    /** Instant at which the hand lets go: until then it leads the body as measured. */
    release: column(f32, { default: 0, unit: 's' }),
  },
  {},
  { noun: 'marker frame' },
);

/**
 * A marker on a soft body of quadratic elements, which moves with one of them, also where it stands off the surface: by
 * its shape functions, continued beyond it.
 */
export const Marker = defineComponent(
  'markers',
  {
    /** Nodes of the element that it moves with. */
    nodes: reference(Particle, 10),
    frame: reference(MarkerFrame),
    /** Place on the body at rest. */
    place: column(vec3, { unit: 'm' }),
  },
  {
    /** Simulated position, m, axes of the recording. */
    position: computed(vec3, { unit: 'm' }),
  },
  { noun: 'marker' },
);

/** A particle whose weight is that of a frame's gravity, in place of the scene's. */
export const HeldParticle = defineComponent(
  'heldParticles',
  { particle: reference(Particle), frame: reference(MarkerFrame) },
  {},
  { noun: 'held particle' },
);

/** A particle that a hand leads until the release. */
export const LedParticle = defineComponent(
  'ledParticles',
  {
    particle: reference(Particle),
    frame: reference(MarkerFrame),
    /** Angular frequency of the hand, critically damped: how closely it leads. */
    grip: column(f32, { unit: 'rad/s', range: 'nonNegative' }),
  },
  {},
  { noun: 'led particle' },
);

/**
 * Measured motion of led particles, a value for every frame: at its beginning and at its end, m and m/s in axes of the
 * recording.
 */
export const measuredMotion = {
  from: field('ledParticles', 'from', vec3, { unit: 'm' }),
  to: field('ledParticles', 'to', vec3, { unit: 'm' }),
  velocityFrom: field('ledParticles', 'velocityFrom', vec3, { unit: 'm/s' }),
  velocityTo: field('ledParticles', 'velocityTo', vec3, { unit: 'm/s' }),
} as const;
