export { Hinge, Triangle } from './components.ts';
