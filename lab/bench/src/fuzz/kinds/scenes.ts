import type { Simulation, SimulationOptions } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import type { Draw } from '../draw.ts';
import { type Case, type Kind, outcomeOf, WronglyAccepted } from '../kind.ts';
import { spoilDraft } from '../spoil-scene.ts';
import type { Draft } from '../write/draft.ts';
import { sceneOf } from '../write/draft.ts';
import { drawnScene } from '../write/scenes.ts';

/** Scenes with all packages, valid or with one error, built and run. */
export const scenes: Kind = { name: 'scenes', limit: 30, draw };

async function draw(random: Draw): Promise<Case> {
  const draft = drawnScene(random);
  const of = `${draft.modules.map(({ name }) => name).join(' ')}, ${draft.things.length} things`;
  if (random.chance(0.3))
    return { about: `${of}: whole`, expected: 'valid', read: () => outcomeOf(() => runsAlike(draft)) };
  const { about, names } = spoilDraft(draft, random);
  return {
    about: `${of}: ${about}`,
    expected: 'refused',
    names,
    read: () => outcomeOf(() => runs(draft)),
  };
}

/**
 * Tolerated difference between single and double precision after a few frames of slow motion, relative to the largest
 * value.
 */
const STATE_TOLERANCE = 1e-3;

/** Runs a scene in single and double precision and returns whether the results agree within {@link STATE_TOLERANCE}. */
async function runsAlike(draft: Draft): Promise<boolean> {
  const [single, double] = [await resultsOf(draft, 'cpu'), await resultsOf(draft, 'f64')];
  // A substep above the stable one runs apart, which is said.
  if (single.isWarned) return true;
  for (const [key, values] of double.values) {
    const others = single.values.get(key)!;
    const largest = values.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-3);
    const off = values.reduce((most, x, k) => Math.max(most, Math.abs(x - others[k])), 0) / largest;
    if (!(off <= STATE_TOLERANCE)) throw new WronglyAccepted(`${key} differs by ${off} between cpu and f64`);
  }
  return true;
}

async function runs(draft: Draft): Promise<boolean> {
  await resultsOf(draft, 'f64');
  return false;
}

const cpu = cpuDevice({ threads: 1 });
const f64 = f64Device();
const STATES = [
  'bodies.position',
  'bodies.velocity',
  'bodies.angularVelocity',
  'particles.position',
  'particles.velocity',
];

async function resultsOf(draft: Draft, device: 'cpu' | 'f64') {
  const model = buildModel(sceneOf(draft));
  const warnings: string[] = [];
  const onWarning = (warning: string): void => {
    warnings.push(warning);
  };
  const options = { ...draft.run, device: device === 'cpu' ? cpu : f64, onWarning } as SimulationOptions;
  const simulation = await createSimulation(model, options);
  try {
    simulation.forward();
    return { isWarned: warnings.length > 0, values: await valuesOf(simulation) };
  } finally {
    simulation.dispose();
  }
}

async function valuesOf(simulation: Simulation): Promise<Map<string, Float64Array>> {
  const values = new Map<string, Float64Array>();
  for (const key of STATES) if (simulation.model.fields.has(key)) values.set(key, await simulation.read(key));
  for (const key of simulation.options.record) values.set(key, await simulation.readFrames(key));
  return values;
}
