import type {
  ArrayType,
  Block,
  ConstNode,
  IfRegion,
  Loop,
  Node,
  PureNode,
  PureOp,
  Region,
  Register,
  ResultNode,
  ScalarType,
  SetNode,
  SideBlock,
  WordNode,
} from '../language/form.ts';
import { carryingBlocks, isArray, isPure, isRegion, portLabel, scalarOf } from '../language/form.ts';
import { placeArrays } from './arrays.ts';
import type { BoundKernel } from './bind.ts';
import { inlined } from './usage.ts';

/** How a language that looks like C writes things. */
export interface Syntax {
  constant(node: ConstNode): string;
  register(name: Register): string;
  word(node: WordNode, address: string): string;
  operation(node: PureNode, args: readonly string[]): string;
  declare(node: Node, name: string, value: string): string;
  declareVariable(node: Node, name: string, value: string | null): string;
  counter(name: string, start: string): string;
  forever: string;
  declareArray(name: string, type: ArrayType): string;
  /** `counter` is a name that nothing has. */
  fill(array: string, type: ArrayType, value: string, counter: string): string;
  copy(to: string, from: string): string;
  store(buffer: 'f32' | 'u32', offset: number, address: string, value: string, type: ScalarType): string;
  /** Words that no variable may be called: keywords, and the names that the other functions here write. */
  readonly reserved: ReadonlySet<string>;
}

/** An expression longer than this gets a name even if it is used once. */
const LONGEST_EXPRESSION = 110;

const COMPONENT = ['x', 'y', 'z', 'w'];
const suffix = (component: number, of: number): string =>
  of === 1 ? '' : of <= 4 ? `_${COMPONENT[component]}` : `_${component}`;

const TEMPORARY = { f32: 't', i32: 'i', u32: 'n', bool: 'is' };

/** The text without the parentheses around all of it, if there are such. */
export function unwrapped(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let k = 0; k < text.length - 1; k++) {
    if (text[k] === '(') depth++;
    else if (text[k] === ')' && --depth === 0) return text;
  }
  return text.slice(1, -1);
}

const PRODUCTS: ReadonlySet<Node['op']> = new Set<PureOp>(['mul', 'div']);
const SUMS: ReadonlySet<Node['op']> = new Set<PureOp>(['add', 'sub']);

/**
 * The operands of a float `+ - * /` without the parentheses that precedence gives anyway; never in a way that
 * changes the order of evaluation.
 */
export function looseOperands(node: PureNode, [x, y]: readonly string[]): [string, string] {
  const [left, right] = node.args;
  if (SUMS.has(node.op)) {
    const isTerm = (of: Node): boolean => PRODUCTS.has(of.op);
    return [isTerm(left) || SUMS.has(left.op) ? unwrapped(x) : x, isTerm(right) ? unwrapped(y) : y];
  }
  return [PRODUCTS.has(left.op) ? unwrapped(x) : x, y];
}

