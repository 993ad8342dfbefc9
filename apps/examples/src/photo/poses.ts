import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { Body } from '@gradsim/rigid';
import type { Toss } from '../scenes/tossed.ts';
import { TOSS_TIMELINE, tossModel } from '../scenes/tossed.ts';
import type { Pose } from './shot.ts';

/** Recorded motion of a body during a toss. */
export interface Motion {
  /** Number of poses, one per substep, per second. */
  readonly rate: number;
  readonly poses: readonly Pose[];
  /** Initial velocity, m/s, and angular velocity, rad/s, in world axes. */
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
}

/**
 * Simulates a toss with the frames of an estimate, and records the pose at every substep.
 *
 * @param substeps substeps per frame; stiff contact needs more than the default.
 */
export async function recordMotion(
  toss: Toss,
  device: Device,
  substeps: number = TOSS_TIMELINE.substeps,
): Promise<Motion> {
  const { frames, frameRate } = TOSS_TIMELINE;
  const simulation = await createSimulation(tossModel({ ...toss, size: 8 }, { drawing: 'silhouette' }), {
    device,
    frames: frames * substeps,
    frameRate: frameRate * substeps,
    substeps: 1,
    record: [Body.position, Body.orientation],
  });
  simulation.forward();
  const positions = await simulation.readFrames(Body.position);
  const orientations = await simulation.readFrames(Body.orientation);
  simulation.dispose();
  const poses = Array.from({ length: frames * substeps }, (_, k) => [
    ...positions.subarray(3 * k, 3 * k + 3),
    ...orientations.subarray(4 * k, 4 * k + 4),
  ]);
  const { velocity, angularVelocity } = toss;
  return { rate: frameRate * substeps, poses, velocity, angularVelocity };
}

/**
 * Pose at a time, s: interpolated linearly between substeps; before time 0, extrapolated with the initial velocities.
 */
export function poseAt({ rate, poses, velocity, angularVelocity }: Motion, seconds: number): Pose {
  if (seconds < 0) return movePose(poses[0], velocity, angularVelocity, seconds);
  const at = Math.min(seconds * rate, poses.length - 1);
  const k = Math.min(Math.floor(at), poses.length - 2);
  return unit(poses[k].map((a, i) => a + (at - k) * (poses[k + 1][i] - a)));
}

/** Pose after motion with constant velocities for a time t: x + v t, q + t/2 (0, w) q, normalised. */
function movePose(pose: Pose, [vx, vy, vz]: readonly number[], w: readonly number[], seconds: number): Pose {
  const [x, y, z, qx, qy, qz, qw] = pose;
  const [wx, wy, wz] = w.map((c) => (c * seconds) / 2);
  return unit([
    ...[x + vx * seconds, y + vy * seconds, z + vz * seconds],
    qx + wx * qw + wy * qz - wz * qy,
    qy + wy * qw + wz * qx - wx * qz,
    qz + wz * qw + wx * qy - wy * qx,
    qw - wx * qx - wy * qy - wz * qz,
  ]);
}

function unit([x, y, z, ...q]: Pose): Pose {
  const norm = Math.hypot(...q);
  return [x, y, z, ...q.map((c) => c / norm)];
}

/** Shutter of a camera, which determines the exposure of each frame. */
export interface Shutter {
  /** Fraction of the time between frames for which the shutter is open, 0 to 1. */
  readonly open: number;
  /** Number of moments within that time whose pictures are averaged. */
  readonly instants: number;
}

/**
 * Poses that each frame's exposure averages. The exposure of frame k is centred at time k / frameRate, so that on
 * average it shows the pose of its frame; before time 0 the body moves with its initial velocities.
 *
 * @throws if `open` is not in [0, 1], or `instants` is not an integer of at least 1.
 */
export function exposuresOf(motion: Motion, { open, instants }: Shutter): Pose[][] {
  if (!(open >= 0 && open <= 1)) throw new Error(`The shutter is open for ${open} of a frame; give 0 to 1.`);
  if (!(Number.isInteger(instants) && instants >= 1))
    throw new Error(`An exposure of ${instants} instants cannot be made; give a whole number of at least 1.`);
  const { frames, frameRate } = TOSS_TIMELINE;
  return Array.from({ length: frames }, (_, k) =>
    Array.from({ length: instants }, (_, i) => {
      const off = open * ((i + 0.5) / instants - 0.5);
      return poseAt(motion, (k + off) / frameRate);
    }),
  );
}
