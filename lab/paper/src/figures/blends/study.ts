import { secondsSince } from '@gradsim/baselines';
import { type Device, type Model, selectDevice } from '@gradsim/core';
import { estimateInstance, observe, RENDERERS, SOFT_KINDS, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { TOSS_UNKNOWNS } from '@gradsim/examples/toss';
import { SAMPLE } from '@gradsim/examples/toss/scene';
import { type FilmTimeline, filmModel } from '@gradsim/film';
import type { Estimate, ParameterSpec } from '@gradsim/optim';
import { estimate, parametersOf } from '@gradsim/optim';
import { defineStudy, grid } from 'gradsim/study';
import { blendOf, filled } from './blend.ts';

/** Settings of a trial. */
export interface Settings {
  readonly instance: number;
  readonly scene: 'beam' | 'toss';
}

/** Result of a trial: blends as data URLs, and errors. */
export interface Found {
  readonly start: string;
  readonly estimate: string;
  readonly film: string;
  /** Relative errors of the unknowns. */
  readonly errors: Readonly<Record<string, number>>;
  readonly trusted: boolean;
  readonly seconds: number;
}

/** Width, and also height, of the pictures, px. */
const SIZE = 64;
/** Study of one beam and one toss, estimated from their films, each shown at start, estimate and truth. */
export default defineStudy({
  trials: () => grid({ instance: [1], scene: ['beam', 'toss'] as const }),
  run: async ({ scene }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      return await (scene === 'beam' ? beam(device) : toss(device));
    } finally {
      device.dispose();
    }
  },
});

async function beam(device: Device): Promise<Found> {
  const drawn = SOFT_KINDS.beam.draw(1, { size: SIZE, renderer: RENDERERS.softras });
  const observation = await observe(drawn, 'film', device);
  const began = process.cpuUsage();
  const found = await estimateInstance(drawn, observation, { device });
  return renderedFilm(drawn.model, drawn.timeline, drawn.parameters, found, secondsSince(began), device);
}

async function toss(device: Device): Promise<Found> {
  const model = tossModel({ ...SAMPLE, size: SIZE });
  const film = await filmModel(model, TOSS_TIMELINE, { device });
  const parameters = parametersOf(TOSS_UNKNOWNS, { truth: { mass: SAMPLE.mass, ...SAMPLE.material } });
  const { problem } = film.stage(model, {
    name: 'contact',
    parameters,
    options: { search: { horizons: [0.2, 0.4, 0.7, 1], scan: 128, starts: 2, iterations: 25 } },
  });
  const began = process.cpuUsage();
  const found = await estimate(problem, { device });
  return renderedFilm(model, TOSS_TIMELINE, parameters, found, secondsSince(began), device);
}

/** Blends of start, estimate and truth, with the errors. */
async function renderedFilm(
  model: Model,
  timeline: FilmTimeline,
  parameters: readonly ParameterSpec[],
  { parameters: found, verdict }: Estimate,
  seconds: number,
  device: Device,
): Promise<Found> {
  const at = (value: (own: ParameterSpec) => number) =>
    blendOf(
      model,
      timeline,
      Object.fromEntries(parameters.map((own) => filled(model, own.field!, value(own)))),
      device,
    );
  return {
    start: await at(({ initial }) => initial as number),
    estimate: await at(({ name }) => found[name].estimate),
    film: await blendOf(model, timeline, {}, device),
    errors: Object.fromEntries(
      parameters.map(({ name, truth }) => [name, Math.abs(found[name].estimate / truth! - 1)]),
    ),
    trusted: verdict.trusted,
    seconds,
  };
}
