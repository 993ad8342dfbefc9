import type { Block, Node, ScalarType } from '../language/form.ts';
import { isRegion, portLabel } from '../language/form.ts';
import { carriedFrom } from '../language/simplify.ts';
import type { BoundKernel } from './bind.ts';
import { inlined } from './usage.ts';

/** How a language that looks like C writes things. */
export interface Syntax {
  constant(node: Node): string;
  builtin(name: string): string;
  word(node: Node, address: string): string;
  operation(node: Node, args: readonly string[]): string;
  declare(node: Node, name: string, value: string): string;
  declareVariable(node: Node, name: string, value: string | null): string;
  counter(name: string, start: string): string;
  forever: string;
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

const PRODUCTS = new Set<Node['op']>(['mul', 'div']);
const SUMS = new Set<Node['op']>(['add', 'sub']);

/**
 * The operands of a float `+ - * /` without the parentheses that precedence gives anyway; never in a way that
 * changes the order of evaluation.
 */
export function looseOperands(node: Node, [x, y]: readonly string[]): [string, string] {
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
    node.op === 'word' && node.port
      ? `${portLabel(node.port)}${suffix(node.component!, node.port.components)}`
      : `${TEMPORARY[node.type]}${++temporaries[node.type]}`;

  const expression = (node: Node): string => {
    const known = names.get(node);
    if (known) return known;
    if (node.op === 'const') return syntax.constant(node);
    if (node.op === 'builtin') return syntax.builtin(node.builtin!);
    const args = node.args.map(expression);
    return node.op === 'word' ? syntax.word(node, args[0]) : operation(node, args);
  };

  const operation = (node: Node, args: readonly string[]): string => {
    try {
      return syntax.operation(node, args);
    } catch (cause) {
      throw new Error(`kernel ${kernel.name}: ${(cause as Error).message}`, { cause });
    }
  };

  const written = (node: Node): string => unwrapped(expression(node));

  const block = (of: Block, margin: string): void => {
    const put = (line: string): void => {
      lines.push(margin + line);
    };
    for (const node of of.nodes) {
      if (isRegion(node)) region(node, margin);
      else if (node.op === 'result' || node.op === 'const' || node.op === 'builtin') continue;
      else {
        const text = written(node);
        if (inline.has(node) && text.length <= LONGEST_EXPRESSION) continue;
        put(syntax.declare(node, name(node, stem(node)), text));
      }
    }
  };

  const resultNodes = (of: Node): Node[] =>
    of.block.nodes.filter((n) => n.op === 'result' && n.args[0] === of);

  const region = (node: Node, margin: string): void => {
    const put = (line: string): void => {
      lines.push(margin + line);
    };
    const inner = `${margin}${indent}`;
    const results = resultNodes(node);
    if (node.op === 'if') {
      const targets = results.map((r) => ({ k: r.value, name: name(r, stem(r)), node: r }));
      for (const t of targets) put(syntax.declareVariable(t.node, t.name, null));
      node.blocks!.forEach((side, position) => {
        put(position === 0 ? `if (${written(node.args[0])}) {` : '} else {');
        block(side, inner);
        for (const t of targets) lines.push(`${inner}${t.name} = ${written(side.results[t.k])};`);
      });
      put('}');
      return;
    }
    const { args, params } = carriedFrom(node);
    const body = node.blocks![node.blocks!.length - 1];
    const carried = body.params.slice(params).map((p, k) => {
      const start = written(node.args[args + k]);
      const variable = name(p, stem(p));
      put(syntax.declareVariable(p, variable, start));
      if (node.op === 'while') names.set(node.blocks![0].params[k], variable);
      return variable;
    });
    for (const r of results) names.set(r, carried[r.value]);
    if (node.op === 'range') {
      const counter = name(body.params[0], 'k');
      const end = expression(node.args[1]);
      const isSimple = names.has(node.args[1]) || node.args[1].op === 'const';
      // Named, so that it is not computed in every round.
      const limit = isSimple ? end : fresh(`${counter}_end`);
      if (!isSimple) put(syntax.declare(node.args[1], limit, unwrapped(end)));
      put(`for (${syntax.counter(counter, written(node.args[0]))}; ${counter} < ${limit}; ${counter}++) {`);
    } else {
      put(syntax.forever);
      block(node.blocks![0], inner);
      lines.push(`${inner}if (!(${written(node.blocks![0].results[0])})) { break; }`);
    }
    block(body, inner);
    const next = body.results
      .map((r, k) => ({ node: r, text: written(r), to: carried[k] }))
      .filter((n) => n.text !== n.to);
    if (next.length === 1) lines.push(`${inner}${next[0].to} = ${next[0].text};`);
    else {
      const nexts = next.map((n) => ({ ...n, variable: fresh(`${n.to}_next`) }));
      for (const n of nexts) lines.push(inner + syntax.declare(n.node, n.variable, n.text));
      for (const n of nexts) lines.push(`${inner}${n.to} = ${n.variable};`);
    }
    put('}');
  };

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
      indent + syntax.store(store.buffer, store.offset, expression(store.address), text, store.value.type),
    );
  }
  return lines.join('\n');
}
