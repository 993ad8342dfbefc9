import { addCloth, cloth } from '@gradsim/cloth';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { implicitSteps } from '@gradsim/implicit';
import type { TriangleMesh } from '@gradsim/mesh';
import { plane } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import type { SceneRenderer } from '../scenes/renderers.ts';
import { lens } from '../soft/instance.ts';
import { paint } from '../soft/paint.ts';
import { gusts } from './gusts.ts';

/** Material of a flag's fabric. */
export interface Fabric {
  /** Membrane stiffness: the force per width of a strip divided by its strain, Young's modulus times thickness, N/m. */
  readonly stretch: number;
  /** Bending stiffness of each hinge between two triangles, N m. */
  readonly bend: number;
}

/** Integration of a flag: `implicit` steps, or `explicit` ones as short as its stiffness requires. */
export type Steps = 'implicit' | 'explicit';

/** Options for filming a flag. */
export interface FlagOptions {
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  readonly renderer: SceneRenderer;
  readonly steps: Steps;
  /** Order of accuracy of implicit steps; default 2. */
  readonly order?: 1 | 2;
}

/**
 * Timelines of 0.5 s. The length of implicit steps is limited by their error, that of explicit ones by stability up to
 * a stiffness of 8000 N/m.
 */
export const FLAG_TIMELINES = {
  implicit: { frames: 16, frameRate: 30, substeps: 32 },
  explicit: { frames: 16, frameRate: 30, substeps: 2400 },
} as const satisfies Record<Steps, { frames: number; frameRate: number; substeps: number }>;

/** Poisson's ratio of the fabric for strains in its plane, dimensionless. */
const POISSON = 0.3;

/**
 * Energy parameters mu and lambda of the membrane with Young's modulus times thickness `stretch` for small strains,
 * N/m. From the energy's second derivative at rest, G = 2/3 mu and L = lambda - 4/9 mu; for a sheet in plane stress
 * these are stretch / (2 (1 + nu)) and stretch nu / (1 - nu^2).
 */
export function membraneOf(stretch: number): { mu: number; lambda: number } {
  const mu = (1.5 * stretch) / (2 * (1 + POISSON));
  return { mu, lambda: (stretch * POISSON) / (1 - POISSON ** 2) + (4 / 9) * mu };
}

/** Width and height of the flag, m. */
const SIZE = [0.6, 0.4] as const;
const CELLS = [16, 10] as const;

/**
 * Model of a flag of 16 x 10 cells on a pole along y, in gusts along x; it starts at rest and flat except for a slight
 * wave.
 */
export function flagModel({ stretch, bend }: Fabric, { size, renderer, steps, order = 2 }: FlagOptions): Model {
  const scene = createScene([
    particles(),
    cloth(),
    gusts,
    ...(steps === 'implicit' ? [implicitSteps({ order })] : []),
    paint(5),
    render({ width: size, height: size, colors: 'corner' }),
    renderer(lens(size, { distance: 1.05, reach: 0.5, depthSoftness: 0.005 })),
  ]);
  const mesh = hoistFlag();
  const fixed = [...Array(mesh.positions.length / 3).keys()].filter((k) => mesh.positions[3 * k] === 0);
  addCloth(scene, mesh, {
    ...membraneOf(stretch),
    density: 0.2,
    damping: 1,
    drag: 1.2,
    lift: 0.6,
    fixed,
    bendStiffness: bend,
    bendDamping: 3e-4,
    restAngle: 0,
  });
  scene.add(OrbitCamera, {
    target: [SIZE[0] / 2, -0.03, 0],
    distance: 1.05,
    elevation: 0.2,
    azimuth: 0.5,
    fieldOfView: 0.7,
  });
  return buildModel(scene);
}

/** Mesh of the upright sheet, with the edge at the pole at x = 0. */
function hoistFlag(): TriangleMesh {
  const sheet = plane({ size: [...SIZE], segments: [...CELLS] });
  const positions = sheet.positions.slice();
  for (let k = 0; k < positions.length; k += 3) {
    const x = (((k / 3) % (CELLS[0] + 1)) * SIZE[0]) / CELLS[0];
    positions.set([x, -sheet.positions[k + 2], 0.01 * Math.sin(10 * x)], k);
  }
  return { ...sheet, positions };
}
