import type { WebGLRenderer } from 'three';
import {
  DataTexture,
  FloatType,
  Mesh,
  NearestFilter,
  OrthographicCamera,
  PlaneGeometry,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  WebGLRenderTarget,
} from 'three';
import type { Pose } from './shot.ts';
import type { Studio } from './studio.ts';

/** Ratio of the resolution at which pictures are rendered to that of the film, across and down, for antialiasing. */
const SUPERSAMPLING = 2;

/** Sensor of a camera: sums the linear light of many renderings, and converts the sum to a picture. */
export class Exposure {
  readonly #renderer: WebGLRenderer;
  readonly #size: number;
  readonly #target: WebGLRenderTarget;
  readonly #fine: Float32Array;
  readonly #sum: DataTexture;
  readonly #develop = new Scene();
  readonly #flat = new OrthographicCamera(-1, 1, 1, -1, 0, 1);

  constructor(renderer: WebGLRenderer, size: number) {
    this.#renderer = renderer;
    this.#size = size;
    renderer.setSize(size, size, false);
    const fine = SUPERSAMPLING * size;
    this.#target = new WebGLRenderTarget(fine, fine, {
      type: FloatType,
      magFilter: NearestFilter,
      minFilter: NearestFilter,
    });
    this.#fine = new Float32Array(4 * fine * fine);
    this.#sum = new DataTexture(new Float32Array(4 * size * size), size, size, RGBAFormat, FloatType);
    const material = new ShaderMaterial({
      uniforms: { light: { value: this.#sum } },
      vertexShader: 'varying vec2 at; void main() { at = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
      fragmentShader: `uniform sampler2D light; varying vec2 at;
        void main() {
          gl_FragColor = texture2D(light, at);
          #include <tonemapping_fragment>
          #include <colorspace_fragment>
        }`,
    });
    this.#develop.add(new Mesh(new PlaneGeometry(2, 2), material));
  }

  /**
   * Renders the body at each of the given poses (without it for null), and returns the tone-mapped mean: 8-bit RGB, row
   * by row from the top.
   */
  photograph(studio: Studio, poses: readonly (Pose | null)[]): Uint8Array {
    const sum = this.#sum.image.data as Float32Array;
    sum.fill(0);
    for (const pose of poses) {
      studio.place(pose);
      this.#renderer.setRenderTarget(this.#target);
      this.#renderer.render(studio.scene, studio.camera);
      this.#add(sum, poses.length * SUPERSAMPLING * SUPERSAMPLING);
    }
    this.#sum.needsUpdate = true;
    this.#renderer.setRenderTarget(null);
    this.#renderer.render(this.#develop, this.#flat);
    return this.#read();
  }

  #add(sum: Float32Array, count: number): void {
    const size = this.#size;
    const fine = SUPERSAMPLING * size;
    this.#renderer.readRenderTargetPixels(this.#target, 0, 0, fine, fine, this.#fine);
    for (let y = 0; y < fine; y++) {
      for (let x = 0; x < fine; x++) {
        const to = 4 * (Math.floor(y / SUPERSAMPLING) * size + Math.floor(x / SUPERSAMPLING));
        const from = 4 * (y * fine + x);
        for (let c = 0; c < 4; c++) sum[to + c] += this.#fine[from + c] / count;
      }
    }
  }

  #read(): Uint8Array {
    const size = this.#size;
    const gl = this.#renderer.getContext();
    const rgba = new Uint8Array(4 * size * size);
    gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    const rgb = new Uint8Array(3 * size * size);
    for (let p = 0; p < size * size; p++) {
      // Rows of the drawing buffer go upwards.
      const from = 4 * ((size - 1 - Math.floor(p / size)) * size + (p % size));
      rgb.set(rgba.subarray(from, from + 3), 3 * p);
    }
    return rgb;
  }
}
