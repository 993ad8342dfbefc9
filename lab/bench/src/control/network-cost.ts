import { controller, fieldInput, weightsOf } from '@gradsim/control';
import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { lattice } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { addSprings, Spring, springs } from '@gradsim/springs';
import { least, timesMs } from '../support/options.ts';

const RUN_TIMELINE = { frames: 26, frameRate: 50, substeps: 40 } as const;
/** Number of timed runs. */
const RUNS = 40;

/**
 * Time of a substep of 16 particles and 72 springs, forward and backward, microseconds; with or without a controller
 * network.
 */
async function perSubstep(device: Device, hasNetwork: boolean): Promise<{ forward: number; back: number }> {
  const network = controller({
    inputs: [fieldInput(Particle.position, { fromMean: true, scale: 5 }), fieldInput(Particle.velocity)],
    hidden: [32],
    drives: [{ field: Spring.actuation, scale: 0.25 }],
  });
  const scene = createScene([particles(), springs(), ...(hasNetwork ? [network] : [])]);
  const mesh = lattice({ size: [0.1, 0.3, 0.1], cells: [1, 3, 1] });
  addSprings(scene, mesh, { mass: 0.02, stiffness: 20, damping: 0.05, fixed: [0, 1, 8, 9] });
  const model = buildModel(scene);
  const parameters = hasNetwork ? weightsOf(model).map(({ field }) => field) : [Spring.actuation];
  const simulation = await createSimulation(model, {
    device,
    ...RUN_TIMELINE,
    parameters,
    outputs: [Particle.position] as never,
  });
  const adjoint = new Float64Array(48).fill(1);
  const times = await timesMs(RUNS, 2, async () => {
    simulation.forward();
    await simulation.read(Particle.position);
  });
  const back = await timesMs(RUNS, 2, async () => {
    simulation.backward({ [Particle.position.key]: adjoint });
    await simulation.gradient(parameters[0]);
  });
  simulation.dispose();
  const substeps = (RUN_TIMELINE.frames - 1) * RUN_TIMELINE.substeps;
  return { forward: (1000 * least(times)) / substeps, back: (1000 * least(back)) / substeps };
}

/** Cost that a network of 96 inputs, 32 hidden units and 72 outputs adds to a substep in which it runs. */
export async function networkCost(device: Device): Promise<Record<string, number>> {
  const bare = await perSubstep(device, false);
  const whole = await perSubstep(device, true);
  return {
    addsForwardMicroseconds: whole.forward - bare.forward,
    addsBackMicroseconds: whole.back - bare.back,
  };
}
