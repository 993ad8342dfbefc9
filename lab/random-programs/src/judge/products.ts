import type { Device, SimulationOptions } from '@gradsim/core';
import { bind, createSimulation, deadParameters, jacobianProduct, Model, transposedProduct } from '@gradsim/core';
import { addField, buildKernel, namesFor } from '../program/build.ts';
import type { FieldSpec, KernelSpec, KernelUse, PortSpec, ProductSpec, Program } from '../program/program.ts';
import { COMPONENTS, isFloat, keyOf } from '../program/program.ts';
import { allUses, portKey } from '../program/tree.ts';
import type { Random } from '../random.ts';

/** A kernel that adds to a sum, and the names of the fields bound to its ports. */
interface Adder {
  readonly kernel: KernelSpec;
  readonly rename: KernelUse['rename'];
}

/**
 * Computes a product with the Jacobian of a sum in two ways, with random field values: by the product pass, and from
 * the derivative of the sum. J v is compared with the tangent of the sum along v, and w^T J with the gradient of the
 * sum weighted by w.
 *
 * @returns the product and its expected value, a pair for each field; none if they cannot be computed.
 */
export async function productAndDerivative(
  program: Program,
  product: ProductSpec,
  random: Random,
  device: Device,
): Promise<{ found: Float64Array; expected: Float64Array }[]> {
  const { mode, of } = product;
  const along = Object.keys(product.fields).map((key) => apart(key, of));
  const model = new Model();
  for (const { name, size } of program.domains) model.addDomain(name, size);
  const adders = addersOf(program, of);
  // One that reads and writes a field under one name would change what the product finds.
  if (adders.some(({ kernel: { ports } }) => new Set(ports.map((p) => p.name)).size < ports.length)) return [];
  const values = new Map<string, readonly number[]>();
  const declare = (spec: Pick<FieldSpec, 'domain' | 'name' | 'type'>): void => {
    const key = keyOf(spec);
    if (values.has(key)) return;
    const known = program.fields.find((f) => keyOf(f) === key);
    const size = spec.domain === 'world' ? 1 : program.domains.find((d) => d.name === spec.domain)!.size;
    const drawn = Array.from({ length: size * COMPONENTS[spec.type] }, () =>
      isFloat(spec.type) ? random.between(-1.5, 1.5) : random.whole(0, 8),
    );
    const own = known?.values ?? drawn;
    values.set(key, own);
    addField(model, { ...spec, values: own, target: known?.target, count: known?.count });
  };
  let sumType: FieldSpec['type'] = 'f32';
  const types = new Map<string, FieldSpec['type']>();
  for (const { kernel, rename } of adders)
    for (const port of kernel.ports) {
      const key = portKey(kernel, port, rename);
      if (key === of) sumType = port.type;
      else if (port.access === 'read') {
        types.set(key, port.type);
        declare({ ...named(key), type: port.type });
      }
    }
  const keys = along.filter((key) => types.has(key));
  // Vectors of their own: in the program, they may be among the fields that the passes read.
  const vectorOf = (key: string): string => `${key}_along`;
  const intoOf = (key: string): string => `${key}_into`;
  const weights = `${of}_weights`;
  if (mode === 'vjp') declare({ ...named(weights), type: sumType });
  else for (const key of keys) declare({ ...named(vectorOf(key)), type: types.get(key)! });
  // A kernel of its own each: what stands in several phases there stands in one here.
  for (const { kernel, rename } of adders)
    model.addPass('pose', bind({ ...buildKernel(kernel) }, namesFor(kernel, rename)));
  const each = (turn: (key: string) => string): Record<string, string> =>
    Object.fromEntries(keys.map((key) => [key, turn(key)]));
  model.addPass(
    'observe',
    mode === 'jvp'
      ? jacobianProduct(of, { along: each(vectorOf), into: intoOf(of) })
      : transposedProduct(of, { weights, into: each(intoOf) }),
  );
  const made = mode === 'jvp' ? [intoOf(of)] : keys.map(intoOf);
  // A simulation refuses to derive by what reaches the sum through no derivative; its part of a product is 0.
  const dead = deadParameters(model, { parameters: keys, outputs: [of] });
  const parameters = keys.filter((key) => !dead.has(key));
  const options: SimulationOptions = {
    device,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    parameters,
    outputs: [of],
    record: [of, ...made],
    derivative: parameters.length === 0 ? 'none' : mode === 'jvp' ? 'tangent' : 'adjoint',
  };
  const simulation = await createSimulation(model, options);
  try {
    if (mode === 'jvp') for (const key of parameters) simulation.setTangent(key, values.get(vectorOf(key))!);
    simulation.forward();
    const found = await Promise.all(made.map((key) => simulation.readFrames(key)));
    const zeros = (like: number): Float64Array => new Float64Array(found[like].length);
    if (mode === 'jvp') {
      const expected = parameters.length === 0 ? zeros(0) : await simulation.readTangentFrames(of);
      return [{ found: found[0], expected }];
    }
    if (parameters.length > 0) simulation.backward({ [of]: values.get(weights)! });
    const expected = await Promise.all(keys.map((key, k) => (dead.has(key) ? zeros(k) : simulation.gradient(key))));
    return found.map((one, k) => ({ found: one, expected: expected[k] }));
  } finally {
    simulation.dispose();
  }
}

const named = (key: string): { domain: string; name: string } => {
  const [domain, name] = key.split('.');
  return { domain, name };
};

/**
 * Returns the kernels that add to a field. Their other outputs are bound to unused fields, and the sum itself is read
 * under another name.
 */
function addersOf(program: Program, of: string): Adder[] {
  return allUses(program).flatMap(({ kernel: k, rename, as }): Adder[] => {
    const kernel = program.kernels[k];
    const keys = new Map(kernel.ports.map((port) => [port, portKey(kernel, port, rename)]));
    const isMeant = (port: PortSpec): boolean => port.access === 'add' && keys.get(port) === of;
    if (as !== undefined || !kernel.ports.some(isMeant)) return [];
    const names = kernel.ports.map((port, n) => {
      const { name } = named(keys.get(port)!);
      if (isMeant(port)) return [port.name, name];
      if (port.access === 'read') return [port.name, named(apart(keys.get(port)!, of)).name];
      return [port.name, `${kernel.name}_gives${n}`];
    });
    return [{ kernel, rename: Object.fromEntries(names) }];
  });
}

/**
 * Key of the field that is read in place of `key`: another one if `key` is the sum `of`, which passes both add to and
 * read.
 */
const apart = (key: string, of: string): string => (key === of ? `${key}_before` : key);
