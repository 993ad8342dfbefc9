import type { FieldKey, Model } from '@gradsim/core';
import type { TieSpec } from '@gradsim/optim';

/** Ties a field of the model to `size`, to which its values are proportional. */
export function tieToSize(
  model: Model,
  field: FieldKey,
  options: Pick<TieSpec, 'elements' | 'components'> = {},
): TieSpec {
  const { values, components } = model.field(field);
  const elements = options.elements ?? [...Array(values!.length / components).keys()];
  const chosen = options.components ?? [...Array(components).keys()];
  const own = elements.flatMap((element) => chosen.map((component) => values![element * components + component]));
  return { field, ...options, compute: ({ size }) => own.map((value) => value * size) };
}
