import type { Model, SimulationOptions } from '@gradsim/core';
import { softRasScene } from '@gradsim/render-softras';
import { fallingBlock, SUBSTEPS } from '../soft-body/scene.ts';
import { globeInView } from './globe.ts';
import { RATE, sheets } from './sheets.ts';
import { TOSSED, tossedBoxes } from './tossed-box.ts';

/** A model, and the options of its simulation. */
export interface BenchScene {
  readonly model: Model;
  readonly settings: Omit<SimulationOptions, 'device'>;
}

function tossed(worlds: number): BenchScene {
  return { model: tossedBoxes(1), settings: { ...TOSSED, frames: 61, substeps: 32, worlds } };
}

function globe(faces: number): BenchScene {
  const size = { width: 256, height: 256 };
  const { model } = softRasScene(size, globeInView(faces), {
    backgroundColor: [0.1, 0.2, 0.3],
  });
  const wanted = { record: ['pixels.rgba'], parameters: ['viewVertices.ndc', 'faces.color'] };
  return { model, settings: { frames: 1, frameRate: 1, substeps: 1, ...wanted } };
}

function block(tets: number): BenchScene {
  const { model, settings } = fallingBlock(tets);
  return { model, settings: { ...settings, frames: 2, substeps: SUBSTEPS } };
}

function contactOfCloth(cells: number): BenchScene {
  const positions = ['particles.position'];
  const wanted = { parameters: positions, outputs: positions };
  return { model: sheets(cells, 16), settings: { frames: 2, frameRate: RATE / 64, substeps: 64, ...wanted } };
}

/** Scenes of the benchmarks that measure gradsim without comparison to other programs, by name. */
export const SCENES: Readonly<Record<string, () => BenchScene>> = {
  'rigid, 1 body': () => tossed(1),
  'rigid, 1 body in 200 worlds': () => tossed(200),
  'soft body, 1000 tetrahedra': () => block(1000),
  'soft body, 10,140 tetrahedra': () => block(10_000),
  'cloth contact, 4096 triangles': () => contactOfCloth(32),
  'raster, 320 faces': () => globe(320),
  'raster, 20,480 faces': () => globe(20_480),
};
