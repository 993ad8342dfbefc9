import type {
  AddSpec,
  Bool,
  F32,
  Kernel,
  ReadSpec,
  Surroundings,
  U32,
  Value,
  WriteSpec,
} from '@gradsim/core';
import * as core from '@gradsim/core';
import { Model } from '@gradsim/core';
import { OPERATIONS } from './operations.ts';
import type { Block, FieldSpec, Gift, KernelSpec, PortSpec, Program, Statement, Type } from './program.ts';
import { COMPONENTS, isFloat } from './program.ts';
import { pruned } from './prune.ts';
import { TEMPLATES } from './templates.ts';

const { adjointOf, index, indexOn, kernel, on, perWorld, several, vjp } = core;

const { f32, i32, mat22, mat33, quat, u32, vec2, vec3, vec4 } = core;
/** Types of fields, which make values of numbers too. */
const TYPES = { f32, i32, mat22, mat33, quat, u32, vec2, vec3, vec4 };
const typeOf = (type: Type): core.ValueType => TYPES[type as keyof typeof TYPES] as core.ValueType;
const literalOf = (type: Type, parts: readonly number[]): Value =>
  (TYPES[type as keyof typeof TYPES] as (...parts: readonly number[]) => Value)(...parts);

/** The model of a program. */
export function buildProgram(program: Program): Model {
  const model = new Model();
  for (const { name, size, elementsTogether, componentsTogether } of program.domains)
    model.addDomain(name, size, { elementsTogether, componentsTogether });
  for (const field of program.fields) addField(model, field);
  if (program.passes.some((pass) => pass.phase === 'search')) model.searchEvery(program.run.searchEvery);
  const kernels = program.kernels.map(buildKernel);
  for (const { phase, kernel: k, rename } of program.passes) model.addPass(phase, kernels[k], rename);
  return model;
}

function addField(
  model: Model,
  { domain, name, type, values, over, shared, target, count }: FieldSpec,
): void {
  if (name.startsWith('alarm')) {
    model.addAlarm(domain, name, core.f32, () => 'is beyond all bounds');
  } else if (target !== undefined) model.addIndex(domain, name, target, count!, values);
  else model.addField(domain, name, typeOf(type), { values, over, shared });
}

export function buildKernel(spec: KernelSpec): Kernel {
  const template = TEMPLATES[spec.name.split('_')[0]];
  if (template) return template(spec.name, spec.domain);
  const { domain, ports, gives } = spec;
  const { body } = pruned(spec);
  const named = (access: PortSpec['access']) => ports.filter((p) => p.access === access);
  const reads = Object.fromEntries(named('read').map((p) => [p.name, readSpec(p)]));
  const adds = Object.fromEntries(named('add').map((p) => [p.name, dataSpec(p) as AddSpec]));
  const writes = Object.fromEntries(
    named('write').map((p): [string, WriteSpec] => [
      p.name,
      p.kind === 'several' ? several(p.domain!, core.u32, p.count!) : typeOf(p.type),
    ]),
  );
  return kernel(
    spec.name,
    { domain, reads, adds, writes, adjoint: spec.adjoint && (() => adjointKernels(spec, body, reads)) },
    (fields, around) => {
      const env = new Environment(fields, around);
      env.run(body);
      return give(gives, ports, env, fields as Fields) as never;
    },
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** Gives outputs to their ports. What `writes` names is returned. */
function give(gives: readonly Gift[], ports: readonly PortSpec[], env: Environment, fields: Fields) {
  const written: Record<string, unknown> = {};
  for (const { port, values, at } of gives) {
    const { access, kind } = ports.find((p) => p.name === port && p.access !== 'read')!;
    const value = values.map((id) => env.get(id));
    if (access === 'write') written[port] = kind === 'several' ? value : value[0];
    else if (kind === 'on') (fields[port] as core.Adder<Value>).add(env.get(at!) as core.Index, value[0]);
    else (fields[port] as core.OwnAdder<Value>).add(value[0]);
  }
  return written;
}

const dataSpec = ({ kind, type, domain }: PortSpec): ReadSpec =>
  kind === 'own' ? typeOf(type) : kind === 'perWorld' ? perWorld(typeOf(type)) : on(domain!, typeOf(type));

function readSpec(port: PortSpec): ReadSpec {
  if (port.kind === 'index') return index(port.target!, port.count!);
  if (port.kind === 'indexOn') return indexOn(port.domain!, port.target!);
  return dataSpec(port);
}

/** Values of statements by id, while a kernel is traced. */
class Environment {
  readonly #fields: Fields;
  readonly #around: Surroundings | null;
  readonly #values = new Map<number, Value>();
  /** What a region gives beside its first value. */
  readonly #more = new Map<number, readonly Value[]>();

  constructor(fields: Fields, around: Surroundings | null) {
    this.#fields = fields;
    this.#around = around;
  }

  get(id: number): Value {
    const value = this.#values.get(id);
    if (value === undefined) throw new Error(`internal: no value ${id}`);
    return value;
  }
  set(id: number, value: Value): void {
    this.#values.set(id, value);
  }

  /** Runs a block with values for its params; gives its results. */
  run(block: Block, params: readonly Value[] = []): Value[] {
    block.params.forEach(({ id }, k) => {
      this.set(id, params[k]);
    });
    for (const statement of block.statements)
      if (!this.#values.has(statement.id)) this.set(statement.id, this.#value(statement));
    const results = block.results.map((id) => this.get(id));
    // A block that runs a second time (a function in a derivative) makes its values anew.
    if (block.params.length) for (const { id } of block.statements) this.#values.delete(id);
    return results;
  }

  #value(statement: Statement): Value {
    const { op, port, component = 0, literal = [], blocks = [] } = statement;
    const args = statement.args.map((id) => this.get(id));
    const field = port === undefined ? null : this.#fields[port];
    const around = this.#around!;
    switch (op) {
      case 'literal':
        return literalOf(statement.type, literal);
      case 'load':
        return field as Value;
      case 'index':
        return (Array.isArray(field) ? field[component] : field) as Value;
      case 'loadAt':
      case 'indexAt':
        return (field as core.Reader<Value>).at(args[0] as U32);
      case 'wrap':
        return (args[0] as U32).rem(literal[0]);
      case 'element':
        return around.element;
      case 'substep':
        return around.substep;
      case 'frame':
        return around.frame;
      case 'dt':
        return around.dt.mul(3);
      case 'time':
        return around.time;
      case 'covered': {
        const [start, length] = args as [F32, F32];
        const from = core.abs(core.tanh(start)).mul(literal[0]);
        return core.coveredPart(from, from.add(core.abs(core.tanh(length)).mul(literal[0])), around);
      }
      case 'take':
        return this.#more.get(statement.args[0])![component];
      case 'when':
        return this.#region(
          statement,
          core.when(
            args[0] as Bool,
            () => record(this.run(blocks[0])),
            () => record(this.run(blocks[1])),
          ),
        );
      case 'forRange':
        return this.#region(
          statement,
          core.forRange(args[0] as U32, args[1] as U32, record(args.slice(2)), (k, carry) =>
            record(this.run(blocks[0], [k, ...Object.values(carry)])),
          ),
        );
      case 'loop':
        return this.#region(
          statement,
          core.loop(
            record(args),
            (carry) => this.run(blocks[0], Object.values(carry))[0] as Bool,
            (carry) => record(this.run(blocks[1], Object.values(carry))),
          ),
        );
      case 'array': {
        const [length, rounds, ahead, isZero] = literal;
        const [at, start, other] = args as [U32, F32, F32];
        const made = core
          .localArray(length, isZero ? (typeOf(statement.type) as core.ValueType<F32>) : start)
          .set(at, other);
        const end = core.forRange(0, rounds, made, (k, list) =>
          core.when(
            k.add(at).rem(3).lt(2),
            () => list.set(k, this.run(blocks[0], [k, list.get(k.add(ahead))])[0] as F32),
            () => list,
          ),
        );
        return end
          .get(at)
          .add(end.get(ahead % length).mul(made.get(at.rem(2))))
          .add(made.get(0));
      }
      case 'vjp': {
        const [f] = blocks;
        const inputs = args.slice(0, f.params.length);
        const bars = vjp(
          (given) => record(this.run(f, Object.values(given))),
          record(inputs),
          record(args.slice(inputs.length)),
        );
        return Object.values(bars)[component];
      }
      default:
        return (OPERATIONS[op].build as (...args: Value[]) => Value)(...args);
    }
  }

  #region(statement: Statement, results: Readonly<Record<string, Value>>): Value {
    const values = Object.values(results);
    this.#more.set(statement.id, values);
    return values[0];
  }
}

