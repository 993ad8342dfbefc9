import { addBeam, articulated } from '@gradsim/articulated';
import { readCamera } from '@gradsim/cameras';
import { addCloth, cloth } from '@gradsim/cloth';
import { contact, surfaceContact } from '@gradsim/contact';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  f64Device,
  type Plugin,
  selectDevice,
} from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { implicitSteps } from '@gradsim/implicit';
import { box, net, plane, tetBox, tetrahedralise } from '@gradsim/mesh';
import { estimate, lbfgs, type Problem } from '@gradsim/optim';
import { addParticles, Particle, particles } from '@gradsim/particles';
import { readMarkers } from '@gradsim/recordings/markers';
import { readPoses } from '@gradsim/recordings/poses';
import { OrbitCamera, render } from '@gradsim/render';
import { dibr } from '@gradsim/render-dibr';
import { softRas } from '@gradsim/render-softras';
import { rigid } from '@gradsim/rigid';
import { addSmoke, smoke } from '@gradsim/smoke';
import { addSprings, springs } from '@gradsim/springs';
import {
  cameraShifts,
  createFrames,
  encodeFrames,
  encodePng,
  findBlobs,
  objectMasks,
  readFrames,
  readTracks,
} from '@gradsim/video';

/** A function, the interface of its options in the declarations of a package, and options that it takes. */
export interface OptionTaker {
  readonly name: string;
  readonly packageName: string;
  readonly interfaceName: string;
  readonly right: Readonly<Record<string, unknown>>;
  readonly call: (options: never) => unknown;
}

const MODEL = (() => {
  const scene = createScene([particles()]);
  scene.addMany(Particle, 2, { position: [0, 0, 0, 1, 0, 0], mass: [1, 1] });
  return buildModel(scene);
})();
const TETS = tetBox({ size: [1, 1, 1], cells: [1, 1, 1] });
const SHEET = plane({ size: [1, 1], segments: [2, 2] });
const NET = net({ size: [1, 1], segments: [2, 2] });
const FRAMES = createFrames({ width: 16, height: 16, channels: 3, frameRate: 10 }, 3);
const MASKS = createFrames({ width: 16, height: 16, channels: 1, frameRate: 10 }, 3);
const GIF = encodeFrames(FRAMES, 'gif');
const PROBLEM = {
  model: MODEL,
  frames: 2,
  frameRate: 10,
  substeps: 2,
  parameters: [{ name: 'speed', field: 'particles.velocity', component: 0, elements: [0], initial: 0.5 }],
  observations: [{ field: 'particles.position', target: new Float64Array(12) }],
} as unknown as Problem;

/** A plugin, whose scene is built with what it needs. */
const plugin = <T>(
  packageName: string,
  interfaceName: string,
  make: (options: T) => Plugin,
  needs: readonly Plugin[] = [],
  declaredIn = packageName,
  right: Readonly<Record<string, unknown>> = {},
): OptionTaker => ({
  name: `${make.name}()`,
  packageName: declaredIn,
  interfaceName,
  right,
  call: (given: T) => {
    const scene = createScene([...needs, make(given)]);
    if (make.name === 'render' || needs.some(({ name }) => name === '@gradsim/render'))
      scene.add(OrbitCamera, { distance: 3 });
    if (packageName === '@gradsim/smoke') addSmoke(scene, { rows: 4, columns: 4 });
    return buildModel(scene);
  },
});

