import { column, computed, defineComponent, f32, reference, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { orientation } from '@gradsim/physics';

/**
 * Axes of a recording of markers, beside those of the simulated body at rest: a point X of the body at rest lies at R X +
 * translation of the recording, where R turns by `orientation` and then by `turn`.
 */
export const MarkerFrame = defineComponent(
  'markerFrames',
  {
    /** Rotation from the axes of the body to those of the recording. */
    orientation,
    /** Small further rotation, in axes of the recording: unit vector times twice the tangent of half the angle. */
    turn: column(vec3, { default: 0, unit: 'rad' }),
    translation: column(vec3, { default: 0, unit: 'm' }),
    /** Gravity in axes of the recording. */
    gravity: column(vec3, { default: 0, unit: 'm/s^2' }),
    /** Instant at which the body is let go: until then its weight is borne. */
    release: column(f32, { default: 0, unit: 's' }),
  },
  {},
  { noun: 'marker frame' },
);

/**
 * A marker on a soft body, which moves with one of its elements, also where it stands off the surface. Its place on the
 * body follows from `start` and the frame.
 */
export const Marker = defineComponent(
  'markers',
  {
    /** Corners of the element that it moves with. */
    corners: reference(Particle, 4),
    frame: reference(MarkerFrame),
    /** Measured position while the body is at rest, m, axes of the recording. */
    start: column(vec3, { unit: 'm' }),
  },
  {
    /** Simulated position, m, axes of the recording. */
    position: computed(vec3, { unit: 'm' }),
  },
  { noun: 'marker' },
);

/** A particle whose weight is that of a frame's gravity, from the release on, in place of the scene's. */
export const HeldParticle = defineComponent(
  'heldParticles',
  { particle: reference(Particle), frame: reference(MarkerFrame) },
  {},
  { noun: 'held particle' },
);
