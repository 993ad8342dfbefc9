/// <reference path="./libav.d.ts" />
import { createRequire } from 'node:module';
import { GradsimError } from '@gradsim/base';
import type { LibavPackage } from '@libav.js/variant-webm-vp9';
import { reasonOf } from '../errors.ts';
import type { PacketError } from '../formats/container/damage.ts';
import { registerLibvpx } from './libvpx.ts';

let registered: Promise<Codecs> | undefined;

/** Codecs that are registered: `compileLibvpx` compiles libvpx, unless that has begun; undefined without libvpx. */
interface Codecs {
  readonly compileLibvpx?: () => Promise<unknown>;
}

/**
 * Registers the codecs of the optional packages that are installed with mediabunny; done once.
 *
 * @param onDamage called with a packet that cannot be decoded, by decoders that stop there instead of throwing.
 */
export function registerCodecs(onDamage: (error: PacketError) => void = () => {}): Promise<Codecs> {
  registered ??= (async () => {
    const server = await optional<ServerPackage>('@mediabunny/server');
    // Software codecs give the same pictures on every machine and need no graphics driver.
    server?.registerMediabunnyServer({ hardwareContext: null });
    // Codecs registered last are asked first.
    const libav = await optional<{ default: LibavPackage }>('@libav.js/variant-webm-vp9');
    return libav ? { compileLibvpx: await registerLibvpx(libav.default, onDamage) } : {};
  })();
  return registered;
}

const { resolve } = createRequire(import.meta.url);

/**
 * Returns whether a package is installed: whether resolving it succeeds, or fails with another error than not found.
 */
function isInstalled(name: string): boolean {
  try {
    return resolve(name) !== '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/**
 * The part of the optional package `@mediabunny/server` that is used; the package is not needed to compile this one.
 */
interface ServerPackage {
  registerMediabunnyServer(options: { hardwareContext: null }): void;
}

/**
 * Imports an optional package; undefined if it is not installed.
 * @throws GradsimError when it is installed but does not load.
 */
async function optional<T>(name: string): Promise<T | undefined> {
  if (!isInstalled(name)) return undefined;
  try {
    return await import(name);
  } catch (error) {
    throw new GradsimError(
      'video/package-unusable',
      `The package ${name} is there but does not load: ${reasonOf(error)}`,
      { field: name, cause: error },
    );
  }
}
