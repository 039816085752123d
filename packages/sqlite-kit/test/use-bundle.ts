import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'tsup'
import { afterAll, beforeAll } from 'vitest'

/**
 * Bundles a script and the sources that it imports once for the tests of a file, and returns how to learn where the bundle
 * is. For processes that are started a hundred times: most of a start would be loading a hundred files, and who is killed
 * leaves no compile cache behind.
 */
export function useBundle(script: URL): () => string {
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-bundle-'))
    await build({
      entry: { script: fileURLToPath(script) },
      outDir: folder,
      outExtension: () => ({ js: '.mjs' }),
      format: 'esm',
      // Nothing is installed where the bundle is.
      noExternal: [/^(?!node:)/],
      removeNodeProtocol: false,
      config: false,
      silent: true,
      esbuildOptions(options) {
        options.conditions = ['@palimpsest/source']
      },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return () => join(folder, 'script.mjs')
}
