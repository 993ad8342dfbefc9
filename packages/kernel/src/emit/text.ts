import { defect, GradsimError } from '@gradsim/base';
import type {
  Block,
  ConstNode,
  IfRegion,
  Loop,
  Node,
  PureNode,
  Region,
  ResultNode,
  RootBlock,
  SetNode,
  SideBlock,
  WordNode,
} from '../form/nodes.ts';
import { portLabel } from '../form/port.ts';
import type { ArrayType, ScalarType } from '../form/types.ts';
import { isArray, scalarOf } from '../form/types.ts';
import { carryingBlocks, isRegion } from '../form/walk.ts';
import { unwrapped } from '../primitives/texts.ts';
import type { PlacedArrays } from './arrays.ts';
import { placeArrays } from './arrays.ts';
import type { BoundKernel, Store } from './bound-kernel.ts';
import { endsOf } from './bound-kernel.ts';
import type { BlockEndUse, NodeMarks } from './usage.ts';
import { inlinedNodes } from './usage.ts';

/** Text of each statement and expression in a C-like language. */
export interface Syntax {
  constant(node: ConstNode): string;
  register(name: string): string;
  word(node: WordNode, offset: number, address: string): string;
  operation(node: PureNode, args: readonly string[]): string;
  declare(node: Node, name: string, value: string): string;
  declareVariable(node: Node, name: string, value: string | null): string;
  counter(name: string, start: string): string;
  forever: string;
  declareArray(name: string, type: ArrayType): string;
  /** Fills an array; `counter` is an unused variable name. */
  fill(array: string, type: ArrayType, value: string, counter: string): string;
  copy(to: string, from: string): string;
  store(buffer: 'f32' | 'u32', offset: number, address: string, value: string, type: ScalarType): string;
  /** Adds a float to the word in memory at `address + offset`. */
  add(offset: number, address: string, value: string): string;
  /** Reserved words that no variable may have as name: keywords, and names that the other functions here emit. */
  readonly reserved: ReadonlySet<string>;
}

/** Maximum length in characters of an inlined expression; a longer one gets a variable even if used once. */
const MAX_EXPRESSION = 110;

const COMPONENT = ['x', 'y', 'z', 'w'];
const suffix = (component: number, of: number): string =>
  of === 1 ? '' : of <= 4 ? `_${COMPONENT[component]}` : `_${component}`;

const TEMPORARY = { f32: 't', i32: 'i', u32: 'n', bool: 'is' };

/** Writes the statements of a block, and the stores at its end. */
class TextWriter {
  readonly lines: string[] = [];
  readonly #kernelName: string;
  readonly #stores: readonly Store[];
  readonly #bases: readonly number[];
  readonly #syntax: Syntax;
  readonly #indent: string;
  readonly #inline: NodeMarks;
  readonly #names: Map<Node, string>;
  readonly #taken: Set<string>;
  readonly #arrays: PlacedArrays;
  /** Variable names of the local arrays' places. */
  readonly #memory: readonly string[];
  readonly #temporaries = { f32: 0, i32: 0, u32: 0, bool: 0 };

