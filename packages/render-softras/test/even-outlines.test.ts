import { softRasScene } from '../src/index.ts';
import { testEvenOutlines } from './even.ts';

testEvenOutlines((size, mesh, { softness, evenOutlines }) =>
  softRasScene(size, mesh, { compositing: 'coverage', gamma: 1e-2, sigma: softness, evenOutlines }),
);
