import type { Measured } from './markers.ts';

/** Measurements of recording and scene: fill them in, and leave null what you do not know. */
export const measured: Measured = {
  /** CSV of the markers: frame or time, marker, x, y, z in m. */
  markers: './markers.csv',
  /** Shape of the body, m: a closed surface, .obj, .stl, .gltf or .glb. */
  mesh: './beam.stl',
  /** Part that the clamp holds, in axes of the shape, m: all that lies on one side, as in x<-0.099. */
  clamp: 'x<-0.099',
  /** Places of markers on the shape, m: name, x, y, z of each, as in "tip 0 0 0.03; side 0 0.02 0". */
  places: 'tip 0 0 0.03; side 0 0.02 0; back -0.01 0 0.02',
  /** Names of markers on the clamp. */
  clampMarkers: null,
  /** Density, kg/m^3. */
  density: 1070,
  /** Gravity in axes of the recording, m/s^2. */
  gravity: [0, 0, -9.81],
  /** Frames a second, if the CSV has no times. */
  frameRate: null,
  /** Seconds of motion in which a hand may still touch the body; 0 if it is let go at an instant. */
  hand: 0,
  /** Seconds compared, from the first motion; null: all. */
  seconds: null,
  /** Mass that hangs on the body, kg; null: none. */
  load: null,
  /** Point that it hangs from, in axes of the shape, m. */
  loadAt: null,
  /** Distance from there, m, up to which the load touches the surface; null: it acts at one node. */
  loadRadius: null,
  /** Position of its centre of mass from there, m, told to 5 mm; null: at the surface. */
  loadOffset: null,
  /** Length of the thread that it hangs from, m; null: it is fixed to the body. */
  thread: null,
  /** Poisson's ratio: a motion hardly determines it. */
  poissonRatio: 0.45,
  /** Guess of Young's modulus, Pa, within a factor of ten. */
  modulus: 300000,
  /** Law of damping: dashpot (Kelvin-Voigt), or arm, which has a Maxwell arm beside it. */
  law: 'dashpot',
  /** Edge length of the cells that fill the shape, m; null: its least extent. */
  cellSize: null,
  export: null,
};
