import { HalfSpace } from '@gradsim/contact';
import type { FieldRef, Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import { gravity } from '@gradsim/dynamics';
import type { PointComponent } from '@gradsim/mpm';
import {
  addPoints,
  ClayPoint,
  ElasticPoint,
  LiquidPoint,
  mpm,
  pointsInBox,
  SandPoint,
  SnowPoint,
  wallOf,
} from '@gradsim/mpm';
import { describe, it } from 'vitest';

const SPACING = 0.05;
const RUN = { frames: 4, frameRate: 40, substeps: 12, seed: 1 };

/** A material: its values, and the columns that are its parameters. */
type Kind = readonly [
  of: PointComponent,
  values: Readonly<Record<string, number | readonly number[]>>,
  own: FieldRef[],
];
const KINDS: readonly Kind[] = [
  [
    ElasticPoint,
    { density: 900, youngsModulus: 3e4, viscosity: 20 },
    [ElasticPoint.youngsModulus, ElasticPoint.poissonRatio, ElasticPoint.viscosity],
  ],
  [LiquidPoint, { density: 1000, bulkModulus: 2e4, viscosity: 5 }, [LiquidPoint.bulkModulus, LiquidPoint.viscosity]],
  [
    SandPoint,
    // Pressed a little: without stress sand is at the tip of its yield surface, where what it does has a kink.
    { density: 1600, youngsModulus: 5e4, frictionAngle: 0.5, strain: [-2e-3, 0, 0, 0, -2e-3, 0, 0, 0, -2e-3] },
    [SandPoint.youngsModulus, SandPoint.poissonRatio, SandPoint.frictionAngle],
  ],
  [
    ClayPoint,
    { density: 1500, youngsModulus: 5e4, yieldStress: 1e3 },
    [ClayPoint.youngsModulus, ClayPoint.poissonRatio, ClayPoint.yieldStress],
  ],
  [
    SnowPoint,
    { density: 400, youngsModulus: 1e4, plasticVolume: -0.01 },
    [
      ...[SnowPoint.youngsModulus, SnowPoint.poissonRatio, SnowPoint.hardening, SnowPoint.plasticVolume],
      ...[SnowPoint.criticalCompression, SnowPoint.criticalStretch],
    ],
  ],
];

/** A block that falls on a rough slope and slides, in two dimensions or three. */
function block(dimensions: 2 | 3, [of, values]: Kind): Scene {
  const size = dimensions === 2 ? ([16, 14] as const) : ([16, 14, 10] as const);
  const origin = [-0.25, -0.15, -0.15].slice(0, dimensions);
  const scene = createScene([mpm({ size, spacing: SPACING, origin })]);
  const floor = scene.add(HalfSpace, { normal: [0.2, 1, 0], offset: -0.02 });
  scene.attach(floor, wallOf(HalfSpace), { wallFriction: 0.3 });
  const z = dimensions === 2 ? [0, 0] : [-0.05, 0.05];
  const box = pointsInBox({ from: [0, 0, z[0]], to: [0.15, 0.1, z[1]], spacing: 0.025 });
  addPoints(scene, of, { ...box, velocity: [0.4, -0.6, 0], ...values });
  return scene;
}

const CASES = KINDS.flatMap((kind) =>
  ([2, 3] as const).map((dimensions) => ({ name: kind[0].domain, dimensions, kind })),
);

describe('derivatives of material points', () => {
  it.each(CASES)('are exact: $name in $dimensions dimensions', async ({ dimensions, kind }) => {
    const [{ position, velocity, density }, , own] = kind;
    const parameters = [...own, density, velocity, gravity, wallOf(HalfSpace).wallFriction];
    await checkPlugin(block(dimensions, kind), { ...RUN, parameters, outputs: [position, velocity] });
  });
});
