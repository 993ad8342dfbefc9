import type { Kernel } from '@gradsim/kernel';
import type { KernelForm, Port } from '@gradsim/kernel/compiler';
import { adjoint, tangent, withPorts } from '@gradsim/kernel/compiler';
import type { Fields } from './fields.ts';
import type { Cycle } from './model.ts';
import { cycleOf } from './model.ts';
import type { KernelPass, Names, ProductPass } from './pass.ts';
import { bind, isSameUse, kernelsOfValues } from './pass.ts';
import { keyOf } from './uses.ts';

/**
 * The passes that make a product with a Jacobian: the tangents, or the adjoints, of all passes that add to the field,
 * as kernels over ordinary fields.
 *
 * @throws when no pass adds to the field, or none of them reads a field that the product is taken along.
 */
export function productPasses(fields: Fields, cycle: Cycle, pass: ProductPass): KernelPass[] {
  const from = pass.from ?? addersOf(fields, cycle, pass.of);
  if (from.length === 0)
    throw new Error(`No pass adds to ${pass.of}, so there is no Jacobian to take a product with.`);
  declareVectors(fields, pass);
  const passes = from.flatMap((one) => (pass.mode === 'jvp' ? alongOf(pass, one) : weighted(pass, one)));
  if (passes.length === 0)
    throw new Error(
      `What is added to ${pass.of} depends on none of ${Object.keys(pass.fields).join(', ')}, so the product with its Jacobian is zero.`,
    );
  return passes;
}

/** The terms of a sum: a kernel that adds over the same fields at several places, to find a start and then in a loop, is one. */
function addersOf({ model }: Fields, cycle: Cycle, key: string): KernelPass[] {
  const adders = model.passes
    .filter(({ phase }) => cycleOf(phase) === cycle)
    .flatMap(({ pass }) => kernelsOfValues(pass))
    .filter(({ kernel: { form }, names }) =>
      form.ports.some((p) => p.access === 'add' && p.shade === 'primal' && keyOf(form, names)(p) === key),
    );
  return adders.filter((one, k) => adders.findIndex((other) => isSameUse(one, other)) === k);
}

/** Where a product goes comes into being, unless it is there. */
function declareVectors(fields: Fields, pass: ProductPass): void {
  const like = (key: string, of: string): void => {
    const { scalar, components } = fields.find(of) ?? fields.model.field(of);
    fields.make(key, { scalar, components });
  };
  if (pass.mode === 'jvp') like(pass.with, pass.of);
  else for (const [of, key] of Object.entries(pass.fields)) like(key, of);
}

/** The name that a field of a domain goes by. */
const nameIn = (key: string): string => key.slice(key.indexOf('.') + 1);

const unlike = (port: Port, changes: Partial<Port>): Port => ({ ...port, shade: 'primal', ...changes });

function alongOf({ of, fields, with: into }: ProductPass, { kernel, names }: KernelPass): KernelPass[] {
  const key = keyOf(kernel.form, names);
  const along = kernel.form.ports.filter(
    (p) => p.access === 'read' && p.scalar === 'f32' && key(p) in fields,
  );
  if (along.length === 0) return [];
  const whole = tangent(kernel.form, { wrt: new Set(along.map((p) => p.name)) });
  const renamed: Record<string, string> = { ...names };
  const form = withPorts(whole, (port) => {
    if (port.access === 'read') {
      if (port.shade !== 'tangent') return port;
      const name = `along ${port.name}`;
      renamed[name] = nameIn(fields[key(port)]);
      return unlike(port, { name });
    }
    if (port.shade !== 'tangent' || key(port) !== of) return null;
    renamed.product = nameIn(into);
    return unlike(port, { name: 'product' });
  });
  return form.outputs.length > 0 ? [bound(form, `${kernel.name}_along`, renamed)] : [];
}

function weighted({ of, fields, with: weights }: ProductPass, { kernel, names }: KernelPass): KernelPass[] {
  const key = keyOf(kernel.form, names);
  const seeds = kernel.form.ports.filter((p) => p.access === 'add' && key(p) === of).map((p) => p.name);
  const wrt = kernel.form.ports.filter((p) => p.access === 'read' && p.scalar === 'f32' && key(p) in fields);
  if (wrt.length === 0) return [];
  const options = { wrt: new Set(wrt.map((p) => p.name)), seeds: new Set(seeds) };
  const forms = kernel.adjoint ? kernel.adjoint().map((k) => k.form) : [adjoint(kernel.form, options)];
  return forms.flatMap((whole) => {
    const keyHere = keyOf(whole, names);
    const renamed: Record<string, string> = { ...names };
    const form = withPorts(whole, (port) => {
      if (port.shade !== 'adjoint') return port;
      const name = port.access === 'read' ? `weights of ${port.name}` : `product ${port.name}`;
      if (port.access !== 'read' && !(keyHere(port) in fields)) return null;
      renamed[name] = nameIn(port.access === 'read' ? weights : fields[keyHere(port)]);
      return unlike(port, { name });
    });
    return form.outputs.length > 0 ? [bound(form, `${whole.name}_product`, renamed)] : [];
  });
}

const bound = (form: KernelForm, name: string, names: Names): KernelPass => {
  const used = new Set(form.ports.map((p) => p.name));
  const kernel: Kernel = { name, form: { ...form, name } };
  return bind(kernel, Object.fromEntries(Object.entries(names).filter(([from]) => used.has(from))));
};
