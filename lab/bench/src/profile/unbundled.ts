import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CpuProfile } from './parts.ts';

/** Comment line before each module of a bundle, with the module's path. */
const MODULE = /^\/\/ (dist\/.*\.js)$/;
const BUNDLE = /dist\/bundled\/[^/]*\.js$/;

/** Returns the profile with each function of a bundle attributed to its original module. */
export function unbundled(profile: CpuProfile): CpuProfile {
  const lines = new Map<string, readonly string[]>();
  const moduleOf = (url: string, line: number): string => {
    const known = lines.get(url) ?? readFileSync(fileURLToPath(url), 'utf8').split('\n');
    lines.set(url, known);
    for (let k = line; k >= 0; k--) {
      const [, path] = MODULE.exec(known[k]) ?? [];
      if (path !== undefined) return url.replace(BUNDLE, path);
    }
    return url;
  };
  const nodes = profile.nodes.map(({ callFrame, ...node }) => {
    const { url, lineNumber } = callFrame;
    return { ...node, callFrame: BUNDLE.test(url) ? { ...callFrame, url: moduleOf(url, lineNumber) } : callFrame };
  });
  return { ...profile, nodes };
}
