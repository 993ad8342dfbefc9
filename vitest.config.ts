import { availableParallelism } from 'node:os';
import { defaultClientConditions, defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { offerSoftwareVulkan } from './scripts/vulkan.js';

/** Imports between packages resolve to their TypeScript source, so tests need no build. */
const source = '@gradsim/source';

// Before the test processes start, which inherit it: WebGPU tests run wherever Chromium is installed.
offerSoftwareVulkan();

export default defineConfig({
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    include: ['{packages,apps}/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // vitest keeps a core for itself, which does next to nothing here.
    maxWorkers: availableParallelism(),
    // Ends what hangs. Far above what any test takes on an idle machine, since others may keep it busy; a test has a limit
    // of its own only where that tells linear time from quadratic.
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
