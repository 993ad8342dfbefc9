import { ContactSphere } from '@gradsim/contact';
import type { ParameterSpec } from '@gradsim/optim';
import { OrbitCamera } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { Release } from './release.ts';

/** Radius of the ball, m. */
export const BALL_RADIUS = 0.02;
/** Number of frames simulated before the film's first one, since the ball may have been released earlier. */
export const LEAD_FRAMES = 8;

/** One degree in radians. */
const DEGREE = Math.PI / 180;

/** Initial values of the search. Positions and angles are read off the video; the others are typical. */
export const START = {
  releaseTime: 0.08,
  drag: 0.05,
  height: 2.3,
  sideways: -0.08,
  tilt: 10 * DEGREE,
  distance: 3,
  // So that at this distance the 2.32 m from floor to ceiling nearly fill the picture.
  fieldOfView: 0.79,
  aim: 1.2,
  restitution: 0.6,
  touch: 0.005,
} as const;

/**
 * Unknowns of the drop, with their priors.
 *
 * @param gravity initial value of gravity, m/s^2.
 */
export function dropParameters(gravity: number, hasFloor: boolean): ParameterSpec[] {
  const around = (mean: number, standardDeviation: number) => ({ prior: { mean, standardDeviation } });
  const falling: ParameterSpec[] = [
    { name: 'gravity', field: Release.gravity, initial: gravity, scale: 2, unit: 'm/s^2', truth: 9.81 },
    // Since 8 frames before frame 118, with which the drop begins.
    {
      name: 'releaseTime',
      field: Release.time,
      initial: START.releaseTime,
      scale: 0.03,
      ...around(LEAD_FRAMES / 120, 0.02),
    },
    // rho C_d A / 2 m with C_d 0.45 is 0.06 for 6 g, and from 0.01 to 0.1 for balls of 40 g to 3 g.
    {
      name: 'drag',
      field: Body.drag,
      transform: 'log',
      initial: START.drag,
      range: [0.003, 0.5],
      ...around(0.05, 0.04),
    },
    // It falls 2.28 m until its centre is a radius above the floor.
    {
      name: 'height',
      field: Body.position,
      component: 1,
      initial: START.height,
      scale: 0.02,
      ...around(2.3, 0.005),
    },
    { name: 'sideways', field: Body.position, component: 0, initial: START.sideways, scale: 0.05 },
    {
      name: 'sidewaysVelocity',
      field: Body.velocity,
      component: 0,
      initial: 0,
      scale: 0.1,
      ...around(0, 0.1),
    },
    // Towards the camera.
    {
      name: 'towardsVelocity',
      field: Body.velocity,
      component: 2,
      initial: 0,
      scale: 0.1,
      ...around(0, 0.1),
    },
    // Downwards: the ball looks larger near the ceiling.
    {
      name: 'tilt',
      field: OrbitCamera.elevation,
      initial: START.tilt,
      scale: 0.05,
      ...around(10 * DEGREE, 2 * DEGREE),
    },
    { name: 'distance', field: OrbitCamera.distance, transform: 'log', initial: START.distance, scale: 0.3 },
    // Phones see 40 to 75 degrees along the long side.
    {
      name: 'fieldOfView',
      field: OrbitCamera.fieldOfView,
      transform: 'log',
      initial: START.fieldOfView,
      scale: 0.2,
      ...around(1, 0.25),
    },
    { name: 'aim', field: OrbitCamera.target, component: 1, initial: START.aim, scale: 0.1 },
    { name: 'roll', field: OrbitCamera.roll, initial: 0, scale: 0.05, ...around(0, 0.05) },
    // What is left of a phone's distortion moves the ends of the picture by a few percent at most.
    {
      name: 'distortion',
      field: OrbitCamera.distortion,
      component: 0,
      initial: 0,
      scale: 0.05,
      ...around(0, 0.05),
    },
  ];
  // Ball and carpet give way by about a centimetre at 6 m/s, or a factor of 2 less or more.
  const bouncing: ParameterSpec[] = [
    {
      name: 'restitution',
      field: ContactSphere.restitution,
      transform: 'bounded',
      range: [0.05, 0.95],
      initial: START.restitution,
    },
    {
      name: 'duration of a touch',
      field: ContactSphere.duration,
      transform: 'log',
      initial: START.touch,
      scale: 0.5,
      unit: 's',
      ...around(0.005, 0.0025),
    },
    { name: 'spin', field: Body.angularVelocity, component: 2, initial: 0, scale: 10 },
  ];
  return hasFloor ? [...falling, ...bouncing] : falling;
}
