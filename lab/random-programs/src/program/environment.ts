import type { Bool, F32, Surroundings, U32, Value } from '@gradsim/core';
import * as core from '@gradsim/core';
import { windowShare } from '@gradsim/dynamics';
import { atNode, sumNear } from './grids.ts';
import { valueOfArrays } from './local-arrays.ts';
import { OPERATIONS } from './operations.ts';
import { literalOf, typeOf } from './ports.ts';
import type { Block, Statement } from './program.ts';

const { vjp } = core;

export type Fields = Readonly<Record<string, unknown>>;

const { sumOver, productOver, maxOver } = core;
const FOLDS = { sumOver, productOver, maxOver };

/** Traced values of a kernel's statements, by id. */
export class Environment {
  readonly #fields: Fields;
  readonly #around: Surroundings | null;
  readonly #values = new Map<number, Value>();
  /** All results after the first of regions such as loops, by the id of their statement. */
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

  /** Traces a block with given values of its parameters; returns its results. */
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
      case 'loadAt': {
        const { by = 0, isSpoiled = false } = statement.astray ?? {};
        const index = args[0] as U32;
        const value = (field as core.Reader<Value>).at(by > 0 ? index.add(by) : index);
        return isSpoiled ? scaled(value, Number.NaN) : value;
      }
      case 'indexAt':
        return (field as core.Reader<Value>).at(args[0] as U32);
      case 'nearSum':
        return sumNear(statement.on!, args[0], field as core.Reader<F32>);
      case 'laplacian':
      case 'gradient':
      case 'divergence':
      case 'shift':
      case 'nodePosition':
        return atNode(op, statement.on!, args[0] as U32, field as core.Reader<F32>);
      case 'wrap':
        return (args[0] as U32).rem(literal[0]);
      case 'orNone': {
        const index = (args[0] as U32).rem(literal[0] + 1);
        return core.select(index.lt(literal[0]), index, core.NO_ELEMENT);
      }
      case 'element':
        return around.element;
      case 'substep':
        return around.substep;
      case 'substepOfFrame':
        return around.substepOfFrame;
      case 'frame':
        return around.frame;
      case 'round':
        return around.round;
      case 'dt':
        return around.dt.mul(3);
      case 'previousDt':
        return around.previousDt.mul(3);
      case 'longestDt':
        return around.longestDt.mul(3);
      case 'time':
        return around.time;
      case 'nextTime':
        return around.nextTime;
      case 'covered': {
        const [start, length] = args as [F32, F32];
        const from = core.abs(core.tanh(start)).mul(literal[0]);
        return windowShare(from, from.add(core.abs(core.tanh(length)).mul(literal[0])), around);
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
      case 'sumOver':
      case 'productOver':
      case 'maxOver': {
        const [start, end, first] = args as [U32, U32, F32];
        const each = (k: U32): F32 => this.run(blocks[0], [k, first])[0] as F32;
        const folded = FOLDS[op](start, end, typeOf(statement.type) as core.ValueType<F32>, each);
        return op === 'maxOver' ? core.max(folded, first) : folded;
      }
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
        const [at, start, other] = args as [U32, F32, F32];
        const type = typeOf(statement.type) as core.ValueType<F32>;
        const round = (k: U32, value: F32): F32 => this.run(blocks[0], [k, value])[0] as F32;
        return valueOfArrays({ literal, at, start, other, type, round });
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

export function scaled(value: Value, by: F32 | number): Value {
  if (value instanceof core.Quat) return value.scale(by);
  return (value as F32).mul(by);
}

export const record = (values: readonly Value[]): Record<string, Value> =>
  Object.fromEntries(values.map((value, k) => [`v${k}`, value]));
