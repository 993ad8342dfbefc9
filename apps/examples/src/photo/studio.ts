import {
  ACESFilmicToneMapping,
  BufferGeometry,
  Color,
  DataTexture,
  DirectionalLight,
  Float32BufferAttribute,
  Fog,
  HemisphereLight,
  LinearFilter,
  LinearMipmapLinearFilter,
  type Material,
  Mesh,
  MeshBasicMaterial,
  MeshPhysicalMaterial,
  MeshStandardMaterial,
  NoToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  RepeatWrapping,
  Scene,
  WebGLRenderer,
} from 'three';
import type { Look, Pose, Shot } from './shot.ts';

const SKY = new Color(0.35, 0.5, 0.72);
/** Edge length of the square ground, m. */
const GROUND_SIZE = 60;
/** Half of the width of the square area covered by the shadow map, m. */
const SHADOW_REACH = 6;

/** Creates a renderer with shadows and without antialiasing, since exposures average pictures of higher resolution. */
export function createRenderer(look: Shot['look']): WebGLRenderer {
  const renderer = new WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.toneMapping = look === 'mask' ? NoToneMapping : ACESFilmicToneMapping;
  if (look === 'mask') return renderer;
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = PCFShadowMap;
  renderer.toneMappingExposure = look.exposure;
  return renderer;
}

/** Scene of a shot: a body on the ground, lit by the sun and by light from the sky, or its mask. */
export class Studio {
  readonly scene = new Scene();
  readonly camera: PerspectiveCamera;
  readonly #body: Mesh;

  constructor({ mesh, camera, look }: Shot) {
    this.camera = cameraOf(camera);
    if (look === 'mask') {
      this.#body = new Mesh(geometryOf(mesh), new MeshBasicMaterial({ color: 0xffffff }));
      this.scene.background = new Color(0);
      this.scene.add(this.#body, planeOf(new MeshBasicMaterial({ color: 0 })));
      return;
    }
    this.#body = bodyOf(mesh, look);
    this.scene.background = SKY;
    this.scene.fog = new Fog(SKY, 12, 45);
    this.scene.add(this.#body, groundOf(look), sunOf(look), skyOf(look));
  }

  /** Moves the body to a pose, or hides it for null. */
  place(pose: Pose | null): void {
    this.#body.visible = pose !== null;
    if (!pose) return;
    const [x, y, z, qx, qy, qz, qw] = pose;
    this.#body.position.set(x, y, z);
    this.#body.quaternion.set(qx, qy, qz, qw);
  }
}

function cameraOf({ eye, target, fieldOfView }: Shot['camera']): PerspectiveCamera {
  const camera = new PerspectiveCamera((fieldOfView * 180) / Math.PI, 1, 0.1, 200);
  const [x, y, z] = eye;
  camera.position.set(x, y, z);
  const [tx, ty, tz] = target;
  camera.lookAt(tx, ty, tz);
  return camera;
}

/** Geometry of the body: flat faces of one colour each, which share no corners. */
function geometryOf({ positions, triangles, colors }: Shot['mesh']): BufferGeometry {
  const geometry = new BufferGeometry();
  const corners = triangles.flatMap((v) => positions.slice(3 * v, 3 * v + 3));
  const cornerColors = triangles.flatMap((_, k) => {
    const t = Math.floor(k / 3);
    return colors.slice(3 * t, 3 * t + 3);
  });
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.setAttribute('color', new Float32BufferAttribute(cornerColors, 3));
  geometry.computeVertexNormals();
  return geometry;
}

function bodyOf(mesh: Shot['mesh'], { roughness, clearcoat }: Look): Mesh {
  const body = new Mesh(geometryOf(mesh), new MeshPhysicalMaterial({ vertexColors: true, roughness, clearcoat }));
  body.castShadow = true;
  body.receiveShadow = true;
  return body;
}

function groundOf({ ground }: Look): Mesh {
  const [r, g, b] = ground;
  const material = new MeshStandardMaterial({ color: new Color(r, g, b), map: grain(), roughness: 0.95 });
  const plane = planeOf(material);
  plane.receiveShadow = true;
  return plane;
}

function planeOf(material: Material): Mesh {
  const plane = new Mesh(new PlaneGeometry(GROUND_SIZE, GROUND_SIZE), material);
  plane.rotation.x = -Math.PI / 2;
  return plane;
}

/** Texture of grey grain, as of concrete; the same in every film. */
function grain(): DataTexture {
  const size = 256;
  let state = 1;
  const data = new Uint8Array(4 * size * size);
  for (let p = 0; p < size * size; p++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    data.fill(205 + Math.floor((state / 2 ** 32) * 50), 4 * p, 4 * p + 3);
    data[4 * p + 3] = 255;
  }
  const texture = new DataTexture(data, size, size);
  texture.wrapS = RepeatWrapping;
  texture.wrapT = RepeatWrapping;
  texture.repeat.set(GROUND_SIZE / 4, GROUND_SIZE / 4);
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}

/** Light from the sky above, and half as strong, in the ground's colour, from below. */
function skyOf({ ground, skyIntensity }: Look): HemisphereLight {
  const [r, g, b] = ground;
  return new HemisphereLight(SKY, new Color(r, g, b).multiplyScalar(0.5), skyIntensity);
}

function sunOf({ sun, sunIntensity }: Look): DirectionalLight {
  const light = new DirectionalLight(new Color(1, 0.93, 0.82), sunIntensity);
  const [x, y, z] = sun;
  light.position.set(x, y, z).normalize().multiplyScalar(20);
  light.castShadow = true;
  light.shadow.mapSize.set(2048, 2048);
  light.shadow.normalBias = 0.01;
  Object.assign(light.shadow.camera, {
    left: -SHADOW_REACH,
    right: SHADOW_REACH,
    bottom: -SHADOW_REACH,
    top: SHADOW_REACH,
    near: 1,
    far: 40,
  });
  return light;
}
