import { testEvenOutlines } from '../../render-softras/test/even.ts';
import { dibrScene } from '../src/index.ts';

testEvenOutlines((size, mesh, { softness, evenOutlines }) =>
  dibrScene(size, mesh, { compositing: 'coverage', delta: softness, evenOutlines }),
);
