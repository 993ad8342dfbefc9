// The worker that estimates what moves the ball of a film (film.js).
import { defineProblem } from 'gradsim/optim';
import { Pixel } from 'gradsim/render';
import { UNKNOWNS } from '../theme/film-unknowns.ts';
import { ballModel, TIMELINE } from './film.js';

export default defineProblem(({ settings }) => ({
  model: ballModel(UNKNOWNS.map(({ initial }) => initial)),
  ...TIMELINE,
  parameters: UNKNOWNS.map(({ name, field, component, initial, range: [least, most] }) => ({
    name,
    field,
    component,
    initial,
    range: [least - 3 * (most - least), name === 'gravity' ? -0.5 : most + (most - least) / 3],
  })),
  observations: [{ field: Pixel.rgba, target: /** @type {{ target: Float64Array }} */ (settings).target }],
  options: { search: { iterations: 40, horizons: [0.25, 0.5, 1] } },
}));
