// How large the arenas of scenes are, in bytes: all of it, what lives within a substep or a frame, and how much that
// would be if nothing shared its words. With gradients, and (`derivative: none`) without.
import type { Model, SimulationOptions } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { deviceScene, SOFTRAS_DEFAULTS } from '@gradsim/render-softras';
import { fallingBlock, SUBSTEPS } from './soft-body/scene.ts';
import { globeInView } from './support/globe.ts';
import { benchOptions, print } from './support/options.ts';
import { RATE, sheets } from './support/sheets.ts';
import { TOSSED, tossedBoxes } from './support/tossed-box.ts';

type Settings = Omit<SimulationOptions, 'device'>;

const { device } = await benchOptions([]);
/** Few, so that what is kept of a run is little. */
const MEMORY = 64e6;

function globe(faces: number): [Model, Settings] {
  const { sigma, gamma } = SOFTRAS_DEFAULTS;
  const size = { width: 256, height: 256 };
  const { model } = deviceScene(size, globeInView(faces), { sigma, gamma }, ['color'], [0.1, 0.2, 0.3]);
  const wanted = { record: ['pixels.rgba'], parameters: ['viewVertices.ndc', 'faces.color'] };
  return [model, { frames: 1, frameRate: 1, substeps: 1, ...wanted }];
}
function block(tets: number): [Model, Settings] {
  const { model, settings } = fallingBlock(tets);
  return [model, { ...settings, frames: 2, substeps: SUBSTEPS }];
}
const positions = ['particles.position'];
const scenes: Readonly<Record<string, () => [Model, Settings]>> = {
  'rigid, 1 body': () => [tossedBoxes(1), { ...TOSSED, frames: 61, substeps: 32 }],
  'rigid, 1 body in 200 worlds': () => [tossedBoxes(1), { ...TOSSED, frames: 61, substeps: 32, worlds: 200 }],
  'soft body, 1000 tetrahedra': () => block(1000),
  'soft body, 10,140 tetrahedra': () => block(10_000),
  'cloth contact, 4096 triangles': () => [
    sheets(32, 16),
    { frames: 2, frameRate: RATE / 64, substeps: 64, parameters: positions, outputs: positions },
  ],
  'raster, 320 faces': () => globe(320),
  'raster, 20,480 faces': () => globe(20_480),
};

for (const [scene, make] of Object.entries(scenes)) {
  const [model, settings] = make();
  for (const derivative of ['adjoint', 'none'] as const) {
    const simulation = await createSimulation(model, { device, memory: MEMORY, ...settings, derivative });
    const { layout, overlay } = simulation.compiled;
    const arenaBytes = 4 * (layout.arena.f32Words + layout.arena.u32Words);
    const [scratchBytes, scratchBytesApart] = [4 * overlay.words, 4 * overlay.wordsApart];
    print({
      ...{ bench: 'arena', scene, derivative, arenaBytes, scratchBytes, scratchBytesApart },
      arenaBytesApart: arenaBytes - scratchBytes + scratchBytesApart,
    });
    simulation.dispose();
  }
}
device.dispose();
