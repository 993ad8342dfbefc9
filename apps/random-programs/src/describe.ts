import type { Block, KernelSpec, PortSpec, Program } from './program.ts';

/** A program as text that a person can read, one line a statement. */
export function describeProgram({ domains, fields, kernels, passes, run }: Program): string {
  const lines = [
    `run ${JSON.stringify(run)}`,
    ...domains.map(({ name, size, elementsTogether, componentsTogether }) =>
      [
        'domain',
        name,
        size,
        elementsTogether && 'elementsTogether',
        componentsTogether && 'componentsTogether',
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
    ...passes.flatMap(({ phase, kernel, rename }) => {
      const names = Object.entries(rename).map(([port, field]) => `${port} is ${field}`);
      return [
        `${phase}: ${kernels[kernel].name} over ${kernels[kernel].domain}`,
        ...indented(names),
        ...indented(describeKernel(kernels[kernel])),
      ];
    }),
  ];
  return lines.join('\n');
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
        `give ${g.port} ${g.values.map((v) => `#${v}`).join(' ')}${g.at === undefined ? '' : ` at #${g.at}`}${g.within?.length ? ` within ${JSON.stringify(g.within)}` : ''}`,
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
