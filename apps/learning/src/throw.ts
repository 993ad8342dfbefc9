import type { Device } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import type { Operation } from '@gradsim/optim';
import { createOperation } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';

/** Number of inputs of the thrower's network. */
export const TOLD = 4;
/** Number of outputs of the thrower's network. */
export const DECIDED = 3;

/** Target position a second after the ball is thrown from the origin, m, and its air drag, 1/m. */
export interface Task {
  readonly goal: readonly [number, number, number];
  readonly drag: number;
}

/**
 * A ball that flies through air for a second, once in each world: from the velocity that it is thrown with and its drag to
 * where it is in the end. There is no formula for that; the simulation is all that a thrower learns from.
 */
export function throwing(device: Device, worlds: number): Promise<Operation<'velocity' | 'drag', 'end'>> {
  const scene = createScene([rigid()]);
  scene.add(Body, { mesh: icosphere({ radius: 0.04, subdivisions: 1 }), mass: 0.15, drag: 0.1 }, 'the ball');
  return createOperation(buildModel(scene), {
    device,
    frames: 2,
    frameRate: 1,
    substeps: 50,
    worlds,
    inputs: { velocity: 'bodies.velocity', drag: 'bodies.drag' },
    outputs: { end: { field: 'bodies.position', frames: 'last' } },
  });
}

/** Goals in front of the thrower, up to 6 m away, and balls from heavy ones to such as hardly fly. */
export function drawTasks(count: number, random: () => number): Task[] {
  const between = (low: number, high: number): number => low + (high - low) * random();
  return Array.from({ length: count }, () => ({
    goal: [between(2, 6), between(-1, 2), between(-2, 2)],
    drag: between(0.02, 0.4),
  }));
}

/** Inputs of a network for tasks: numbers of about size 1, row by row. */
export const told = (tasks: readonly Task[]): Float32Array =>
  Float32Array.from(tasks.flatMap(({ goal: [x, y, z], drag }) => [(x - 4) / 2, y - 0.5, z, (drag - 0.2) * 5]));

export const goals = (tasks: readonly Task[]): Float32Array => Float32Array.from(tasks.flatMap(({ goal }) => goal));
export const drags = (tasks: readonly Task[]): Float32Array => Float32Array.from(tasks, ({ drag }) => drag);

/** Mean distance of ends from goals, m. */
export function meanMiss(ends: ArrayLike<number>, tasks: readonly Task[]): number {
  const off = (k: number): number => Math.hypot(...tasks[k].goal.map((x, axis) => ends[3 * k + axis] - x));
  return tasks.reduce((sum, _, k) => sum + off(k), 0) / tasks.length;
}
