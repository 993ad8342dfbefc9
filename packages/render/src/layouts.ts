import type { Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { ImageLayout } from './layout.ts';

/** Picture layout of each built model. */
const layouts = new WeakMap<Model, ImageLayout>();

export function setLayout(model: Model, layout: ImageLayout): void {
  layouts.set(model, layout);
}

/**
 * Returns the layout of a model's pictures in the domain `pixels`.
 *
 * @throws when the model was built without `render` and without `drawField`.
 */
export function layoutOf(model: Model): ImageLayout {
  const layout = layouts.get(model);
  if (!layout)
    throw new GradsimError('render/no-pictures', 'This model has no pictures.', {
      hint: 'Register render(...) from @gradsim/render in its scene.',
    });
  return layout;
}
