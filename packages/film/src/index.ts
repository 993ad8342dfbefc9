export type { FilmCamera } from './camera.ts';
export { filmCamera } from './camera.ts';
export type { Film, ObserveOptions, StageOptions } from './film.ts';
export type { FilmMasks, FilmOptions, MaskChoice, MaskMaker } from './options.ts';
export { readFilm } from './read.ts';
