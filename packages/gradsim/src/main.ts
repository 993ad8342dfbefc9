#!/usr/bin/env node
import module from 'node:module';

// Keeps the compiled code of all modules imported after this call for later runs. Node 20, whose types are used here,
// has no such call.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();
await import('#command-line');
