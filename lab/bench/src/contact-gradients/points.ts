import { bounceOf, ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import type { Bounce } from '../contact-convergence/bounce.ts';
import { bounce, GRAVITY } from '../contact-convergence/bounce.ts';
import type { GradientCase } from './case.ts';

const BOUND = { of: 'worst', normal: 3, friction: 12 } as const;

/** Two balls of 1 kg that meet head on, one of them at rest. */
export function twoBalls(ke: number, kd: number): GradientCase {
  const [radius, speed] = [0.1, 1];
  const scene = createScene([rigid(), contact({ bodies: { maxSpeed: 2 } })]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  for (const x of [0, 0.52]) {
    const ball = scene.add(Body, { mesh: icosphere({ radius }), mass: 1, position: [x, 0, 0] });
    scene.add(ContactSphere, { body: ball, radius, ke, kd });
  }
  // Of the reduced mass, 1/2 kg.
  const { restitution, duration } = bounceOf({ ke, kd }, 0.5);
  return {
    name: `two balls ke ${ke} kd ${kd}`,
    model: buildModel(scene),
    seconds: 1,
    touch: duration,
    unknowns: [{ name: 'x1', key: 'bodies.position', directions: [[1, 0, 0, 0, 0, 0]] }],
    outputs: [{ name: 'x2', weights: { 'bodies.position': [0, 0, 0, 1, 0, 0] }, contactAxis: 'normal' }],
    start: (later) => ({
      'bodies.position': [-speed * later, 0, 0, 0.52, 0, 0],
      'bodies.velocity': [speed, 0, 0, 0, 0, 0],
    }),
    // The second leaves at (1 + e) / 2 of the speed, earlier by 1 / speed for each metre.
    exact: () => [[(1 + restitution) / 2]],
    bound: BOUND,
  };
}

/** A point thrown at the ground, which slides, is held by friction, or both, one after the other. */
function thrownPoint(name: string, thrown: Omit<Bounce, 'height'>, hasClosedForm = true): GradientCase {
  const [height, thickness, seconds] = [1, 0.01, 0.7];
  const { velocity, ...material } = thrown;
  const scene = createScene([particles(), contact()]);
  const particle = scene.add(Particle, { position: [0, height + thickness, 0], velocity: [...velocity, 0], mass: 1 });
  scene.attach(particle, contactOf(Particle), { ...material, thickness });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -GRAVITY, 0] });
  const impact = Math.sqrt(velocity[1] ** 2 + 2 * GRAVITY * height);
  const heightOf = (later: number): number => height + impact * later;
  return {
    name: `point that ${name}`,
    model: buildModel(scene),
    seconds,
    touch: Math.PI / Math.sqrt(material.ke),
    unknowns: [{ name: 'height', key: 'particles.position', directions: [[0, 1, 0]] }],
    outputs: [
      { name: 'y', weights: { 'particles.position': [0, 1, 0] }, contactAxis: 'normal' },
      { name: 'x', weights: { 'particles.position': [1, 0, 0] }, contactAxis: 'friction' },
    ],
    start: (later) => ({ 'particles.position': [0, heightOf(later) + thickness, 0] }),
    ...(hasClosedForm && {
      exact: (later: number) => {
        const step = 1e-5;
        const [more, less] = [step, -step].map((by) => bounce({ ...thrown, height: heightOf(later) + by }, seconds));
        return [1, 0].map((axis) => [(more[axis] - less[axis]) / (2 * step)]);
      },
    }),
    bound: BOUND,
  };
}

export const points = (): GradientCase[] => [
  thrownPoint('slides', { ke: 2e4, kd: 20, kf: 50, mu: 0.1, velocity: [4, -2] }),
  thrownPoint('sticks', { ke: 2e4, kd: 20, kf: 15, mu: 0.8, velocity: [0.5, -2] }),
  // It slides, is held in the middle of the touch, and slides again, which the closed form does not have.
  thrownPoint('slides and sticks', { ke: 2e4, kd: 20, kf: 50, mu: 0.4, velocity: [2, -2] }, false),
];
