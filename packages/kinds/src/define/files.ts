import type { Kind } from './kind.ts';
import type { Value } from './measure.ts';

/** Compiler options as strict as those of gradsim's own experiments. */
const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
  },
};

/** Import of a kind in a module. */
export interface KindImport {
  /** Name of the package or path of the module: `gradsim/kinds`. */
  readonly from: string;
  /** Name under which it is exported. */
  readonly name: string;
}

/**
 * Files of an experiment's folder, by name: the experiment, the measurements, and the configuration of type checks.
 *
 * ```ts
 * experimentFiles(ball, { from: 'gradsim/kinds', name: 'ball' }, measuredOf(ball, { video: 'a.mp4', radius: '0.1' }));
 * ```
 */
export function experimentFiles(
  { name, finds, measures }: Pick<Kind, 'name' | 'finds' | 'measures'>,
  { from, name: exported }: KindImport,
  values: Readonly<Record<string, Value>>,
): Record<string, string> {
  const kindFrom = `'${from}'`;
  const experiment = [
    `import { ${exported} } from ${kindFrom};`,
    `import { measured } from './measured.ts';`,
    '',
    `/** Finds ${finds}. */`,
    `export default ${exported}.experiment(measured, import.meta.url);`,
  ];
  const measured = [
    ...(from === 'gradsim/kinds'
      ? [`import type { ${exported}, Measured } from ${kindFrom};`]
      : [`import type { Measured } from 'gradsim/kinds';`, `import type { ${exported} } from ${kindFrom};`]),
    '',
    `/** Measurements for ${name}: fill them in, and leave null what you do not know. */`,
    `export const measured: Measured<typeof ${exported}> = {`,
    ...Object.entries(measures).flatMap(([key, { what }]) => [
      `  /** ${what} */`,
      `  ${key}: ${sourceOf(values[key] ?? null)},`,
    ]),
    '};',
  ];
  const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
  return {
    [`${name}.ts`]: text(experiment),
    'measured.ts': text(measured),
    'tsconfig.json': `${JSON.stringify(TSCONFIG, null, 2)}\n`,
  };
}

const sourceOf = (value: Value): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value).replaceAll(',', ', ');
