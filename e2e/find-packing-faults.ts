import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, posix, relative, sep } from 'node:path'
import { type Manifest, readManifest } from './manifest.ts'
import { REPOSITORY_ROOT } from './repository-root.ts'

/** The faults of an unpacked tarball, one sentence each. Empty for a package that may be released. */
export async function findPackingFaults(folder: string): Promise<readonly string[]> {
  const manifest = await readManifest(folder)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
  return [
    ...findLocalDependencies(manifest),
    ...findInstallScripts(manifest, files),
    ...['README.md', 'LICENSE'].filter((file) => !files.includes(file)).map((file) => `${file} is missing`),
    ...findMissingTargets(manifest, files),
    ...(await findMissingLicences(folder, files)),
    ...files.filter((file) => TEST_FILE.test(file)).map((file) => `${file} is a test`),
    ...(await findMachinePaths(folder, files)),
  ]
}

const TEST_FILE = /(^|\/)tests?\/|\.(test|spec)\.[cm]?[jt]sx?$/

function findLocalDependencies(manifest: Manifest): string[] {
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const
  return fields.flatMap((field) =>
    Object.entries(manifest[field] ?? {})
      .filter(([, range]) => /^(workspace|link|file|portal|catalog):/.test(range))
      .map(([name, range]) => `${field}: ${name} is "${range}"`),
  )
}

function findInstallScripts({ scripts = {} }: Manifest, files: readonly string[]): string[] {
  const found = ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts)
  // npm runs node-gyp for a package with this file.
  if (files.includes('binding.gyp')) found.push('binding.gyp')
  return found.map((name) => `${name} would run on installation`)
}

function findMissingTargets(manifest: Manifest, files: readonly string[]): string[] {
  const { exports, bin, types, main, contextEngine } = manifest
  const targets = textsOf([exports, bin, types, main, contextEngine?.entry])
  if (targets.length === 0) return ['it exports nothing']
  return targets
    .filter((target) => !files.includes(posix.normalize(target)))
    .map((target) => `${target} is named in package.json and not in the package`)
}

/** A page that is one file, and a bundle with a dependency in it, contain code of others, whose licences go along. */
async function findMissingLicences(folder: string, files: readonly string[]): Promise<string[]> {
  const page = 'dist/page/index.html'
  const needed = files.includes(page) ? ['dist/page/licenses.md', 'NOTICE'] : []
  // The bundler names each source in a comment.
  for (const file of files.filter((path) => /^dist\/[^/]+\.js$/.test(path)))
    if (/^\/\/ .*node_modules\//m.test(await readFile(join(folder, file), 'utf8')))
      needed.push('dist/licenses.md')
  return [...new Set(needed)]
    .filter((file) => !files.includes(file))
    .map((file) => `${file} is missing, and the package contains code of others`)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

async function findMachinePaths(folder: string, files: readonly string[]): Promise<string[]> {
  const places = [REPOSITORY_ROOT, homedir()].map((place) => `${place}/`)
  const found: string[] = []
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8')
    for (const place of places) if (text.includes(place)) found.push(`${file} contains the path ${place}`)
  }
  return found
}
