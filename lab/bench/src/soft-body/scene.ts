import { addCloth, cloth } from '@gradsim/cloth';
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Entity, Model, Plugin, SimulationOptions } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { placeMesh, plane, tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';

export type Kind = 'tets' | 'quadratic' | 'cloth';

/** A finite-element body that falls onto the ground, with the outputs and parameters of its gradient. */
export interface Falling {
  readonly model: Model;
  readonly elements: number;
  readonly particles: number;
  readonly settings: Pick<SimulationOptions, 'frameRate' | 'parameters' | 'outputs'>;
}

/** Edge length of a grid cell, m. */
const CELL = 0.1;
/** Number of tetrahedra per grid cell of a solid. */
const TETS_PER_CELL = 5;
/** Number of triangles per grid cell of a cloth. */
const TRIANGLES_PER_CELL = 2;
/** Number of substeps per frame; 1/1920 s each at 60 frames per second. */
export const SUBSTEPS = 32;
/** Frame rate, frames per second. */
const FRAME_RATE = 60;
/** Initial height of the lowest particles above the ground, m: they touch it within the first ten substeps. */
const HEIGHT = 0.005;

/** Material of this simulation and of the reference program; SI units. */
export const TET_MATERIAL = { mu: 1e4, lambda: 2e4, damping: 5, density: 1000 } as const;
export const GROUND = { ke: 2e4, kd: 20, kf: 100, mu: 0.4 } as const;
/** Ground contact of a sheet's particles, which weigh a hundredth of a block's. */
const SHEET_GROUND = { ke: 200, kd: 0.2, kf: 1, mu: 0.4 } as const;
export const VELOCITY = [0.5, -1, 0.2] as const;

/** Numbers of cells along each axis of the block or sheet, as close to a cube (a square) as their total allows. */
function cells(count: number, axes: 2 | 3): number[] {
  let best: number[] = [];
  let bestScore = Number.POSITIVE_INFINITY;
  const consider = (sides: number[]): void => {
    const product = sides.reduce((a, b) => a * b);
    // A percent off the number weighs as much as a side that is half as long again as another.
    const score = 50 * Math.abs(product / count - 1) + Math.max(...sides) / Math.min(...sides);
    if (product > 0 && score < bestScore) [best, bestScore] = [sides, score];
  };
  const limit = Math.ceil(count ** (1 / axes) * 1.5);
  for (let a = 1; a <= limit; a++) {
    if (axes === 2) consider([a, Math.round(count / a)]);
    else for (let b = a; b <= limit; b++) consider([a, b, Math.round(count / (a * b))]);
  }
  return best;
}

/** Departures of a block from the block of the reference program. */
export interface BlockOptions {
  /** Factor by which the elastic moduli are multiplied. */
  readonly stiffness?: number;
  /** Additional plugins. */
  readonly more?: readonly Plugin[];
}

/** A falling block of tetrahedra. With `pictures`, a camera renders it at 64 x 64 px. */
export function fallingBlock(
  tets: number,
  pictures = false,
  elements: 'linear' | 'quadratic' = 'linear',
  { stiffness = 1, more = [] }: BlockOptions = {},
): Falling {
  const domain = elements === 'linear' ? 'tets' : 'quadraticTets';
  const grid = cells(tets / TETS_PER_CELL, 3) as [number, number, number];
  const scene = createScene([particles(), fem(), contact(), ...more, ...(pictures ? viewers() : [])]);
  const size = [grid[0] * CELL, grid[1] * CELL, grid[2] * CELL] as const;
  const mesh = placeMesh(tetBox({ size, cells: grid }), {
    translation: [size[0] / 2, size[1] / 2 + HEIGHT, size[2] / 2],
  });
  const material = { mu: TET_MATERIAL.mu * stiffness, lambda: TET_MATERIAL.lambda * stiffness };
  const body = addSoftBody(scene, mesh, { ...TET_MATERIAL, ...material, elements, velocity: VELOCITY });
  addContact(scene, body.particles);
  if (pictures) look(scene, grid);
  return {
    model: buildModel(scene),
    elements: body.tets.length,
    particles: body.particles.length,
    settings: {
      // Nodes in the middle of edges are lighter and stiffer held: these need shorter substeps.
      frameRate: elements === 'linear' ? FRAME_RATE : 8 * FRAME_RATE,
      parameters: ['particles.velocity', `${domain}.mu`, `${domain}.lambda`],
      outputs: [pictures ? 'pixels.rgba' : 'particles.position'],
    },
  };
}

/** A falling sheet of triangles with bending stiffness and air drag. */
export function fallingSheet(triangles: number, pictures = false): Falling {
  const grid = cells(triangles / TRIANGLES_PER_CELL, 2);
  const [columns, rows] = grid;
  const scene = createScene([particles(), cloth(), contact(), ...(pictures ? viewers() : [])]);
  const size = [columns * CELL, rows * CELL] as const;
  const mesh = placeMesh(plane({ size, segments: [columns, rows] }), {
    translation: [size[0] / 2, HEIGHT, size[1] / 2],
  });
  const body = addCloth(scene, mesh, {
    mu: 300,
    lambda: 400,
    damping: 0.1,
    density: 1,
    drag: 0.5,
    bendStiffness: 1e-3,
    velocity: VELOCITY,
  });
  addContact(scene, body.particles, SHEET_GROUND);
  if (pictures) look(scene, [columns, 1, rows]);
  return {
    model: buildModel(scene),
    elements: body.triangles.length,
    particles: body.particles.length,
    settings: {
      frameRate: FRAME_RATE,
      parameters: ['particles.velocity', 'triangles.mu', 'triangles.lambda'],
      outputs: [pictures ? 'pixels.rgba' : 'particles.position'],
    },
  };
}

type AnyScene = ReturnType<typeof createScene>;

const viewers = () => [render({ width: 64, height: 64 }), softRas()];

function addContact(
  scene: AnyScene,
  bodies: readonly Entity[],
  ground: typeof GROUND | typeof SHEET_GROUND = GROUND,
): void {
  for (const particle of bodies) scene.attach(particle, contactOf(Particle), ground);
  scene.add(HalfSpace, {});
}

/** Adds a camera that sees the whole body. */
function look(scene: AnyScene, grid: readonly number[]): void {
  const size = grid.map((count) => count * CELL);
  scene.add(OrbitCamera, {
    target: [size[0] / 2, size[1] / 2, size[2] / 2],
    distance: 2 * Math.hypot(...size),
    elevation: 0.4,
    azimuth: 0.6,
  });
}

/** Adjoints of the final positions, different for every coordinate. */
export const positionSeeds = (particleCount: number): Float64Array =>
  Float64Array.from({ length: 3 * particleCount }, (_, k) => Math.sin(1.7 * k + 0.3));
