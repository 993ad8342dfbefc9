import type { Device, Simulation } from '@gradsim/core';
import { createSimulation, f64Device } from '@gradsim/core';
import { buildProgram, sizeOf } from '../program/build.ts';
import type { Astray, Block, Gift, KernelSpec, Program, Statement } from '../program/program.ts';
import { isFloat } from '../program/program.ts';
import { TEMPLATES } from '../program/templates.ts';
import type { Random } from '../random.ts';
import { Wrong } from './finding.ts';

// An index that leaves its domain must never go unsaid. One read or addition of a program is chosen. First what is read there
// becomes NaN, or what is added there infinite (0, which loses nothing, stays 0): where that reaches an output, the read takes place and matters. Then its index is moved out of its
// domain, and every device has to refuse the results, forward and backward.

/**
 * A program in which one access has an index out of range (`astray`), and the same program with the value of that
 * access made NaN or infinite instead (`spoiled`), which shows whether the access affects an output.
 */
export interface AstrayProgram {
  readonly kernel: string;
  readonly spoiled: Program;
  readonly astray: Program;
}

/**
 * Shifts the index of one random access of a program out of its domain, below or above; null if the program has no
 * access at an index.
 */
export function leadAstray(program: Program, random: Random): AstrayProgram | null {
  const places = program.kernels.flatMap((kernel, k) => accessesOf(program, kernel).map((at) => ({ k, at })));
  if (places.length === 0) return null;
  const { k, at } = random.pick(places);
  const by = random.chance(0.5) ? at.size : 2 ** 32 - at.size;
  const changed = (astray: Astray): Program => ({
    ...program,
    kernels: program.kernels.map((kernel, j) => (j === k ? at.change(astray) : kernel)),
  });
  const { name } = program.kernels[k];
  return { kernel: name, spoiled: changed({ isSpoiled: true }), astray: changed({ by }) };
}

/** A read or a scatter-add at an index. */
interface Access {
  /** Number of elements of the domain that the index points into. */
  readonly size: number;
  readonly change: (astray: Astray) => KernelSpec;
}

function accessesOf(program: Program, kernel: KernelSpec): Access[] {
  // Templates are no statements, and functions with a derivative by hand take no indices.
  if (TEMPLATES[kernel.name.split('_')[0]] || kernel.adjoint) return [];
  const sizeOfPort = (name: string, isRead: boolean): number => {
    const port = kernel.ports.find((p) => p.name === name && (p.access === 'read') === isRead)!;
    return sizeOf(program, port.domain ?? kernel.domain);
  };
  const reads = loadsIn(kernel.body).map(
    (load): Access => ({
      size: sizeOfPort(load.port!, true),
      change: (astray) => ({ ...kernel, body: replaced(kernel.body, load, { ...load, astray }) }),
    }),
  );
  const adds = kernel.gives.flatMap((gift, g): Access[] => {
    if (gift.at === undefined) return [];
    const change = (astray: Astray): KernelSpec => ({
      ...kernel,
      gives: kernel.gives.map((one, j): Gift => (j === g ? { ...gift, astray } : one)),
    });
    return [{ size: sizeOfPort(gift.port, false), change }];
  });
  return [...reads, ...adds];
}

const loadsIn = (block: Block): Statement[] =>
  block.statements.flatMap((s) => [
    ...(s.op === 'loadAt' && isFloat(s.type) ? [s] : []),
    ...(s.blocks ?? []).flatMap(loadsIn),
  ]);

const replaced = (block: Block, of: Statement, by: Statement): Block => ({
  ...block,
  statements: block.statements.map((s) =>
    s === of ? by : { ...s, blocks: s.blocks?.map((inner) => replaced(inner, of, by)) },
  ),
});

/**
 * Tests whether every device refuses a program with an index out of range.
 * @returns false if the access affects no output, so that nothing is tested.
 * @throws Wrong if a device runs the program without an error, or with a different one.
 */
export async function refusesAstray(
  { kernel, spoiled, astray }: AstrayProgram,
  devices: readonly Device[],
): Promise<boolean> {
  const f64 = f64Device();
  const matters = await complaintOf(spoiled, f64, async (simulation) => readAll(spoiled, simulation));
  if (!matters || !/ is (NaN|-?Infinity)/.test(matters)) return false;
  for (const device of [f64, ...devices]) {
    const forward = await complaintOf(astray, device, async (simulation) => readAll(astray, simulation));
    expectComplaint(forward, kernel, `${device.kind}, forward`);
    const backward = await complaintOf(astray, device, async (simulation) => {
      simulation.backward(onesFor(astray, simulation));
      for (const key of astray.run.parameters) await simulation.gradient(key);
    });
    if (astray.run.parameters.length > 0) expectComplaint(backward, kernel, `${device.kind}, backward`);
  }
  return true;
}

function expectComplaint(message: string | null, kernel: string, where: string): void {
  if (message === null) throw new Wrong('index', `${where}: an index out of range of ${kernel} is silent`);
  // The passes of a product have their kernel's name with an ending.
  if (!new RegExp(`^kernel ${kernel}(_\\w+)?\\b.*(\\bat ind|out of range)`).test(message))
    throw new Wrong('index', `${where}: an index out of range of ${kernel} is called "${message}"`);
}

async function complaintOf(
  program: Program,
  device: Device,
  look: (simulation: Simulation) => Promise<void>,
): Promise<string | null> {
  let simulation: Simulation | null = null;
  try {
    const { frames, frameRate, frameTimes, substeps, worlds, parameters, record, outputs } = program.run;
    simulation = await createSimulation(buildProgram(program), {
      device,
      frames,
      frameRate,
      frameTimes,
      substeps,
      worlds,
      parameters,
      record,
      outputs,
      onWarning: () => {},
    });
    simulation.forward();
    await look(simulation);
    return null;
  } catch (error) {
    return (error as Error).message;
  } finally {
    simulation?.dispose();
  }
}

async function readAll({ run }: Program, simulation: Simulation): Promise<void> {
  for (const key of run.outputs) await (run.record.includes(key) ? simulation.readFrames(key) : simulation.read(key));
}

/** Adjoint seeds of 1 for all values of every output. */
function onesFor(program: Program, simulation: Simulation): Record<string, Float64Array> {
  const { outputs, record, frames, worlds } = program.run;
  return Object.fromEntries(
    outputs.map((key) => {
      const { elements, components } = simulation.shape(key);
      const copies = record.includes(key) ? frames : 1;
      return [key, new Float64Array(elements * components * copies * worlds).fill(1)];
    }),
  );
}
