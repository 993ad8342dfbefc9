import type { KernelForm, Node, Port } from '@gradsim/kernel/internal';
import { Builder, portOf } from '@gradsim/kernel/internal';
import type { Compared } from './sum-form.ts';

export interface SeedForm {
  readonly form: KernelForm;
  /** Ports of the compared field at each instant of a frame; then those of its adjoints. */
  readonly outputPorts: readonly Port[];
  readonly adjoints: readonly Port[];
  readonly target: Port;
  readonly weights: Port;
  /** Derivative of the loss with respect to the sum of squared residuals, by world. */
  readonly factor: Port;
}

type SeedOptions = Pick<Compared, 'components' | 'instants' | 'hasTarget' | 'hasWeights'>;

/**
 * Kernel that computes the adjoints of a compared field: at every instant, 2 factor w r / instants, with the residual
 * r; 0 for components that are not compared.
 * @param components number of components of the field.
 */
export function seedForm(
  { components: compared, instants, hasTarget, hasWeights }: SeedOptions,
  components: number,
): SeedForm {
  const b = new Builder('seed_of_residuals');
  const each = (name: string, access: 'read' | 'write', kind: Port['kind']): Port[] =>
    Array.from({ length: instants }, (_, i) => portOf(`${name}${i}`, access, '', { components, kind }));
  const outputPorts = each('shown', 'read', 'primal');
  const adjoints = each('shown', 'write', 'adjoint');
  const target = portOf('target', 'read', '', { components: compared });
  const weights = portOf('weights', 'read', '', { components: compared });
  const factor = portOf('factor', 'read', 'words');
  const scale = b.mul(b.load(factor, 0, b.const(0, 'u32')), b.const(2 / instants));
  for (let c = compared; c < components; c++) for (const one of adjoints) b.output(one, c, null, b.const(0));
  for (let c = 0; c < compared; c++) {
    const sum = outputPorts.map((one): Node => b.load(one, c, null)).reduce((all, one) => b.add(all, one));
    const mean = instants > 1 ? b.mul(sum, b.const(1 / instants)) : sum;
    const weight = hasWeights ? b.load(weights, c, null) : null;
    const seen = weight ? b.mul(weight, mean) : mean;
    const r = hasTarget ? b.sub(seen, b.load(target, c, null)) : seen;
    const adjoint = b.mul(scale, weight ? b.mul(weight, r) : r);
    for (const one of adjoints) b.output(one, c, null, adjoint);
  }
  const ports = [...outputPorts, ...adjoints, target, weights, factor];
  const form = { name: b.kernelName, domain: 'compared', ports, root: b.root, outputs: b.outputs };
  return { form, outputPorts, adjoints, target, weights, factor };
}
