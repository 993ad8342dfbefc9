// Makes the film of the first page beside the page, which stays free to draw: compiling a model takes a while.
import { layoutOf } from 'gradsim/render';
import { ballModel, makeFilm, SIZE, TIMELINE, UNKNOWNS } from './film.js';

/** @param {MessageEvent<number>} message with the seed of the film */
self.onmessage = async ({ data: seed }) => {
  try {
    const film = await makeFilm(seed);
    const unknowns = UNKNOWNS.map(({ name, unit }) => ({ name, unit }));
    self.postMessage({ ...film, layout: layoutOf(ballModel(film.truth)), size: SIZE, timeline: TIMELINE, unknowns });
  } catch (error) {
    self.postMessage({ problem: error instanceof Error ? error.message : String(error) });
  }
};
