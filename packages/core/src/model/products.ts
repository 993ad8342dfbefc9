import { GradsimError } from '@gradsim/base';
import { withPorts, zeroForm } from '@gradsim/kernel/internal';
import { adjointPasses, madeIn, nameIn, tangentPasses } from './derived-passes.ts';
import type { FieldPairs, KernelPass, Names, ProductModel, ProductPass } from './pass.ts';
import { bind, isSameUse, kernelsOfValues, productsIn } from './pass.ts';
import type { FieldKey } from './references.ts';
import { keyOfField } from './references.ts';
import { keyOf } from './uses.ts';

/**
 * Computes J v, for the Jacobian J of the sum that passes add to a field: adds to `into` the change of that sum when
 * the fields that the passes read change along `along`. This lets a solver work over forces of unknown plugins. A
 * kernel that adds in several places over the same fields, before a loop and in it, counts once; with
 * `differentiatedPasses`, only those kernels count, and the product includes the fields that earlier ones write for
 * later ones.
 *
 * ```ts
 * jacobianProduct(force, { along: { [Particle.position.key]: direction }, into: stiffnessTimesDirection })
 * ```
 */
export const jacobianProduct = (
  sum: FieldKey,
  {
    along,
    into,
    differentiatedPasses,
  }: { along: FieldPairs; into: FieldKey; differentiatedPasses?: readonly KernelPass[] },
): ProductPass => ({
  kind: 'product',
  mode: 'jvp',
  sumKey: keyOfField(sum),
  fields: keysOf(along),
  vectorOfSum: keyOfField(into),
  differentiatedPasses,
  expand,
});

/**
 * Computes w^T J, for the Jacobian J of the sum that passes add to a field: for each field, adds the product to the
 * field given for it in `into`, which is 0 where nothing of the sum depends on it.
 */
export const transposedProduct = (
  sum: FieldKey,
  {
    weights,
    into,
    differentiatedPasses,
  }: { weights: FieldKey; into: FieldPairs; differentiatedPasses?: readonly KernelPass[] },
): ProductPass => ({
  kind: 'product',
  mode: 'vjp',
  sumKey: keyOfField(sum),
  fields: keysOf(into),
  vectorOfSum: keyOfField(weights),
  differentiatedPasses,
  expand,
});

const keysOf = (pairs: FieldPairs): Names =>
  Object.fromEntries(Object.entries(pairs).map(([from, to]) => [from, keyOfField(to)]));

/**
 * Returns the passes that compute a product with a Jacobian: the tangents or adjoints of all passes that add to the
 * field, or of the given passes, as kernels over ordinary fields.
 *
 * @throws when no pass adds to the field, or the sum depends on none of the fields along which the product is taken.
 */
function expand(this: ProductPass, model: ProductModel): KernelPass[] {
  const differentiatedPasses = this.differentiatedPasses ?? addersOf(model, this.sumKey);
  if (differentiatedPasses.length === 0)
    throw new GradsimError(
      'core/product-of-nothing',
      `No pass adds to ${this.sumKey}, so there is no Jacobian to take a product with.`,
    );
  declareVectors(model, this);
  const { sumKey, vectorOfSum: vector, fields: pairs } = this;
  const other = (key: string): string | null => pairs[key] ?? null;
  const name = [vector, ...Object.values(pairs)].map(nameIn).join(' ');
  const passes =
    this.mode === 'jvp'
      ? tangentPasses(differentiatedPasses, { of: sumKey, along: other, into: vector, name })
      : adjointPasses(differentiatedPasses, { of: sumKey, weights: vector, into: other, name });
  if (passes.length === 0)
    throw new GradsimError(
      'core/product-of-nothing',
      `What is added to ${this.sumKey} depends on none of ${Object.keys(this.fields).join(', ')}, so the product with its Jacobian is zero.`,
    );
  return this.mode === 'jvp' ? passes : [...passes, ...zerosBeside(passes, model, pairs)];
}

/**
 * Returns passes that add 0 to the results of a transposed product to which none of its passes adds: a sum may depend
 * on one of two fields alone, or its derivative with respect to a field may be 0 by a constant.
 */
function zerosBeside(passes: readonly KernelPass[], model: ProductModel, into: Names): KernelPass[] {
  const given = madeIn(passes);
  const zero = [...new Set(Object.values(into))].filter((key) => !given.has(key));
  return zero.map((key) => {
    const { components } = model.typeOf(key);
    const { form } = zeroForm(`zero_${nameIn(key)}`, components);
    const added = withPorts(form, (port) => ({ ...port, access: 'add' }));
    const kernel = { name: form.name, form: { ...added, domain: key.slice(0, key.indexOf('.')) } };
    return { ...bind(kernel, { target: nameIn(key) }), isDerived: true };
  });
}

/**
 * Returns the passes that add to a field. A kernel that adds over the same fields at several places, before a loop and
 * in it, counts once.
 */
function addersOf({ ownCycle }: ProductModel, key: string): KernelPass[] {
  const adders = ownCycle
    .flatMap(kernelsOfValues)
    .filter(({ kernel: { form }, names }) =>
      form.ports.some((p) => p.access === 'add' && p.kind === 'primal' && keyOf(form, names)(p) === key),
    );
  return adders.filter((one, k) => adders.findIndex((other) => isSameUse(one, other)) === k);
}

/**
 * Creates the fields to which a product is written, unless they exist. Each is of the type of another field, which may be
 * the result of a product too: `waiting` are the products whose results these decide.
 */
function declareVectors(model: ProductModel, pass: ProductPass, waiting: readonly ProductPass[] = [pass]): void {
  for (const [of, key] of resultsOf(pass)) {
    const maker = model.find(of) ? undefined : productOf(model, of);
    if (maker && !waiting.includes(maker)) declareVectors(model, maker, [...waiting, maker]);
    const { scalar, components } = model.typeOf(of);
    model.createField(key, { scalar, components });
  }
}

/** Returns the fields to which a product is written, each behind the field of whose type it is. */
const resultsOf = ({ mode, sumKey, vectorOfSum: vector, fields }: ProductPass): [string, string][] =>
  mode === 'jvp' ? [[sumKey, vector]] : Object.entries(fields);

/** Returns the product that is written to a field. */
const productOf = ({ passes }: ProductModel, key: string): ProductPass | undefined =>
  passes.flatMap(productsIn).find((pass) => resultsOf(pass).some(([, result]) => result === key));
