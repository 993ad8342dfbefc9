import type { Mesh } from 'three';
import {
  Color,
  DataTexture,
  DirectionalLight,
  Group,
  HemisphereLight,
  LinearFilter,
  LinearMipmapLinearFilter,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  RepeatWrapping,
  Scene,
  Mesh as ThreeMesh,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { Actor, Look, Shot } from '../shot.ts';
import { bend, meshOf, pose } from './solid.ts';

/** Edge length of the square floor and walls, m. */
const ROOM_SIZE = 20;
/** Half of the width of the region that the shadow map covers, m. */
const SHADOW_REACH = 2;
/** Distance of the lamp from the point that it illuminates, m. */
const LAMP_DISTANCE = 8;

/** Creates a renderer that outputs linear light, so that its pictures can be averaged. */
export function createRenderer(): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: false });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  return renderer;
}

/** Scene of a shot: actors and props on a floor in front of a wall, lit by one lamp and by ambient light. */
export class Studio {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera;
  readonly #lamp = new DirectionalLight(new Color(1, 0.95, 0.88));
  readonly #actors: readonly {
    readonly actor: Actor;
    readonly mesh: Mesh;
    readonly straight: Float32Array;
  }[];
  readonly #stage = new Group();
  readonly #look: Look;
  readonly #size: { readonly width: number; readonly height: number };

  constructor({ camera, actors, props, look }: Shot) {
    this.#look = look;
    this.#size = camera;
    this.camera = new PerspectiveCamera((camera.fieldOfView * 180) / Math.PI, camera.width / camera.height, 0.05, 60);
    this.camera.position.set(...camera.eye);
    this.camera.lookAt(...camera.target);
    this.#actors = actors.map((actor) => {
      const mesh = meshOf(actor.solid);
      // What bends leaves the box that three.js culls by.
      mesh.frustumCulled = false;
      this.#stage.add(mesh);
      return { actor, mesh, straight: Float32Array.from(mesh.geometry.getAttribute('position').array) };
    });
    this.scene.add(this.#stage, ...wallsOf(look), this.#lamp, this.#lamp.target, skyOf(look));
    for (const prop of props) {
      const mesh = meshOf(prop.solid);
      pose(mesh, prop.pose);
      this.scene.add(mesh);
    }
    this.#hang(camera.target);
  }

  #hang(target: readonly [number, number, number]): void {
    this.#lamp.target.position.set(...target);
    this.#lamp.intensity = this.#look.lampIntensity;
    this.#lamp.castShadow = true;
    this.#lamp.shadow.mapSize.set(768, 768);
    this.#lamp.shadow.normalBias = 0.004;
    this.#lamp.shadow.bias = -0.0005;
    Object.assign(this.#lamp.shadow.camera, {
      left: -SHADOW_REACH,
      right: SHADOW_REACH,
      bottom: -SHADOW_REACH,
      top: SHADOW_REACH,
      near: 1,
      far: 2 * LAMP_DISTANCE,
    });
  }

  /** Poses the actors for an instant of a frame; null hides them. */
  act(frame: number | null, instant: number): void {
    this.#stage.visible = frame !== null;
    if (frame === null) return;
    for (const { actor, mesh, straight } of this.#actors) {
      if ('poses' in actor) pose(mesh, actor.poses[frame][instant]);
      else if (actor.solid.shape === 'strip') {
        pose(mesh, actor.place);
        bend(mesh, straight, actor.bends[frame][instant], actor.solid.length);
      }
    }
  }

  /**
   * Moves the light source to a point of the lamp's face and shifts the picture by a fraction of a pixel; all
   * coordinates are from -1/2 to 1/2.
   */
  aim([across, up]: readonly number[], [right, down]: readonly number[]): void {
    const direction = this.lampAt([across, up]);
    this.#lamp.position.copy(direction.multiplyScalar(LAMP_DISTANCE).add(this.#lamp.target.position));
    const { width, height } = this.#size;
    this.camera.setViewOffset(width, height, right, down, width, height);
  }

  /** Direction from the scene to a point of the lamp's face, coordinates from -1/2 to 1/2. */
  lampAt([across, up]: readonly number[]): Vector3 {
    const direction = new Vector3(...this.#look.lamp).normalize();
    const side = new Vector3(0, 1, 0).cross(direction).normalize();
    const over = direction.clone().cross(side);
    const spread = 2 * this.#look.lampSpread;
    return direction
      .addScaledVector(side, spread * across)
      .addScaledVector(over, spread * up)
      .normalize();
  }

  /**
   * Corner points that enclose the actors and their shadows at the current instant, in device coordinates from -1 to 1.
   */
  bounds(): Vector3[] {
    this.scene.updateMatrixWorld(true);
    const lamps = [-0.5, 0.5].flatMap((across) => [-0.5, 0.5].map((up) => this.lampAt([across, up])));
    return this.#actors.flatMap(({ mesh }) => {
      mesh.geometry.computeBoundingBox();
      const { min, max } = mesh.geometry.boundingBox!;
      const corners = [min.x, max.x].flatMap((x) =>
        [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))),
      );
      return corners
        .map((corner) => mesh.localToWorld(corner))
        .flatMap((corner) => [
          corner,
          ...lamps.map((lamp) => corner.clone().addScaledVector(lamp, -Math.max(corner.y, 0) / lamp.y)),
        ])
        .map((point) => point.project(this.camera));
    });
  }
}

function wallsOf({ floor, wall, wallBehind, seed }: Look): Mesh[] {
  const plane = (color: readonly [number, number, number], from: number): Mesh => {
    const material = new MeshLambertMaterial({
      color: new Color(...color),
      map: grain(from),
    });
    const mesh = new ThreeMesh(new PlaneGeometry(ROOM_SIZE, ROOM_SIZE), material);
    mesh.receiveShadow = true;
    return mesh;
  };
  const [level, upright] = [plane(floor, seed), plane(wall, seed + 1)];
  level.rotation.x = -Math.PI / 2;
  upright.position.z = -wallBehind;
  return [level, upright];
}

/** Texture of grey grain at several scales. */
function grain(seed: number): DataTexture {
  const size = 512;
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const lattices = [8, 32, 128].map((cells) => ({
    cells,
    values: Float32Array.from({ length: cells * cells }, next),
  }));
  const data = new Uint8Array(4 * size * size);
  for (let p = 0; p < size * size; p++) {
    const [x, y] = [p % size, Math.floor(p / size)];
    const blotch = lattices.reduce((sum, lattice) => sum + smooth(lattice, x / size, y / size), 0) / lattices.length;
    data.fill(175 + Math.floor(blotch * 60 + next() * 20), 4 * p, 4 * p + 3);
    data[4 * p + 3] = 255;
  }
  const texture = new DataTexture(data, size, size);
  Object.assign(texture, { wrapS: RepeatWrapping, wrapT: RepeatWrapping, generateMipmaps: true });
  texture.repeat.set(ROOM_SIZE, ROOM_SIZE);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Interpolates a periodic grid of values at x and y from 0 to 1. */
function smooth({ cells, values }: { cells: number; values: Float32Array }, x: number, y: number): number {
  const [u, v] = [x * cells, y * cells];
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const at = (a: number, b: number): number => values[(b % cells) * cells + (a % cells)];
  const across = (b: number): number => at(i, b) + (u - i) * (at(i + 1, b) - at(i, b));
  return across(j) + (v - j) * (across(j + 1) - across(j));
}

function skyOf({ floor, skyIntensity }: Look): HemisphereLight {
  return new HemisphereLight(new Color(0.85, 0.92, 1), new Color(...floor).multiplyScalar(0.6), skyIntensity);
}
