import { globSync } from 'node:fs'
import { chmod, glob, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { build } from 'rolldown'

/**
 * `pnpm bundle`: bundles the entries of each package and app into its `dist`, one file for each and chunks for what they
 * share. Entries are the exports and the commands of `package.json`. What is imported from other packages stays an import.
 */
const MORE_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  // Private, so that it exports nothing and has no command.
  bench: ['main'],
  // Started as a process of its own.
  'contract-tests': ['cli/worker'],
}

interface Manifest {
  readonly exports?: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin?: Readonly<Record<string, string>>
}

async function bundle(folder: string): Promise<void> {
  const { exports = {}, bin = {} }: Manifest = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  )
  const commands = Object.values(bin)
  const exported = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [entry.default],
  )
  const names = [
    ...[...exported, ...commands].map((path) => path.replace(/^\.\/dist\/(.*)\.js$/, '$1')),
    ...(MORE_ENTRIES[basename(folder)] ?? []),
  ]
  const dist = join(folder, 'dist')
  for await (const path of glob('**/*.js{,.map}', { cwd: dist, exclude: ['page'] }))
    await rm(join(dist, path))
  await build({
    input: Object.fromEntries(names.map((name) => [name, join(folder, 'src', `${name}.ts`)])),
    external: /^[^./]/,
    platform: 'node',
    transform: { target: 'node22' },
    output: { dir: dist, sourcemap: true, chunkFileNames: 'chunk-[hash].js', comments: { jsdoc: false } },
    logLevel: 'warn',
  })
  for (const path of commands) await chmod(join(folder, path), 0o755)
}

await Promise.all(globSync('{packages,apps}/*/package.json').map((path) => bundle(dirname(path))))