/** Functions with options, of all packages. */
export const OPTION_TAKERS: readonly OptionTaker[] = [
  {
    name: 'createSimulation',
    packageName: '@gradsim/core',
    interfaceName: 'SimulationOptions',
    right: { device: f64Device(), frames: 2, frameRate: 10, substeps: 2 },
    call: async (given) => {
      const simulation = await createSimulation(MODEL, given);
      await simulation.forward();
      simulation.dispose();
    },
  },
  {
    name: 'addParticles',
    packageName: '@gradsim/particles',
    interfaceName: 'ParticleOptions',
    right: { mass: 1 },
    call: (given) => addParticles(createScene([particles()]), [0, 0, 0, 1, 0, 0], given),
  },
  {
    name: 'addSoftBody',
    packageName: '@gradsim/fem',
    interfaceName: 'SoftBodyOptions',
    right: { mu: 1, lambda: 1, density: 1 },
    call: (given) => addSoftBody(createScene([particles(), fem()]), TETS, given),
  },
  {
    name: 'addCloth',
    packageName: '@gradsim/cloth',
    interfaceName: 'ClothOptions',
    right: { mu: 1, lambda: 1, density: 1 },
    call: (given) => addCloth(createScene([particles(), cloth()]), SHEET, given),
  },
  {
    name: 'addSprings',
    packageName: '@gradsim/springs',
    interfaceName: 'SpringOptions',
    right: { mass: 1, stiffness: 1 },
    call: (given) => addSprings(createScene([particles(), springs()]), NET, given),
  },
  {
    name: 'cpuDevice',
    packageName: '@gradsim/kernel',
    interfaceName: 'CpuOptions',
    right: {},
    call: (given) => cpuDevice(given).dispose(),
  },
  {
    name: 'selectDevice',
    packageName: '@gradsim/kernel',
    interfaceName: 'SelectOptions',
    right: {},
    call: async (given) => (await selectDevice('f64', given)).dispose(),
  },
  {
    name: 'readCamera',
    packageName: '@gradsim/cameras',
    interfaceName: 'ReadCameraOptions',
    right: {},
    call: (given) => readCamera('# COLMAP\n1 PINHOLE 8 8 10 10 4 4\n', given),
  },
  plugin('@gradsim/particles', 'IntegratorOptions', particles, [], '@gradsim/dynamics'),
  plugin('@gradsim/springs', 'SpringsOptions', springs, [particles()]),
  plugin('@gradsim/cloth', 'ClothPluginOptions', cloth, [particles()]),
  plugin('@gradsim/rigid', 'RigidOptions', rigid),
  plugin('@gradsim/contact', 'ContactOptions', contact, [particles()]),
  plugin('@gradsim/contact', 'SurfaceContactOptions', surfaceContact, [particles(), contact()], undefined, {
    maxSpeed: 5,
  }),
  plugin('@gradsim/articulated', 'ArticulatedOptions', articulated),
  plugin('@gradsim/implicit', 'StepOptions', implicitSteps, [particles({ integrator: 'none' })]),
  plugin('@gradsim/smoke', 'SmokePluginOptions', smoke),
  plugin('@gradsim/render', 'RenderOptions', render, [rigid()], undefined, { width: 8, height: 8 }),
  plugin('@gradsim/render-softras', 'SoftRasOptions', softRas, [rigid(), render({ width: 8, height: 8 })]),
  plugin('@gradsim/render-dibr', 'DibrOptions', dibr, [rigid(), render({ width: 8, height: 8 })]),
  {
    name: 'addSmoke',
    packageName: '@gradsim/smoke',
    interfaceName: 'SmokeOptions',
    right: { rows: 4, columns: 4 },
    call: (given) => addSmoke(createScene([smoke()]), given),
  },
  {
    name: 'addBeam',
    packageName: '@gradsim/articulated',
    interfaceName: 'BeamOptions',
    right: { length: 0.5, width: 0.03, thickness: 0.02, density: 1100, youngsModulus: 5e6 },
    call: (given) => addBeam(createScene([articulated()]), given),
  },
  {
    name: 'readPoses',
    packageName: '@gradsim/recordings/poses',
    interfaceName: 'ReadPosesOptions',
    right: {},
    call: (given) => readPoses('time,x,y,z,qx,qy,qz,qw\n0,0,0,0,0,0,0,1\n0.1,0,0,0,0,0,0,1\n', given),
  },
  {
    name: 'readMarkers',
    packageName: '@gradsim/recordings/markers',
    interfaceName: 'ReadMarkersOptions',
    right: { frameRate: 10 },
    call: (given) => readMarkers('frame,marker,x,y,z\n0,1,0,0,0\n1,1,0,0,0\n', given),
  },
  {
    name: 'readTracks',
    packageName: '@gradsim/video',
    interfaceName: 'ReadTracksOptions',
    right: { frameRate: 10 },
    call: (given) => readTracks('frame,x,y\n0,1,1\n1,2,2\n', given),
  },
  {
    name: 'objectMasks',
    packageName: '@gradsim/video',
    interfaceName: 'MaskOptions',
    right: {},
    call: (given) => objectMasks(FRAMES, FRAMES, given),
  },
  {
    name: 'findBlobs',
    packageName: '@gradsim/video',
    interfaceName: 'BlobOptions',
    right: {},
    call: (given) => findBlobs(MASKS, given),
  },
  {
    name: 'cameraShifts',
    packageName: '@gradsim/video',
    interfaceName: 'ShiftOptions',
    right: {},
    call: (given) => cameraShifts(FRAMES, given),
  },
  {
    name: 'encodePng',
    packageName: '@gradsim/video',
    interfaceName: 'PngOptions',
    right: {},
    call: (given) => encodePng(FRAMES, 0, given),
  },
  {
    name: 'readFrames',
    packageName: '@gradsim/video',
    interfaceName: 'ReadOptions',
    right: {},
    call: async (given) => readFrames(await GIF, given),
  },
  {
    name: 'tetrahedralise',
    packageName: '@gradsim/mesh',
    interfaceName: 'TetrahedraliseOptions',
    right: { cellSize: 0.5 },
    call: (given) => tetrahedralise(box({ size: [1, 1, 1] }), given),
  },
  {
    name: 'estimate',
    packageName: '@gradsim/optim',
    interfaceName: 'EstimateOptions',
    right: { search: { iterations: 1 } },
    call: (options) => estimate({ ...PROBLEM, options }, { device: f64Device() }),
  },
  {
    name: 'search',
    packageName: '@gradsim/optim',
    interfaceName: 'SearchOptions',
    right: { iterations: 1 },
    call: (search) => estimate({ ...PROBLEM, options: { search } }, { device: f64Device() }),
  },
  {
    name: 'the problem of estimate',
    packageName: '@gradsim/optim',
    interfaceName: 'Problem',
    right: { ...PROBLEM, options: { search: { iterations: 1 } } },
    call: (problem) => estimate(problem, { device: f64Device() }),
  },
  {
    name: 'lbfgs',
    packageName: '@gradsim/optim',
    interfaceName: 'LbfgsOptions',
    right: {},
    call: (given) => lbfgs(Float64Array.of(1, 2), given),
  },
];
