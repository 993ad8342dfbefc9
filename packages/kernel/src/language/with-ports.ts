import type { KernelForm, KernelOutput } from '../form/kernel-form.ts';
import type { Node } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import { everyStatement } from '../form/walk.ts';
import { Builder } from './builder.ts';
import { cloneBlock, cloneNode, mapped } from './clone.ts';
import { simplify } from './simplify.ts';

/** Copies the form with other ports; outputs to ports mapped to null are dropped. `change` transforms output values. */
export function withPorts(
  form: KernelForm,
  replace: (port: Port) => Port | null,
  change: (b: Builder, value: Node) => Node = (_, value) => value,
): KernelForm {
  const b = new Builder(form.name);
  const replaced = new Map(form.ports.map((port) => [port, replace(port)]));
  const given = new Map<KernelOutput, KernelOutput>();
  cloneBlock(
    b,
    form.root,
    new Map(),
    (_, node, map) => {
      if (node.op !== 'load') return cloneNode(b, node, map);
      return b.load(replaced.get(node.port) ?? node.port, node.component, node.index && mapped(map, node.index));
    },
    (block, map) => {
      for (const output of form.outputs) {
        const port = replaced.get(output.port);
        if (output.block !== block || !port) continue;
        const [index, round] = [output.index, output.round].map((node) => node && mapped(map, node));
        const value = change(b, mapped(map, output.value));
        given.set(output, b.outputHere({ ...output, port, index, round, value }));
      }
    },
  );
  const outputs = form.outputs.flatMap((output) => given.get(output) ?? []);
  const { name, domain, isDerived } = form;
  const changed = simplify({ name, domain, isDerived, ports: [], root: b.root, outputs });
  const ports = new Set(outputs.map(({ port }) => port));
  for (const node of everyStatement(changed.root)) if (node.op === 'load') ports.add(node.port);
  return { ...changed, ports: [...ports] };
}
