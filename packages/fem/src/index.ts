export { Tet } from './tet.ts';
