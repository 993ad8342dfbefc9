// How large the arenas of scenes are, in bytes: all of it, what lives within a substep or a frame, and both if nothing
// shared its words. With a gradient and (`derivative: none`) without.
import { createSimulation } from '@gradsim/core';
import { benchOptions, print } from './support/options.ts';
import { SCENES } from './support/scenes.ts';

const { device } = await benchOptions([]);
/** Memory budget of the tape, bytes. */
const MEMORY = 64e6;

for (const [scene, make] of Object.entries(SCENES)) {
  const { model, settings } = make();
  for (const derivative of ['adjoint', 'none'] as const) {
    const simulation = await createSimulation(model, { device, memory: MEMORY, ...settings, derivative });
    const { arena: arenaBytes, scratch: scratchBytes, scratchApart: scratchBytesApart } = simulation.memoryUse();
    print({
      bench: 'arena',
      scene,
      derivative,
      arenaBytes,
      scratchBytes,
      scratchBytesApart,
      arenaBytesApart: arenaBytes - scratchBytes + scratchBytesApart,
    });
    simulation.dispose();
  }
}
device.dispose();
