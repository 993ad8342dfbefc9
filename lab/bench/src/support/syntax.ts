import { parseAst } from 'rolldown/parseAst';

/** A node of the syntax tree (ESTree), with its start and end in the text. */
export type Node = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly start: number;
  readonly end: number;
};

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && typeof value.type === 'string';

/** Nodes in a list, in order; empty if the value is not a list. */
export const nodesOf = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/**
 * Calls `act` for each node of a TypeScript text, with JSX for `tsx`, with its ancestors, outermost first. If `act` returns false, the
 * node's children are skipped.
 */
export function walk(
  text: string,
  act: (node: Node, within: readonly Node[]) => boolean,
  lang: 'ts' | 'tsx' = 'ts',
): void {
  const within: Node[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || !act(value, within)) return;
    within.push(value);
    Object.values(value).forEach(visit);
    within.pop();
  };
  visit(parseAst(text, { lang }));
}
