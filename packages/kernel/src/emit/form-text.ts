import type { KernelForm } from '../form/kernel-form.ts';
import type { Block, Node, Primitive, Statement } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import { blocksOf, isRegion, operandsOf } from '../form/walk.ts';
import { PRIMITIVES } from '../primitives/table.ts';

const OWN: ReadonlySet<Primitive> = new Set(PRIMITIVES);

// Cache: many passes run one kernel.
const textCache = new WeakMap<KernelForm, string | null>();

/**
 * Returns a text that two forms have in common only if the same code comes from them. Null for a form with a primitive
 * that is not this package's: its name does not say what it computes.
 */
export function formText(form: KernelForm): string | null {
  let text = textCache.get(form);
  if (text === undefined) {
    text = new FormWriter().write(form);
    textCache.set(form, text);
  }
  return text;
}

class FormWriter {
  #text = '';
  #isComplete = true;
  readonly #ports = new Map<Port, number>();
  readonly #blocks = new Map<Block, number>();
  readonly #written: boolean[] = [];

  write({ root, outputs, isDerived }: KernelForm): string | null {
    this.#block(root);
    for (const { port, component, index, value, block, round, rounds, ...rest } of outputs) {
      const { isConditional, fallback, accumulator } = rest;
      this.#text += `out ${this.#port(port)} ${component} ${this.#operandNumber(index)} ${this.#operandNumber(value)} ${this.#blocks.get(block)} `;
      this.#text += `${this.#operandNumber(round)} ${rounds} ${isConditional}`;
      if (fallback) this.#text += ` or ${fallback.values.map((v) => this.#operandNumber(v))} ${fallback.elements}`;
      if (accumulator) {
        const { elements, isWithin, lost, values } = accumulator;
        this.#text += ` in ${elements} ${isWithin} ${lost && this.#port(lost)} ${values?.map((v) => this.#operandNumber(v))}`;
      }
      this.#text += '\n';
    }
    // Which field a port names is left out: its place in memory says that.
    for (const port of this.#ports.keys()) this.#text += `${JSON.stringify({ ...port, field: undefined })}\n`;
    return this.#isComplete ? `${this.#text}${isDerived}` : null;
  }

  #port(port: Port): number {
    const number = this.#ports.get(port) ?? this.#ports.size;
    this.#ports.set(port, number);
    return number;
  }

  /** Number of an operand; that of a node that no block lists would not say what it is. */
  #operandNumber(node: Node | null): number | null {
    if (node !== null && !this.#written[node.id]) this.#isComplete = false;
    return node?.id ?? null;
  }

  #block(block: Block): void {
    this.#blocks.set(block, this.#blocks.size);
    if (block.kind !== 'root' && block.kind !== 'side')
      for (const { id, type } of block.params) {
        this.#written[id] = true;
        this.#text += `${id} ${type},`;
      }
    if (block.kind === 'range') this.#written[block.counter.id] = true;
    for (const statement of block.nodes) this.#statement(statement);
    if ('results' in block) this.#text += `= ${block.results.map((result) => this.#operandNumber(result))}\n`;
  }

  #statement(of: Statement): void {
    this.#text += `${of.id} ${of.op}`;
    const operands = operandsOf(of);
    for (let k = 0; k < operands.length; k++) this.#text += ` ${this.#operandNumber(operands[k])}`;
    if (isRegion(of)) {
      if (of.op === 'range') this.#text += ` ${of.body.counter.id}`;
      this.#text += ' {\n';
      for (const inside of blocksOf(of)) this.#block(inside);
      if (of.op === 'while') this.#text += ` ${this.#operandNumber(of.condition)}`;
      this.#text += '}\n';
      return;
    }
    this.#text += ` ${of.type} ${this.#propertiesOf(of)}\n`;
    this.#written[of.id] = true;
  }

  /** Properties of a node besides its operands. */
  #propertiesOf(of: Node): string {
    switch (of.op) {
      case 'pure':
        if (!OWN.has(of.primitive)) this.#isComplete = false;
        return of.overload.called;
      case 'const':
        return Object.is(of.value, -0) ? '-0' : `${of.value}`;
      case 'builtin':
        return of.builtin;
      case 'register':
        return of.register;
      case 'load':
        return `${this.#port(of.port)} ${of.component}`;
      case 'word':
        return `${this.#port(of.port)} ${of.component} ${of.base} ${of.offset}`;
      case 'result':
        return `${of.region.id} ${of.position}`;
      default:
        return '';
    }
  }
}
