import { testEvenOutlines } from '../../render-softras/test/even.ts';
import { deviceScene } from '../src/index.ts';

testEvenOutlines((size, mesh, { softness, evenOutlines }) =>
  deviceScene(size, mesh, { compositing: 'coverage', delta: softness, evenOutlines }),
);
