import type { JointKind } from '@gradsim/articulated';
import { articulated, Link, ties } from '@gradsim/articulated';
import { cloth } from '@gradsim/cloth';
import { contact, surfaceContact } from '@gradsim/contact';
import type { Component, Model, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { fem } from '@gradsim/fem';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { seedOf } from '@gradsim/random-programs';
import { Body, rigid } from '@gradsim/rigid';
import { springs } from '@gradsim/springs';
import { Draw } from './draw.ts';
import { KINDS } from './kinds.ts';

/** Recipe of a scene: its seed, and, of one that was shrunk, the parts left out and the number of substeps. */
export interface SceneRecipe {
  readonly seed: number;
  readonly without: readonly number[];
  readonly substeps?: number;
}

export interface DrawnScene {
  readonly kind: string;
  readonly isEven: boolean;
  readonly model: Model;
  /** Keys of the states of its components. */
  readonly states: readonly string[];
  readonly substeps: number;
  /** Number of parts that were drawn, those left out included. */
  readonly parts: number;
}

/** Substeps a second of all scenes. */
export const RATE = 2000;

/** Makes a scene of random parts; each has a seed of its own, so that the others stay where one is left out. */
export function drawScene({ seed, without, substeps }: SceneRecipe): DrawnScene {
  const isEven = seed % 2 === 0;
  const draw = new Draw(seed, isEven);
  const kind = draw.pick(Object.keys(KINDS));
  const hasSurfaces = kind === 'cloth' || kind === 'soft';
  const plugins = [
    ...(kind === 'links' ? [articulated(), ties()] : [rigid()]),
    ...(kind === 'links' || kind === 'bodies' || kind === 'vertices' ? [] : [particles(), springs()]),
    ...(kind === 'cloth' ? [cloth()] : []),
    ...(kind === 'soft' ? [fem()] : []),
    contact({ bodies: { maxSpeed: 6, refresh: 8 } }),
    ...(hasSurfaces ? [surfaceContact({ maxSpeed: 12, refresh: 4, neighbours: 100 })] : []),
  ];
  const scene: Scene = createScene(plugins);
  scene.add(Gravity, { acceleration: draw.chance(0.6) ? [0, -9.81, 0] : [0, 0, 0] });
  const parts = KINDS[kind](draw);
  // Vertices of sheets that balance on one another fall off soon: their motion is unstable.
  const drawn = draw.whole(20, hasSurfaces ? 60 : 140);
  parts.forEach((part, k) => {
    if (!without.includes(k)) part(scene, new Draw(seedOf(seed, k), isEven));
  });
  return {
    kind,
    isEven,
    model: buildModel(scene),
    states: statesOf(scene),
    substeps: substeps ?? drawn,
    parts: parts.length,
  };
}

const STATES_OF_JOINTS = {
  revolute: ['coordinate', 'rate'],
  prismatic: ['coordinate', 'rate'],
  ball: ['jointOrientation', 'angularVelocity'],
  free: ['jointOrientation', 'angularVelocity', 'translation', 'velocity'],
  fixed: [],
} as const;

function statesOf(scene: Scene): string[] {
  const has = (component: Component): boolean =>
    scene.components.includes(component) && scene.entities(component).length > 0;
  const joints = has(Link) ? scene.entities(Link).map((link) => scene.object(link, Link, 'joint') as JointKind) : [];
  return [
    ...(has(Particle) ? ['particles.position', 'particles.velocity'] : []),
    ...(has(Body) ? ['position', 'orientation', 'velocity', 'angularVelocity'].map((name) => `bodies.${name}`) : []),
    ...new Set(joints.flatMap((joint) => STATES_OF_JOINTS[joint].map((name) => `links.${name}`))),
  ];
}
