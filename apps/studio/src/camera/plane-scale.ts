// Scale by two clicks and a length, loaded when it is needed.
export { planeScale } from '@gradsim/film';