  /** `ends`: values used at the ends of blocks. `names`: names of values that are declared before the text begins. */
  constructor(
    { name, root, stores, bases }: Pick<BoundKernel, 'name' | 'root' | 'stores' | 'bases'>,
    ends: readonly BlockEndUse[],
    syntax: Syntax,
    indent: string,
    names?: ReadonlyMap<Node, string>,
  ) {
    this.#kernelName = name;
    this.#stores = stores;
    this.#bases = bases;
    this.#syntax = syntax;
    this.#indent = indent;
    this.#inline = inlinedNodes(root, ends);
    this.#names = new Map(names);
    this.#taken = new Set([...syntax.reserved, ...this.#names.values()]);
    this.#arrays = placeArrays(root);
    this.#memory = this.#arrays.places.map(() => this.#unusedName('values'));
    for (const { position, type } of this.#arrays.places)
      this.lines.push(indent + syntax.declareArray(this.#memory[position], type));
    this.#block(root, indent);
  }

  #unusedName(wanted: string): string {
    const stem = wanted.replace(/\W/g, '_').replace(/^(?=\d|_)/, 'v');
    let candidate = stem;
    for (let k = 1; this.#taken.has(candidate); k++) candidate = `${stem}_${k}`;
    this.#taken.add(candidate);
    return candidate;
  }

  #newVariable(node: Node, stem: string): string {
    const variable = this.#unusedName(stem);
    this.#names.set(node, variable);
    return variable;
  }
  #stem(node: Node): string {
    if (node.op === 'word') return `${portLabel(node.port)}${suffix(node.component, node.port.components)}`;
    const scalar = scalarOf(node.type);
    return `${TEMPORARY[scalar]}${++this.#temporaries[scalar]}`;
  }

  #expression(node: Node): string {
    const known = this.#names.get(node);
    if (known) return known;
    switch (node.op) {
      case 'const':
        return this.#syntax.constant(node);
      case 'builtin':
        return node.builtin;
      case 'register':
        return this.#syntax.register(node.register);
      case 'word':
        return this.#syntax.word(node, this.#bases[node.base] + node.offset, this.#expression(node.address));
      case 'pure':
        return this.#operation(
          node,
          node.args.map((arg) => this.#expression(arg)),
        );
      default:
        throw defect(`kernel ${this.#kernelName} uses a ${node.op} that has no name`);
    }
  }
  #operation(node: PureNode, args: readonly string[]): string {
    try {
      return this.#syntax.operation(node, args);
    } catch (cause) {
      throw new GradsimError('kernel/no-instruction', `${(cause as Error).message}`, {
        kernel: this.#kernelName,
        cause,
      });
    }
  }
  expressionText(node: Node): string {
    return unwrapped(this.#expression(node));
  }

  #memoryOf(array: Node): string {
    return this.#memory[this.#arrays.placeOf(array).position];
  }
  #move(at: SetNode | Loop | Block, margin: string): void {
    for (const { from, to } of this.#arrays.moves(at))
      this.lines.push(margin + this.#syntax.copy(this.#memory[to.position], this.#memory[from.position]));
  }

  #block(of: Block, margin: string): void {
    const syntax = this.#syntax;
    const put = (line: string): void => {
      this.lines.push(margin + line);
    };
    for (const node of of.nodes) {
      if (isRegion(node)) this.#region(node, margin);
      else if (node.op === 'word' || node.op === 'pure') {
        const text = this.expressionText(node);
        if (this.#inline[node.id] && text.length <= MAX_EXPRESSION) continue;
        put(syntax.declare(node, this.#newVariable(node, this.#stem(node)), text));
      } else if (node.op === 'get') {
        const entry = `${this.#memoryOf(node.array)}[${this.expressionText(node.index)}]`;
        put(syntax.declare(node, this.#newVariable(node, this.#stem(node)), entry));
      } else if (node.op === 'fill' && node.value) {
        const value = this.expressionText(node.value);
        put(syntax.fill(this.#memoryOf(node), node.type, value, this.#unusedName('entry')));
      } else if (node.op === 'set') {
        this.#move(node, margin);
        put(`${this.#memoryOf(node)}[${this.expressionText(node.index)}] = ${this.expressionText(node.value)};`);
      }
    }
    this.#store(of, margin);
  }

  /** Computes all values before storing the first: a kernel reads the fields as they were before it ran. */
  #store(of: Block, margin: string): void {
    const own = this.#stores.filter(({ block }) => block === of);
    const texts = own.map(({ value, label }, k) => {
      const text = this.expressionText(value);
      if (this.#names.has(value) || value.op === 'const' || own.length === 1) return text;
      const variable = this.#unusedName(`out_${label}_${k}`);
      this.lines.push(margin + this.#syntax.declare(value, variable, text));
      return variable;
    });
    own.forEach(({ buffer, base, offset: from, address, value, adds }, k) => {
      const at = this.#expression(address);
      const offset = this.#bases[base] + from;
      const line = adds
        ? this.#syntax.add(offset, at, texts[k])
        : this.#syntax.store(buffer, offset, at, texts[k], scalarOf(value.type));
      this.lines.push(margin + line);
    });
  }

  #region(of: Region, margin: string): void {
    const results = of.block.nodes.filter((n): n is ResultNode => n.op === 'result' && n.region === of);
    if (of.op === 'if') this.#branch(of, results, margin);
    else this.#loop(of, results, margin);
  }

  #branch(of: IfRegion, results: readonly ResultNode[], margin: string): void {
    const inner = margin + this.#indent;
    const targets = results
      .filter((r) => !isArray(r.type))
      .map((r) => ({ k: r.position, name: this.#newVariable(r, this.#stem(r)), node: r }));
    for (const t of targets) this.lines.push(margin + this.#syntax.declareVariable(t.node, t.name, null));
    const side = (block: SideBlock): void => {
      this.#block(block, inner);
      for (const t of targets) this.lines.push(`${inner}${t.name} = ${this.expressionText(block.results[t.k])};`);
      this.#move(block, inner);
    };
    this.lines.push(`${margin}if (${this.expressionText(of.condition)}) {`);
    side(of.then);
    this.lines.push(`${margin}} else {`);
    side(of.otherwise);
    this.lines.push(`${margin}}`);
  }

  #loop(of: Loop, results: readonly ResultNode[], margin: string): void {
    const { lines } = this;
    const syntax = this.#syntax;
    const inner = margin + this.#indent;
    this.#move(of, margin);
    const carried = of.initial.map((initial, k) => {
      if (isArray(initial.type)) return null;
      const start = this.expressionText(initial);
      const param = of.body.params[k];
      const variable = this.#unusedName(this.#stem(param));
      for (const inside of carryingBlocks(of)) this.#names.set(inside.params[k], variable);
      lines.push(margin + syntax.declareVariable(param, variable, start));
      return variable;
    });
    for (const r of results) {
      const variable = carried[r.position];
      if (variable !== null) this.#names.set(r, variable);
    }
    if (of.op === 'range') {
      const counter = this.#newVariable(of.body.counter, 'k');
      const end = this.#expression(of.end);
      const isSimple = this.#names.has(of.end) || of.end.op === 'const';
      // Named, so that it is not recomputed in every iteration.
      const limit = isSimple ? end : this.#unusedName(`${counter}_end`);
      if (!isSimple) lines.push(margin + syntax.declare(of.end, limit, unwrapped(end)));
      const start = syntax.counter(counter, this.expressionText(of.start));
      lines.push(`${margin}for (${start}; ${counter} < ${limit}; ${counter}++) {`);
    } else {
      lines.push(margin + syntax.forever);
      this.#block(of.test, inner);
      lines.push(`${inner}if (!(${this.expressionText(of.condition)})) { break; }`);
    }
    this.#block(of.body, inner);
    const next = of.body.results.flatMap((r, k) => {
      const to = carried[k];
      const text = to === null ? null : this.expressionText(r);
      return to === null || text === null || text === to ? [] : [{ node: r, text, to }];
    });
    if (next.length === 1) lines.push(`${inner}${next[0].to} = ${next[0].text};`);
    else {
      const nexts = next.map((n) => ({ ...n, variable: this.#unusedName(`${n.to}_next`) }));
      for (const n of nexts) lines.push(inner + syntax.declare(n.node, n.variable, n.text));
      for (const n of nexts) lines.push(`${inner}${n.to} = ${n.variable};`);
    }
    this.#move(of.body, inner);
    lines.push(`${margin}}`);
  }
}

/** Writes the body of a bound kernel as statements. */
export const writeText = (kernel: BoundKernel, syntax: Syntax, indent: string): string =>
  new TextWriter(kernel, endsOf(kernel.stores), syntax, indent).lines.join('\n');

/** A function that returns a value; `names` are those of its parameters. */
export interface FunctionBody {
  readonly name: string;
  readonly root: RootBlock;
  readonly value: Node;
  readonly names: ReadonlyMap<Node, string>;
}

/** Writes the body of a function as statements. */
export function writeFunction({ value, names, ...body }: FunctionBody, syntax: Syntax, indent: string): string {
  const ends = [{ node: value, block: body.root }];
  const writer = new TextWriter({ ...body, stores: [], bases: [] }, ends, syntax, indent, names);
  return [...writer.lines, `${indent}return ${writer.expressionText(value)};`].join('\n');
}
