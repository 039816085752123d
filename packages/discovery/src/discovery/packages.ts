import * as z from 'zod'
import { isPackageName } from '../config/package-name.ts'
import { type Candidate, type EntryFacts, unavailable } from './candidate.ts'
import { findPackage, readPackageJson } from './installed-package.ts'
import { moduleCandidate } from './module-candidate.ts'
import { claimedName, ENGINE_FIELD, readPackageManifest } from './package-manifest.ts'

const dependencies = z.record(z.string(), z.unknown()).catch({})

const rootPackage = z.object({
  dependencies,
  devDependencies: dependencies,
  optionalDependencies: dependencies,
})

/**
 * The engines among the packages that the `package.json` of the root names. What else is installed is not looked at.
 *
 * @param root a real path.
 */
export async function readDependencies(root: string): Promise<Candidate[]> {
  try {
    const names = await dependencyNames(root)
    const found = await Promise.all(names.map((name) => readPackage(root, name)))
    return found.filter((candidate) => typeof candidate === 'object')
  } catch (error) {
    return [unavailable({ name: './package.json', source: 'package', location: root }, error)]
  }
}

/**
 * The package that a choice names, be it a dependency of the root or not; none when there is no such package.
 *
 * @param root a real path.
 * @param name a valid package name.
 */
export async function readChosenPackage(root: string, name: string): Promise<Candidate | undefined> {
  const found = await readPackage(root, name)
  if (typeof found === 'object') return found
  const refuse = (reason: string) => unavailable({ name, source: 'package', location: name }, reason)
  if (found === 'no-engine')
    return refuse(`its package.json has no "${ENGINE_FIELD}" field, so it is no context engine`)
  const names = await dependencyNames(root).catch((): string[] => [])
  return names.includes(name)
    ? refuse('it is a dependency and not installed; install the dependencies')
    : undefined
}

async function dependencyNames(root: string): Promise<string[]> {
  const lists = Object.values(rootPackage.parse((await readPackageJson(root)) ?? {}))
  return [...new Set(lists.flatMap((list) => Object.keys(list)))].filter(isPackageName)
}

async function readPackage(root: string, name: string): Promise<Candidate | 'no-engine' | 'not-installed'> {
  const facts: EntryFacts = { name, source: 'package', location: name }
  let claim: string | undefined
  try {
    const folder = await findPackage(root, name)
    if (folder === undefined) return 'not-installed'
    const json = (await readPackageJson(folder)) ?? {}
    if (!Object.hasOwn(json, ENGINE_FIELD)) return 'no-engine'
    claim = claimedName(json)
    const manifest = readPackageManifest(json)
    return await moduleCandidate({ facts, manifest, folder, installIn: root })
  } catch (error) {
    return unavailable({ ...facts, name: claim ?? name }, error, claim)
  }
}