/** Writes the body of a bound kernel as statements. */
export function writeText(kernel: BoundKernel, syntax: Syntax, indent: string): string {
  const inline = inlined(kernel);
  const names = new Map<Node, string>();
  const taken = new Set<string>(syntax.reserved);
  const temporaries = { f32: 0, i32: 0, u32: 0, bool: 0 };
  const lines: string[] = [];
  const fresh = (wanted: string): string => {
    const stem = wanted.replace(/\W/g, '_').replace(/^(?=\d|_)/, 'v');
    let candidate = stem;
    for (let k = 1; taken.has(candidate); k++) candidate = `${stem}_${k}`;
    taken.add(candidate);
    return candidate;
  };
  const name = (node: Node, stem: string): string => {
    const variable = fresh(stem);
    names.set(node, variable);
    return variable;
  };
  const stem = (node: Node): string =>
    node.op === 'word'
      ? `${portLabel(node.port)}${suffix(node.component, node.port.components)}`
      : `${TEMPORARY[scalarOf(node.type)]}${++temporaries[scalarOf(node.type)]}`;

  const expression = (node: Node): string => {
    const known = names.get(node);
    if (known) return known;
    switch (node.op) {
      case 'const':
        return syntax.constant(node);
      case 'builtin':
        return node.builtin;
      case 'register':
        return syntax.register(node.register);
      case 'word':
        return syntax.word(node, expression(node.address));
      case 'load':
      case 'counter':
      case 'param':
      case 'result':
      case 'fill':
      case 'get':
      case 'set':
        throw new Error(`internal: kernel ${kernel.name} uses a ${node.op} that has no name`);
      default:
        return syntax.operation(node, node.args.map(expression));
    }
  };

  const written = (node: Node): string => unwrapped(expression(node));

  const arrays = placeArrays(kernel.root);
  const memory = arrays.places.map(() => fresh('values'));
  const memoryOf = (array: Node): string => memory[arrays.of(array).position];
  const move = (at: SetNode | Loop | Block, margin: string): void => {
    for (const { from, to } of arrays.moves(at))
      lines.push(margin + syntax.copy(memory[to.position], memory[from.position]));
  };

  const block = (of: Block, margin: string): void => {
    const put = (line: string): void => {
      lines.push(margin + line);
    };
    for (const node of of.nodes) {
      if (isRegion(node)) region(node, margin);
      else if (node.op === 'word' || isPure(node)) {
        const text = written(node);
        if (inline.has(node) && text.length <= LONGEST_EXPRESSION) continue;
        put(syntax.declare(node, name(node, stem(node)), text));
      } else if (node.op === 'get') {
        const entry = `${memoryOf(node.array)}[${written(node.at)}]`;
        put(syntax.declare(node, name(node, stem(node)), entry));
      } else if (node.op === 'fill') {
        if (node.value) put(syntax.fill(memoryOf(node), node.type, written(node.value), fresh('entry')));
      } else if (node.op === 'set') {
        move(node, margin);
        put(`${memoryOf(node)}[${written(node.at)}] = ${written(node.value)};`);
      }
    }
  };

  const region = (of: Region, margin: string): void => {
    const results = of.block.nodes.filter((n): n is ResultNode => n.op === 'result' && n.region === of);
    if (of.op === 'if') branch(of, results, margin);
    else loop(of, results, margin);
  };

  const branch = (of: IfRegion, results: readonly ResultNode[], margin: string): void => {
    const targets = results
      .filter((r) => !isArray(r.type))
      .map((r) => ({ k: r.position, name: name(r, stem(r)), node: r }));
    for (const t of targets) lines.push(margin + syntax.declareVariable(t.node, t.name, null));
    const side = (inside: SideBlock): void => {
      const inner = margin + indent;
      block(inside, inner);
      for (const t of targets) lines.push(`${inner}${t.name} = ${written(inside.results[t.k])};`);
      move(inside, inner);
    };
    lines.push(`${margin}if (${written(of.condition)}) {`);
    side(of.then);
    lines.push(`${margin}} else {`);
    side(of.otherwise);
    lines.push(`${margin}}`);
  };

  const loop = (of: Loop, results: readonly ResultNode[], margin: string): void => {
    const inner = `${margin}${indent}`;
    const put = (line: string): void => {
      lines.push(margin + line);
    };
    move(of, margin);
    const carried = of.initial.map((initial, k) => {
      if (isArray(initial.type)) return null;
      const start = written(initial);
      const param = of.body.params[k];
      const variable = fresh(stem(param));
      for (const inside of carryingBlocks(of)) names.set(inside.params[k], variable);
      put(syntax.declareVariable(param, variable, start));
      return variable;
    });
    for (const r of results) {
      const variable = carried[r.position];
      if (variable !== null) names.set(r, variable);
    }
    if (of.op === 'range') {
      const counter = name(of.body.counter, 'k');
      const end = expression(of.end);
      const isSimple = names.has(of.end) || of.end.op === 'const';
      // Named, so that it is not computed in every round.
      const limit = isSimple ? end : fresh(`${counter}_end`);
      if (!isSimple) put(syntax.declare(of.end, limit, unwrapped(end)));
      put(`for (${syntax.counter(counter, written(of.start))}; ${counter} < ${limit}; ${counter}++) {`);
    } else {
      put(syntax.forever);
      block(of.test, inner);
      lines.push(`${inner}if (!(${written(of.condition)})) { break; }`);
    }
    block(of.body, inner);
    const next = of.body.results.flatMap((r, k) => {
      const to = carried[k];
      const text = to === null ? null : written(r);
      return to === null || text === null || text === to ? [] : [{ node: r, text, to }];
    });
    if (next.length === 1) lines.push(`${inner}${next[0].to} = ${next[0].text};`);
    else {
      const nexts = next.map((n) => ({ ...n, variable: fresh(`${n.to}_next`) }));
      for (const n of nexts) lines.push(inner + syntax.declare(n.node, n.variable, n.text));
      for (const n of nexts) lines.push(`${inner}${n.to} = ${n.variable};`);
    }
    move(of.body, inner);
    put('}');
  };

  for (const { position, type } of arrays.places)
    lines.push(indent + syntax.declareArray(memory[position], type));
  block(kernel.root, indent);
  // All values are found before the first is stored: a kernel reads the fields as they were before it ran.
  const stores = kernel.stores.map((store, k) => {
    const text = written(store.value);
    if (names.has(store.value) || store.value.op === 'const' || kernel.stores.length === 1)
      return { store, text };
    const variable = fresh(`out_${store.label}_${k}`);
    lines.push(indent + syntax.declare(store.value, variable, text));
    return { store, text: variable };
  });
  for (const { store, text } of stores) {
    lines.push(
      indent +
        syntax.store(store.buffer, store.offset, expression(store.address), text, scalarOf(store.value.type)),
    );
  }
  return lines.join('\n');
}
