import type { Device } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import type { Operation } from '@gradsim/optim';
import { createOperation } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';

/** Number of inputs of the thrower's network: the goal's coordinates and the drag. */
export const INPUTS = 4;
/** Number of outputs of the thrower's network: the components of the velocity. */
export const OUTPUTS = 3;

/**
 * A task of the thrower: the position, m, that the ball should have one second after it leaves the origin, and its air
 * drag, 1/m.
 */
export interface Task {
  readonly goal: readonly [number, number, number];
  readonly drag: number;
}

/**
 * Creates the operation of a ball's flight through air for one second, one in each world: from its initial velocity and
 * drag to its final position. No formula is known for this; throwers learn from the simulation alone.
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

/** Draws tasks: goals 2 to 6 m in front of the thrower, and a drag between 0.02 and 0.4 per metre. */
export function drawTasks(count: number, random: () => number): Task[] {
  const between = (low: number, high: number): number => low + (high - low) * random();
  return Array.from({ length: count }, () => ({
    goal: [between(2, 6), between(-1, 2), between(-2, 2)],
    drag: between(0.02, 0.4),
  }));
}

/** Inputs of the network for tasks, normalised to order 1: [task][input]. */
export const networkInputs = (tasks: readonly Task[]): Float32Array =>
  Float32Array.from(tasks.flatMap(({ goal: [x, y, z], drag }) => [(x - 4) / 2, y - 0.5, z, (drag - 0.2) * 5]));

export const goals = (tasks: readonly Task[]): Float32Array => Float32Array.from(tasks.flatMap(({ goal }) => goal));
export const drags = (tasks: readonly Task[]): Float32Array => Float32Array.from(tasks, ({ drag }) => drag);

/** Mean distance of the balls' final positions from the goals, m. */
export function meanDistanceFromGoal(ends: ArrayLike<number>, tasks: readonly Task[]): number {
  const off = (k: number): number => Math.hypot(...tasks[k].goal.map((x, axis) => ends[3 * k + axis] - x));
  return tasks.reduce((sum, _, k) => sum + off(k), 0) / tasks.length;
}