const record = (values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(values.map((value, k) => [`v${k}`, value]));

/** Adjoint kernels written as a plugin's author would: the derivative of the body by `vjp`, what is read added to. */
function adjointKernels(spec: KernelSpec, body: Block, reads: Readonly<Record<string, ReadSpec>>): Kernel[] {
  const { isSplit, isHalved, saved } = spec.adjoint!;
  const output = spec.ports.find((p) => p.name === spec.gives[0].port && p.access !== 'read')!;
  const loads = body.statements.filter(
    (s) => (s.op === 'load' || s.op === 'loadAt') && s.port !== undefined && isFloat(s.type),
  );
  const inputs = spec.ports.filter((p) => p.access === 'read' && loads.some((s) => s.port === p.name));
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
    return kernel(
      `${spec.name}_adjoint${k}`,
      { domain: spec.domain, reads: named, adds },
      (fields: Fields) => {
        const env = new Environment(fields, null);
        env.run({ params: [], statements: body.statements.filter((s) => LOADS.has(s.op)), results: [] });
        const bar = fields.output_bar;
        const cotangents = spec.gives.map(({ at }) =>
          output.kind === 'on' ? (bar as core.Reader<Value>).at(env.get(at!) as U32) : (bar as Value),
        );
        const held = kept ? (fields[saved.field] as F32) : null;
        const start = [...loads.map((s) => env.get(s.id)), ...(held ? [held] : [])];
        const ids = [...loads.map((s) => s.id), ...(kept ? [kept.id] : [])];
        const bars = Object.values(
          vjp(
            (given) => {
              const inside = new Environment({}, null);
              Object.values(given).forEach((value, at) => {
                inside.set(ids[at], value);
              });
              inside.run({
                ...body,
                statements: body.statements.filter((s) => !LOADS.has(s.op)),
              });
              return record(spec.gives.map(({ values }) => inside.get(values[0])));
            },
            record(start),
            record(cotangents),
          ),
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
      },
    );
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

/** How many words the values of a field have, for one world and moment. */
export const wordsOf = (program: Program, field: FieldSpec): number =>
  sizeOf(program, field.domain) * COMPONENTS[field.type] * (field.count ?? 1);

export const sizeOf = (program: Program, domain: string): number =>
  domain === 'world' ? 1 : program.domains.find((d) => d.name === domain)!.size;
