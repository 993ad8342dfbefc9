import { buildModel } from '@gradsim/core';
import { addSoftBody, fem, Tet } from '@gradsim/fem';
import { tetBox, vertexCount } from '@gradsim/mesh';
import { Particle, ParticleDrag, particles } from '@gradsim/particles';
import type { Kind } from '../kind.ts';
import { filmedScene, paintedParticles, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Length, height and width of the beam, m. */
const SIZES = [0.9, 0.16, 0.16] as const;
/** Typical speed of the beam, m/s, at which linear and quadratic damping are equal. */
const TYPICAL = 0.4;
/** Coefficient of quadratic drag, 1/m, at a model error of strength 1. */
const DRAG = 1;

/** A soft beam, clamped at one end and released at rest, that swings with linear damping. */
export const beam: Kind = {
  timeline: { frames: 20, frameRate: 15, substeps: 80 },
  unknowns: [
    {
      name: 'stiffness',
      field: Tet.mu,
      transform: 'log',
      trueRange: [800, 1500],
      startDeviation: 0.15,
      range: [100, 1e4],
      unit: 'Pa',
    },
    {
      name: 'damping',
      field: ParticleDrag.linearDrag,
      transform: 'log',
      trueRange: [0.4, 1],
      startDeviation: 0.3,
      range: [0.01, 10],
      unit: '1/s',
    },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [tieToSize(model, Particle.position)],
  model: (values, departures) => {
    const scene = filmedScene(
      [particles(), fem(), paintedParticles([0.75, 0.4, 0.3], departures)],
      { target: [0, -0.15, 0], distance: 2, colors: 'corner' },
      departures,
    );
    const mesh = resizeMesh(tetBox({ cells: [6, 1, 1], size: [...SIZES] }), departures);
    const end = Math.min(...mesh.positions.filter((_, k) => k % 3 === 0));
    const { particles: points } = addSoftBody(scene, mesh, {
      mu: values.stiffness,
      lambda: 1500,
      density: 1,
      fixed: [...Array(vertexCount(mesh)).keys()].filter((k) => mesh.positions[3 * k] === end),
    });
    for (const point of points)
      scene.attach(point, ParticleDrag, {
        linearDrag: values.damping * (1 - departures.damping),
        quadraticDrag: (values.damping * departures.damping) / TYPICAL + DRAG * departures.drag,
      });
    return buildModel(scene);
  },
};
