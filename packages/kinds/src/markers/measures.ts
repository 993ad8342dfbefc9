import type { Measures } from '@gradsim/kinds/define';

/** Measurements of a soft body with markers. */
export const measures = {
  markers: {
    what: 'CSV of the markers: frame or time, marker, x, y, z in m.',
    type: 'data',
    option: '--markers FILE',
  },
  mesh: {
    what: 'Shape of the body, m: a closed surface, .obj, .stl, .gltf or .glb.',
    type: 'data',
    option: '--mesh FILE',
  },
  clamp: {
    what: 'What the clamp holds, in axes of the shape, m: all that lies on one side, as in x<-0.099.',
    type: 'text',
    option: '--clamp SIDE',
  },
  places: {
    what: 'Places of markers on the shape, m: name, x, y, z of each, as in "tip 0 0 0.03; side 0 0.02 0".',
    type: 'text',
  },
  clampMarkers: { what: 'Names of markers on the clamp.', type: 'text', default: null },
  density: { what: 'Density, kg/m^3.', type: 'positive', quantity: 'density' },
  gravity: { what: 'Gravity in axes of the recording, m/s^2.', type: 'vector', default: [0, 0, -9.81] },
  frameRate: { what: 'Frames a second, if the CSV has no times.', type: 'positive', default: null },
  hand: {
    what: 'Seconds of motion in which a hand may still touch the body; 0 if it is let go at an instant.',
    type: 'tolerance',
    default: 0,
  },
  seconds: { what: 'Seconds compared, from the first motion; null: all.', type: 'positive', default: null },
  load: { what: 'Mass that hangs on the body, kg; null: none.', type: 'positive', default: null },
  loadAt: { what: 'Where it hangs, in axes of the shape, m.', type: 'vector', default: null },
  loadRadius: {
    what: 'Distance from there, m, up to which the load touches the surface; null: it acts at one node.',
    type: 'positive',
    default: null,
  },
  loadOffset: {
    what: 'Position of its centre of mass from there, m, told to 5 mm; null: at the surface.',
    type: 'vector',
    default: null,
  },
  thread: {
    what: 'Length of the thread that it hangs from, m; null: it is fixed to the body.',
    type: 'positive',
    default: null,
  },
  poissonRatio: { what: "Poisson's ratio: a motion hardly determines it.", type: 'positive', default: 0.45 },
  modulus: { what: "Guess of Young's modulus, Pa, within a factor of ten.", type: 'positive', default: 300_000 },
  law: {
    what: 'Law of damping: dashpot (Kelvin-Voigt), or arm, which has a Maxwell arm beside it.',
    type: ['dashpot', 'arm'],
    default: 'dashpot',
  },
  cellSize: {
    what: 'Edge length of the cells that fill the shape, m; null: its least extent.',
    type: 'positive',
    default: null,
  },
  export: {
    what: 'File for MuJoCo, .xml, to which an estimate writes the body with the estimated numbers; null: none.',
    type: 'written',
    option: '--export FILE',
    default: null,
  },
} as const satisfies Measures;
