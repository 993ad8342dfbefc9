import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Experiment } from '@gradsim/optim';
import { createJiti } from 'jiti';

const ENDINGS = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Loads an experiment: the default export of a TypeScript or JavaScript module. Whatever it imports of gradsim is what
 * this command runs with, wherever the module lies, so that models it makes are understood here.
 * @throws when it is no module, fails while it loads, or exports no experiment.
 */
export async function loadExperiment(file: string): Promise<Experiment> {
  if (!ENDINGS.includes(extname(file)))
    throw new Error(
      `${file} cannot be an experiment: it must be a module that ends in ${ENDINGS.join(', ')}.`,
    );
  const exported = await evaluate(file);
  if (!isExperiment(exported)) {
    throw new Error(
      `${file} has no default export that is an experiment; write ` +
        '`export default defineExperiment({ name, description, stages })`, from @gradsim/optim.',
    );
  }
  return exported;
}

async function evaluate(file: string): Promise<unknown> {
  const jiti = createJiti(pathToFileURL(file).href, {
    virtualModules: await ownModules(),
    interopDefault: false,
    fsCache: false,
    moduleCache: false,
  });
  const options = { filename: file, async: true, forceTranspile: true };
  try {
    const module = (await jiti.evalModule(readFileSync(file, 'utf8'), options)) as { default?: unknown };
    return module.default;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The experiment ${file} cannot be loaded: ${reason}`, { cause: error });
  }
}

async function ownModules(): Promise<Record<string, unknown>> {
  return {
    '@gradsim/cloth': await import('@gradsim/cloth'),
    '@gradsim/contact': await import('@gradsim/contact'),
    '@gradsim/core': await import('@gradsim/core'),
    '@gradsim/fem': await import('@gradsim/fem'),
    '@gradsim/mesh': await import('@gradsim/mesh'),
    '@gradsim/optim': await import('@gradsim/optim'),
    '@gradsim/particles': await import('@gradsim/particles'),
    '@gradsim/physics': await import('@gradsim/physics'),
    '@gradsim/render': await import('@gradsim/render'),
    '@gradsim/render/raster': await import('@gradsim/render/raster'),
    '@gradsim/render-softras': await import('@gradsim/render-softras'),
    '@gradsim/rigid': await import('@gradsim/rigid'),
    '@gradsim/springs': await import('@gradsim/springs'),
    '@gradsim/video': await import('@gradsim/video'),
  };
}

function isExperiment(value: unknown): value is Experiment {
  if (typeof value !== 'object' || value === null) return false;
  const { name, stages } = value as Partial<Experiment>;
  return typeof name === 'string' && name !== '' && typeof stages === 'function';
}
