import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { copyRepository } from './copy-repository.ts'
import { readManifest } from './manifest.ts'
import { mustRun } from './run-command.ts'
import { environmentOf, type User } from './user-environment.ts'

/** A package as the registry has it. */
export interface PublishedPackage {
  readonly name: string
  readonly version: string
  /** A folder with the unpacked tarball. */
  readonly folder: string
  /** The path of the tarball. */
  readonly tarball: string
  /** Its size, in bytes. */
  readonly size: number
}

/**
 * Does in a copy of the repository what a release does: makes the versions out of the changesets, and publishes every
 * public package of the workspace. The copy and the unpacked tarballs are put into `folder`.
 *
 * The packages must have been built. That the build came before the versions, other than in a release,
 * makes no difference as long as no version is built in, which the installation tests check.
 */
export async function publishEverything(
  folder: string,
  registryUrl: string,
  user: User,
): Promise<readonly PublishedPackage[]> {
  const copy = join(folder, 'repository')
  await copyRepository(copy)
  const settings = { cwd: copy, env: environmentOf(user, copy) }
  const changeset = join('node_modules', '@changesets', 'cli', 'bin.js')
  // Without a changeset there is nothing to do, which the command reports as a failure.
  if (await hasChangesets(copy)) await mustRun('node', [changeset, 'version'], settings)
  const manifests = await publicManifests(copy)
  await mustRun('node', [changeset, 'publish', '--no-git-tag'], settings)
  return Promise.all(
    manifests.map(({ name, version }) => unpack(registryUrl, name, version, join(folder, 'unpacked'))),
  )
}

async function hasChangesets(copy: string): Promise<boolean> {
  for await (const file of glob('*.md', { cwd: join(copy, '.changeset') })) {
    if (file !== 'README.md') return true
  }
  return false
}

async function publicManifests(copy: string) {
  const manifests = []
  for await (const path of glob('{packages,apps}/*/package.json', { cwd: copy })) {
    const folder = join(copy, path, '..')
    const manifest = await readManifest(folder)
    if (manifest.private) continue
    if (!existsSync(join(folder, 'dist')))
      throw new Error(`${manifest.name} is not built; run \`pnpm build\``)
    manifests.push(manifest)
  }
  return manifests.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A registry's record of a version. */
interface VersionDocument {
  readonly dist: { readonly tarball: string }
}

/** Fetches what was published, which is not always what was meant to be. */
async function unpack(
  registryUrl: string,
  name: string,
  version: string,
  folder: string,
): Promise<PublishedPackage> {
  const fetchOk = async (url: string | URL) => {
    const response = await fetch(url)
    if (!response.ok)
      throw new Error(`${name}@${version}: the registry answered ${response.status} to ${url}`)
    return response
  }
  const about = (await (await fetchOk(new URL(`${name}/${version}`, registryUrl))).json()) as VersionDocument
  const tarball = new Uint8Array(await (await fetchOk(about.dist.tarball)).arrayBuffer())
  const place = join(folder, name.replace('/', '+'))
  await mkdir(place, { recursive: true })
  const file = join(place, 'package.tgz')
  await writeFile(file, tarball)
  await mustRun('tar', ['-xzf', file], { cwd: place })
  return { name, version, folder: join(place, 'package'), tarball: file, size: tarball.length }
}

/** The README of a published package. */
export function readReadme({ folder }: PublishedPackage): Promise<string> {
  return readFile(join(folder, 'README.md'), 'utf8')
}
