import type { Kind } from './kinds.ts';
import type { Value } from './measured.ts';
import { measuredSource } from './measured.ts';

/** Sources of the templates that an experiment's folder is made from. */
export interface Templates {
  /** Module of the kind, which imports `./measured.ts` and `../shared/film.ts`. */
  readonly experiment: string;
  /** Module that reads the film, shared by all kinds that are estimated from one. */
  readonly film?: string;
}

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

/**
 * Files of an experiment's folder, by name: the experiment, its film reader if there is a film, the measurements, and the configuration of
 * type checks. The film reader lies beside the experiment, whereas the templates of all kinds share it.
 */
export const experimentFiles = (
  name: string,
  kind: Kind,
  values: Readonly<Record<string, Value>>,
  { experiment, film }: Templates,
): Record<string, string> => ({
  [`${name}.ts`]: experiment.replaceAll("'../shared/", "'./"),
  ...(film === undefined ? {} : { 'film.ts': film }),
  'measured.ts': measuredSource(name, kind, values),
  'tsconfig.json': `${JSON.stringify(TSCONFIG, null, 2)}\n`,
});
