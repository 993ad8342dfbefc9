import type { F32, Kernel, U32, Value } from '@gradsim/core';
import * as core from '@gradsim/core';
import type { Fields } from './environment.ts';
import { Environment, record } from './environment.ts';
import { dataSpec, literalOf, readsOf, typeOf } from './ports.ts';
import type { Block, KernelSpec, PortSpec, Statement } from './program.ts';
import { COMPONENTS, isFloat } from './program.ts';
import { pruned } from './prune.ts';

const { adjointOf, kernel, tangentOf, vjp } = core;

/** Parts of a kernel with one output: its body, output port, loads and the ports that they read. */
interface Parts {
  readonly body: Block;
  readonly output: PortSpec;
  readonly loads: readonly Statement[];
  readonly inputs: readonly PortSpec[];
}

function partsOf(spec: KernelSpec): Parts {
  const { body } = pruned(spec);
  const output = spec.ports.find((p) => p.name === spec.gives[0].port && p.access !== 'read')!;
  const loads = body.statements.filter(
    (s) => (s.op === 'load' || s.op === 'loadAt') && s.port !== undefined && isFloat(s.type),
  );
  const inputs = spec.ports.filter((p) => p.access === 'read' && loads.some((s) => s.port === p.name));
  return { body, output, loads, inputs };
}

const loadsIn = (body: Block): Block => ({
  params: [],
  statements: body.statements.filter((s) => LOADS.has(s.op)),
  results: [],
});

/** Results of a kernel's body if the statements `ids` have the given `values`. */
function run(
  { gives }: KernelSpec,
  body: Block,
  ids: readonly number[],
  values: readonly Value[],
): Record<string, Value> {
  const inside = new Environment({}, null);
  ids.forEach((id, k) => {
    inside.set(id, values[k]);
  });
  inside.run({ ...body, statements: body.statements.filter((s) => !LOADS.has(s.op)) });
  return record(gives.map(({ values: [value] }) => inside.get(value)));
}

/**
 * Adjoint kernels as the author of a plugin would write them: the derivative of the body by `vjp`, added to the
 * adjoints of the fields read.
 */
export function handWrittenAdjoint(spec: KernelSpec): Kernel[] {
  const { isSplit = false, isHalved = false, saved } = spec.adjoint ?? {};
  const { body, output, loads, inputs } = partsOf(spec);
  const reads = readsOf(spec);
  const kept = saved && body.statements.find((s) => s.op === 'tanh' && isLoadOf(body, s.args[0], saved.port));
  const groups = isSplit ? inputs.map((port) => [port]) : [inputs];
  return groups.map((group, k) => {
    const adds = Object.fromEntries(
      group.map((p) => [`${p.name}_bar`, adjointOf(p.name, dataSpec(p) as core.ValueType)]),
    );
    const all = {
      ...reads,
      output_bar: adjointOf(output.name, dataSpec(output) as core.ValueType),
      ...(kept ? { saved_input: typeOf('f32') } : {}),
    };
    const named = kept ? renamed(all, 'saved_input', saved.field) : all;
    return kernel(`${spec.name}_adjoint${k}`, { domain: spec.domain, reads: named, adds }, (fields: Fields) => {
      const env = new Environment(fields, null);
      env.run(loadsIn(body));
      const bar = fields.output_bar;
      const cotangents = spec.gives.map(({ at }) =>
        output.kind === 'on' ? (bar as core.Reader<Value>).at(env.get(at!) as U32) : (bar as Value),
      );
      const held = kept ? (fields[saved.field] as F32) : null;
      const start = [...loads.map((s) => env.get(s.id)), ...(held ? [held] : [])];
      const ids = [...loads.map((s) => s.id), ...(kept ? [kept.id] : [])];
      const bars = Object.values(
        vjp((given) => run(spec, body, ids, Object.values(given)), record(start), record(cotangents)),
      );
      loads.forEach((load, at) => {
        const port = group.find((p) => p.name === load.port);
        if (!port) return;
        const add = (value: Value): void => {
          const to = fields[`${port.name}_bar`];
          if (port.kind === 'on') (to as core.Adder<Value>).add(env.get(load.args[0]) as core.Index, value);
          else (to as core.OwnAdder<Value>).add(value);
        };
        const through = [bars[at]];
        // tanh' = 1 - tanh^2
        if (kept && load.id === kept.args[0])
          through.push((bars[loads.length] as F32).mul(core.f32(1).sub(held!.mul(held!))));
        for (const value of through) {
          if (isHalved) {
            add(scaled(value, 0.5));
            add(scaled(value, 0.5));
          } else add(value);
        }
      });
    });
  });
}

const LOADS = new Set(['load', 'loadAt', 'index', 'indexAt']);

const isLoadOf = (body: Block, id: number, port: string): boolean =>
  body.statements.some((s) => s.id === id && s.op === 'load' && s.port === port);

function renamed<T>(record: Readonly<Record<string, T>>, from: string, to: string): Record<string, T> {
  const { [from]: value, ...others } = record;
  return { ...others, [to]: value };
}

function scaled(value: Value, by: number): Value {
  if (value instanceof core.Quat) return value.scale(by);
  return (value as F32 & core.Vec3).mul(by);
}

/**
 * The tangent kernel of a kernel that writes one field, as the author of a block would write it. It computes J v as the
 * derivative with respect to w of J^T w, which is linear in w, in direction v.
 */
export function handWrittenTangent(spec: KernelSpec): Kernel {
  const { body, output, loads, inputs } = partsOf(spec);
  const dots = inputs.map((p): [string, core.ReadSpec] => [
    `${p.name}_dot`,
    tangentOf(p.name, dataSpec(p) as core.ValueType),
  ]);
  const type = typeOf(output.type);
  const ids = loads.map((s) => s.id);
  return kernel(
    `${spec.name}_tangent`,
    {
      domain: spec.domain,
      reads: { ...readsOf(spec), ...Object.fromEntries(dots) },
      writes: { output_dot: tangentOf(output.name, type) },
    },
    (fields: Fields) => {
      const at = (suffix: string): Value[] => {
        const named = body.statements.map((s) => (loads.includes(s) ? { ...s, port: `${s.port}${suffix}` } : s));
        const env = new Environment(fields, null);
        env.run(loadsIn({ ...body, statements: named }));
        return ids.map((id) => env.get(id));
      };
      const weights = spec.gives.map(() => literalOf(output.type, Array<number>(COMPONENTS[output.type]).fill(0)));
      const given = (values: Readonly<Record<string, Value>>, from: number, to?: number): Value[] =>
        Object.values(values).slice(from, to);
      const back = vjp(
        (all) =>
          vjp(
            (inner) => run(spec, body, ids, Object.values(inner)),
            record(given(all, 0, ids.length)),
            record(given(all, ids.length)),
          ),
        record([...at(''), ...weights]),
        record(at('_dot')),
      );
      return { output_dot: given(back, ids.length)[0] };
    },
  ) as Kernel;
}
