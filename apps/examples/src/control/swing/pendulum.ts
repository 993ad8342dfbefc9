import { articulated, Link } from '@gradsim/articulated';
import type { ControllerInput } from '@gradsim/control';
import { angleInput, controller, fieldInput, strokeImageInput } from '@gradsim/control';
import type { Model, Plugin, Scene } from '@gradsim/core';
import { buildModel, cos, createScene, f32, sin } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { cylinder } from '@gradsim/mesh';
import { filmedScene } from '../../scenes/pendula.ts';
import type { SceneRenderer } from '../../scenes/renderers.ts';
import { LENGTH, MASS, SUBSTEPS_PER_CONTROL, TORQUES } from './rods.ts';
import { uprightPlugin } from './upright.ts';

/** Width, and also height, of the film in a report, px. */
const FILM_SIZE = 96;

export type Weights = Readonly<Record<string, ArrayLike<number>>>;

/** Controller whose inputs are the sines and cosines of the joint angles, and their rates. */
export const angleController = (weights: Weights, seed = 1): Plugin =>
  controller({
    name: 'balance',
    inputs: angleSights(),
    hidden: [32, 32],
    every: SUBSTEPS_PER_CONTROL,
    weights,
    seed,
    drives: TORQUES.map((scale, k) => ({ field: Link.drive, elements: [k], scale })),
  });

/** Number of spatial waves, down and also across, to which a picture is reduced as input of the network. */
const COSINE_WAVES = 8;

/** Controller whose inputs are the last two pictures of the rods, 32 x 32 pixels each. */
export const pixelController = (weights: Weights, seed = 1): Plugin =>
  controller({
    name: 'watch',
    inputs: [rodPictures()],
    hidden: [32, 32],
    every: SUBSTEPS_PER_CONTROL,
    weights,
    seed,
    drives: TORQUES.map((scale, k) => ({ field: Link.drive, elements: [k], scale })),
  });

/** The controller by angles, with trained weights, as the teacher of the one by pictures. */
export const teacherController = (weights: Weights): Plugin =>
  controller({
    name: 'balance',
    teaches: 'watch',
    inputs: angleSights(),
    hidden: [32, 32],
    every: SUBSTEPS_PER_CONTROL,
    weights,
  });

const rodPictures = (): ControllerInput =>
  strokeImageInput({
    width: 32,
    height: 32,
    pixels: 2.4,
    count: 2,
    changes: 8,
    waves: COSINE_WAVES,
    detached: true,
    elements: { coordinate: Link.coordinate },
    strokes: ({ coordinate }) => {
      const first = coordinate.at(0);
      const second = first.add(coordinate.at(1));
      const middle = [sin(first).mul(LENGTH), cos(first).mul(-LENGTH)] as const;
      const tip = [middle[0].add(sin(second).mul(LENGTH)), middle[1].sub(cos(second).mul(LENGTH))] as const;
      return [
        { from: [f32(0), f32(0)], to: middle, radius: 0.06 },
        { from: middle, to: tip, radius: 0.06 },
      ];
    },
  });

const angleSights = (): ControllerInput[] => [angleInput(Link.coordinate), fieldInput(Link.rate, { scale: 0.15 })];

/** Scene of two uniform hanging rods on joints with motors. */
function pendulumScene(plugins: readonly Plugin[]): Scene {
  const scene = createScene([articulated(), uprightPlugin(), ...plugins]);
  addRods(scene);
  return scene;
}

/** Model of the pendulum with a camera and a renderer. */
export function filmedPendulum(plugins: readonly Plugin[], renderer: SceneRenderer): Model {
  const scene = filmedScene([articulated(), ...plugins], { renderer, size: FILM_SIZE, distance: 3.2 });
  const mesh = cylinder({ radius: 0.05, height: LENGTH, segments: 16 });
  addRods(scene, {
    ...mesh,
    positions: mesh.positions.map((x, k) => (k % 3 === 1 ? x - LENGTH / 2 : x)),
  });
  return buildModel(scene);
}

function addRods(scene: Scene, mesh?: TriangleMesh): void {
  // Slender: about their own axis, which never turns, they have next to nothing.
  const across = (MASS * LENGTH ** 2) / 12;
  const rod = {
    joint: 'revolute',
    axis: [0, 0, 1],
    mass: MASS,
    centre: [0, -LENGTH / 2, 0],
    inertia: [across, 0, 0, 0, across / 100, 0, 0, 0, across],
    ...(mesh ? { mesh } : {}),
  } as const;
  const upper = scene.add(Link, rod);
  scene.add(Link, { ...rod, parent: upper, anchor: [0, -LENGTH, 0] });
}

export const pendulumModel = (plugins: readonly Plugin[]): Model => buildModel(pendulumScene(plugins));
