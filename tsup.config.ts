import { defineConfig } from 'tsup'

/** One build for all packages; a package names its entries on the command line. */
export default defineConfig({
  format: ['esm'],
  dts: true,
  clean: true,
  sourcemap: true,
  target: 'node22',
  // tsup would turn `node:fs` into `fs`, which breaks modules that exist only with the prefix.
  removeNodeProtocol: false,
})
