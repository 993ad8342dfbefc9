import type { Block, KernelSpec, PassTree, PortSpec, Program } from './program/program.ts';

/** Formats a program as readable text, one statement per line. */
export function describeProgram({ domains, fields, kernels, passes, run, stages, neighbourhood }: Program): string {
  const lines = [
    `run ${JSON.stringify(run)}`,
    ...(stages ? [`stages ${JSON.stringify(stages)}`] : []),
    ...(neighbourhood ? [`neighbourhood ${JSON.stringify(neighbourhood)}`] : []),
    ...domains.map(({ name, size, elementsTogether, componentsTogether, grid }) =>
      [
        'domain',
        name,
        size,
        elementsTogether && 'elementsTogether',
        componentsTogether && 'componentsTogether',
        grid !== undefined && JSON.stringify(grid),
      ]
        .filter((part) => part !== false)
        .join(' '),
    ),
    ...fields.map((f) =>
      [
        'field',
        `${f.domain}.${f.name}`,
        f.type,
        f.over && `over ${f.over}`,
        f.shared && 'shared',
        f.target && `-> ${f.target}`,
      ]
        .filter(Boolean)
        .join(' '),
    ),
    ...passes.flatMap(({ phase, pass, before, after }) => {
      const [first, ...more] = describeTree(pass, kernels);
      const order = [before && `before ${before}`, after && `after ${after}`].filter(Boolean).join(', ');
      return [`${phase}: ${first}${order && `, ${order}`}`, ...more];
    }),
  ];
  return lines.join('\n');
}

function describeTree(tree: PassTree, kernels: readonly KernelSpec[]): string[] {
  const all = (title: string, list: readonly PassTree[]): string[] => [
    title,
    ...indented(list.flatMap((one) => describeTree(one, kernels))),
  ];
  switch (tree.kind) {
    case 'kernel': {
      const { name, domain } = kernels[tree.kernel];
      const names = Object.entries(tree.rename).map(([port, field]) => `${port} is ${field}`);
      const own = tree.as === undefined ? describeKernel(kernels[tree.kernel]) : [];
      const what = tree.as === undefined ? name : `${tree.as} of ${name}, by hand,`;
      return [`${what} over ${domain}`, ...indented(names), ...indented(own)];
    }
    case 'repeat':
      return all(`repeat ${tree.times} times`, tree.passes);
    case 'iterate':
      return all(`iterate until ${tree.until} is below ${tree.below}, at most ${tree.most} times`, tree.passes);
    case 'block':
      return [...all('block', tree.passes), ...all('its vjp', tree.vjp), ...all('its jvp', tree.jvp)];
    default: {
      const { mode, of, fields, with: other } = tree;
      const what = mode === 'jvp' ? 'product with the Jacobian' : 'transposed product';
      return [`${what} of ${of}, ${JSON.stringify(fields)}, ${mode === 'jvp' ? 'into' : 'weights'} ${other}`];
    }
  }
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

function describeKernel({ ports, body, gives, adjoint }: KernelSpec): string[] {
  const port = ({ access, kind, name, type, domain, target, count }: PortSpec): string =>
    [access, kind, name, type, domain && `of ${domain}`, target && `-> ${target}`, count && `x ${count}`]
      .filter(Boolean)
      .join(' ');
  return [
    ...ports.map(port),
    ...describeBlock(body),
    ...gives.map(
      (g) =>
        `give ${g.port} ${g.values.map((v) => `#${v}`).join(' ')}${g.at === undefined ? '' : ` at #${g.at}`}${g.near ? ` near ${JSON.stringify(g.near)}` : ''}${g.within?.length ? ` within ${JSON.stringify(g.within)}` : ''}`,
    ),
    ...(adjoint ? [`adjoint by hand ${JSON.stringify(adjoint)}`] : []),
  ];
}

function describeBlock({ params, statements, results }: Block): string[] {
  return [
    ...params.map((p) => `#${p.id} ${p.type} enters`),
    ...statements.flatMap((s) => [
      [
        `#${s.id}`,
        s.type,
        s.op,
        ...s.args.map((a) => `#${a}`),
        s.port,
        s.component,
        s.literal && JSON.stringify(s.literal),
      ]
        .filter((part) => part !== undefined)
        .join(' '),
      ...(s.blocks ?? []).flatMap((inner) => ['{', ...indented(describeBlock(inner)), '}']),
    ]),
    ...results.map((id) => `#${id} leaves`),
  ];
}
