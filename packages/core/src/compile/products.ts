import { GradsimError } from '@gradsim/kernel';
import { adjointPasses, nameIn, tangentPasses } from '../model/derived-passes.ts';
import type { Cycle } from '../model/model.ts';
import { cycleOf } from '../model/model.ts';
import type { KernelPass, ProductPass } from '../model/pass.ts';
import { isSameUse, kernelsOfValues, productsIn } from '../model/pass.ts';
import { keyOf } from '../model/uses.ts';
import type { Fields } from './fields.ts';

/**
 * Returns the passes that compute a product with a Jacobian: the tangents or adjoints of all passes that add to the
 * field, or of the given passes, as kernels over ordinary fields.
 *
 * @throws when no pass adds to the field, or none of them reads a field along which the product is taken.
 */
export function productPasses(fields: Fields, cycle: Cycle, pass: ProductPass): KernelPass[] {
  const from = pass.from ?? addersOf(fields, cycle, pass.of);
  if (from.length === 0)
    throw new GradsimError(
      'core/product-of-nothing',
      `No pass adds to ${pass.of}, so there is no Jacobian to take a product with.`,
    );
  declareVectors(fields, pass);
  const { of, with: vector, fields: pairs } = pass;
  const other = (key: string): string | null => pairs[key] ?? null;
  const name = [vector, ...Object.values(pairs)].map(nameIn).join(' ');
  const passes =
    pass.mode === 'jvp'
      ? tangentPasses(from, { of, along: other, into: vector, name })
      : adjointPasses(from, { of, weights: vector, into: other, name });
  if (passes.length === 0)
    throw new GradsimError(
      'core/product-of-nothing',
      `What is added to ${pass.of} depends on none of ${Object.keys(pass.fields).join(', ')}, so the product with its Jacobian is zero.`,
    );
  return passes;
}

/**
 * Returns the passes that add to a field. A kernel that adds over the same fields at several places, before a loop and
 * in it, counts once.
 */
function addersOf({ model }: Fields, cycle: Cycle, key: string): KernelPass[] {
  const adders = model.passes
    .filter(({ phase }) => cycleOf(phase) === cycle)
    .flatMap(({ pass }) => kernelsOfValues(pass))
    .filter(({ kernel: { form }, names }) =>
      form.ports.some((p) => p.access === 'add' && p.kind === 'primal' && keyOf(form, names)(p) === key),
    );
  return adders.filter((one, k) => adders.findIndex((other) => isSameUse(one, other)) === k);
}

/**
 * Creates the fields to which a product is written, unless they exist. Each is of the type of another field, which may be
 * the result of a product too: `waiting` are the products whose results these decide.
 */
function declareVectors(fields: Fields, pass: ProductPass, waiting: readonly ProductPass[] = [pass]): void {
  for (const [of, key] of resultsOf(pass)) {
    const maker = fields.find(of) ? undefined : productOf(fields, of);
    if (maker && !waiting.includes(maker)) declareVectors(fields, maker, [...waiting, maker]);
    const { scalar, components } = fields.find(of) ?? fields.model.field(of);
    fields.make(key, { scalar, components });
  }
}

/** Returns the fields to which a product is written, each behind the field of whose type it is. */
const resultsOf = ({ mode, of, with: vector, fields }: ProductPass): [string, string][] =>
  mode === 'jvp' ? [[of, vector]] : Object.entries(fields);

/** Returns the product that is written to a field. */
const productOf = ({ model }: Fields, key: string): ProductPass | undefined =>
  model.passes
    .flatMap(({ pass }) => productsIn(pass))
    .find((pass) => resultsOf(pass).some(([, result]) => result === key));
