import { GradsimError } from '@gradsim/base';
import type { Kernel } from '@gradsim/kernel';
import type { Pass } from '../model/pass.ts';
import { isPass } from '../model/pass.ts';
import type { VectorRef } from './vectors.ts';

type FromTo<T> = (from: VectorRef, into: VectorRef) => T;

/** Wraps an option that creates a product pass, to check that it returns a pass. */
export const checkedProduct =
  (solver: string, option: string, create: FromTo<Pass>): FromTo<Pass> =>
  (from, into) => {
    const made = create(from, into);
    if (isPass(made)) return made;
    throw new GradsimError(
      'core/not-a-pass',
      `${solver}: \`${option}(from, into)\` returned ${described(made)} for ${from.key}.`,
      { field: from.key, hint: 'It must return a pass that adds the product to `into`, such as jacobianProduct(...).' },
    );
  };

/** Wraps an option that creates the passes of a preconditioner, to check that it returns a list of passes. */
export const checkedPasses =
  (solver: string, option: string, create: FromTo<readonly Pass[]>): FromTo<readonly Pass[]> =>
  (from, into) => {
    const made = create(from, into);
    if (Array.isArray(made) && made.every(isPass)) return made;
    throw new GradsimError(
      'core/not-a-pass',
      `${solver}: \`${option}(from, into)\` returned ${described(made)} for ${from.key}.`,
      { field: from.key, hint: 'It must return an array of passes that write `into`.' },
    );
  };

const described = (made: Pass | Kernel | readonly Pass[] | undefined): string => {
  if (Array.isArray(made)) return 'an array with something else than passes';
  return made === undefined ? 'nothing' : `${typeof made === 'object' ? 'an object that is none' : String(made)}`;
};
