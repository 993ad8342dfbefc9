// What other packages of gradsim need of shapes.
export { nearBox } from './shapes/box.ts';
