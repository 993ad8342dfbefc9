import { addCloth, cloth as clothModel, Triangle } from '@gradsim/cloth';
import { buildModel } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import type { Kind } from '../kind.ts';
import { filmedScene, paintedParticles, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Number of cells along each edge of the sheet, and length of the edge, m. */
const [PIECES, EDGE] = [4, 0.8];
/** Coefficient of lift, kg/m^3, at a model error of strength 1. */
const LIFT = 1;

/** A sheet that hangs by its upper edge and is pushed. */
export const cloth: Kind = {
  timeline: { frames: 20, frameRate: 15, substeps: 24 },
  unknowns: [
    {
      name: 'stiffness',
      field: Triangle.mu,
      transform: 'log',
      trueRange: [15, 40],
      startDeviation: 0.15,
      range: [2, 500],
      unit: 'N/m',
    },
    {
      name: 'drag',
      field: Triangle.drag,
      transform: 'log',
      trueRange: [0.3, 1],
      startDeviation: 0.2,
      range: [0.01, 20],
      unit: 'kg/m^3',
    },
    { name: 'speed', field: Particle.velocity, component: 2, trueRange: [1, 2], startDeviation: 0.1, unit: 'm/s' },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [tieToSize(model, Particle.position)],
  model: (values, departures) => {
    const scene = filmedScene(
      [particles(), clothModel(), paintedParticles([0.3, 0.35, 0.7], departures)],
      { target: [0, 0, 0.05], distance: 2.2, azimuth: 0.9, colors: 'corner', twoSided: true },
      departures,
    );
    const flat = plane({ size: [EDGE, EDGE], segments: [PIECES, PIECES] });
    // Upright: what was z is -y.
    const upright = flat.positions.map((_, k) =>
      k % 3 === 0 ? flat.positions[k] : k % 3 === 1 ? -flat.positions[k + 1] : 0,
    );
    const mesh = resizeMesh({ ...flat, positions: upright }, departures);
    addCloth(scene, mesh, {
      mu: values.stiffness,
      lambda: 30,
      damping: 0.02,
      density: 0.3,
      drag: values.drag,
      lift: LIFT * departures.drag,
      velocity: [0, 0, values.speed],
      fixed: [...Array(PIECES + 1).keys()],
    });
    return buildModel(scene);
  },
};
