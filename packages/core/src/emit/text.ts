import type { Block, Node } from '../kernel/form.ts';
import { isRegion, portLabel } from '../kernel/form.ts';
import { carriedFrom } from '../kernel/simplify.ts';
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
  store(buffer: 'f32' | 'u32', offset: number, address: string, value: string): string;
}

/** An expression longer than this gets a name even if it is used once. */
const LONGEST_EXPRESSION = 110;

const COMPONENT = ['x', 'y', 'z', 'w'];
const suffix = (component: number, of: number): string =>
  of === 1 ? '' : of <= 4 ? `_${COMPONENT[component]}` : `_${component}`;

/** Writes the body of a bound kernel as statements. */
export function writeText(kernel: BoundKernel, syntax: Syntax, indent: string): string {
  const inline = inlined(kernel);
  const names = new Map<Node, string>();
  const taken = new Set<string>();
  const lines: string[] = [];
  const name = (node: Node, stem: string): string => {
    let candidate = stem;
    for (let k = 1; taken.has(candidate); k++) candidate = `${stem}_${k}`;
    taken.add(candidate);
    names.set(node, candidate);
    return candidate;
  };
  const stem = (node: Node): string =>
    node.op === 'word' && node.port
      ? `${portLabel(node.port)}${suffix(node.component!, node.port.components)}`
      : `${{ f32: 't', i32: 'i', u32: 'n', bool: 'is' }[node.type]}${node.id}`;

  const expression = (node: Node): string => {
    const known = names.get(node);
    if (known) return known;
    if (node.op === 'const') return syntax.constant(node);
    if (node.op === 'builtin') return syntax.builtin(node.builtin!);
    const args = node.args.map(expression);
    return node.op === 'word' ? syntax.word(node, args[0]) : syntax.operation(node, args);
  };

  const block = (of: Block, margin: string): void => {
    const put = (line: string): void => {
      lines.push(margin + line);
    };
    for (const node of of.nodes) {
      if (isRegion(node)) region(node, margin);
      else if (node.op === 'result' || node.op === 'const' || node.op === 'builtin') continue;
      else if (!inline.has(node)) put(syntax.declare(node, name(node, stem(node)), expression(node)));
      else {
        const text = expression(node);
        if (text.length > LONGEST_EXPRESSION) put(syntax.declare(node, name(node, stem(node)), text));
      }
    }
  };

  const resultNodes = (of: Node): Node[] => of.block.nodes.filter((n) => n.op === 'result' && n.args[0] === of);

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
        put(position === 0 ? `if (${expression(node.args[0])}) {` : '} else {');
        block(side, inner);
        for (const t of targets) lines.push(`${inner}${t.name} = ${expression(side.results[t.k])};`);
      });
      put('}');
      return;
    }
    const { args, params } = carriedFrom(node);
    const body = node.blocks![node.blocks!.length - 1];
    const carried = body.params.slice(params).map((p, k) => {
      const variable = name(p, `${stem(p)}c`);
      put(syntax.declareVariable(p, variable, expression(node.args[args + k])));
      if (node.op === 'while') names.set(node.blocks![0].params[k], variable);
      return variable;
    });
    for (const r of results) names.set(r, carried[r.value]);
    if (node.op === 'range') {
      const counter = name(body.params[0], 'k');
      put(`for (${syntax.counter(counter, expression(node.args[0]))}; ${counter} < ${expression(node.args[1])}; ${counter}++) {`);
    } else {
      put(syntax.forever);
      block(node.blocks![0], inner);
      lines.push(`${inner}if (!(${expression(node.blocks![0].results[0])})) { break; }`);
    }
    block(body, inner);
    const next = body.results.map((r, k) => ({ node: r, text: expression(r), to: carried[k] })).filter((n) => n.text !== n.to);
    if (next.length === 1) lines.push(`${inner}${next[0].to} = ${next[0].text};`);
    else {
      for (const n of next) lines.push(inner + syntax.declare(n.node, `${n.to}_next`, n.text));
      for (const n of next) lines.push(`${inner}${n.to} = ${n.to}_next;`);
    }
    put('}');
  };

  block(kernel.root, indent);
  // All values are found before the first is stored: a kernel reads the fields as they were before it ran.
  const stores = kernel.stores.map((store, k) => {
    const text = expression(store.value);
    if (names.has(store.value) || store.value.op === 'const' || kernel.stores.length === 1) return { store, text };
    const variable = `out_${store.label}${suffix(store.component, 2)}_${k}`;
    lines.push(indent + syntax.declare(store.value, variable, text));
    return { store, text: variable };
  });
  for (const { store, text } of stores) {
    lines.push(indent + syntax.store(store.buffer, store.offset, expression(store.address), text));
  }
  return lines.join('\n');
}
