import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isEngineName } from '../engine/engine-name.ts'
import { InvalidEngineError } from '../errors/errors.ts'
import { lazily, z } from '../options.ts'
import { isPackageName } from './config/package-name.ts'
import { type Candidate, type EntryFacts, unavailable } from './discovery-types.ts'
import { type EngineManifest, parseManifest } from './engine-manifest.ts'
import { moduleCandidate } from './import-engine.ts'
import { errorCode, isMissing } from './one-line.ts'
import { type PackageJson, readPackageJson } from './plugin-files.ts'

const rootPackage = lazily(() => {
  const dependencies = z.record(z.string(), z.unknown()).catch({})
  return z.object({ dependencies, devDependencies: dependencies, optionalDependencies: dependencies })
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
  const lists = Object.values(rootPackage().parse((await readPackageJson(root)) ?? {}))
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

/** The field of a `package.json` that makes a package an engine. */
const ENGINE_FIELD = 'contextEngine'

const engineField = lazily(() =>
  z.looseObject(
    {
      name: z.string('must be the name of the engine').refine(isEngineName, 'must be kebab-case'),
      apiVersion: z.int('must be the version of the engine contract, such as 1'),
      entry: z.string('must be the path of a module in the package, such as "./dist/index.js"'),
    },
    'must be an object with name, apiVersion and entry',
  ),
)

/**
 * The facts that the `package.json` of an engine states about it.
 *
 * @throws InvalidEngineError that names the first key of the field that is wrong.
 */
function readPackageManifest(json: PackageJson): EngineManifest {
  const field = parseManifest(engineField(), json[ENGINE_FIELD], 'package.json', ENGINE_FIELD)
  const { version, description } = json
  return {
    ...field,
    version: typeof version === 'string' ? version : undefined,
    description: typeof description === 'string' ? description : undefined,
  }
}

/** The name that a package claims for its engine, even where the rest of the field is wrong. */
function claimedName(json: PackageJson): string | undefined {
  const claim = z.looseObject({ name: z.string().refine(isEngineName) }).safeParse(json[ENGINE_FIELD])
  return claim.data?.name
}

/**
 * The real folder of a package, where Node would find it: in `node_modules` beside `root` or above. No folder is
 * listed, and what the package exports does not matter.
 *
 * @param root a real path.
 * @param name a valid package name.
 */
export async function findPackage(root: string, name: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (basename(folder) !== 'node_modules') {
      const found = await realFolder(join(folder, 'node_modules', name))
      if (found !== undefined) return found
    }
    if (dirname(folder) === folder) return undefined
  }
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw new InvalidEngineError(`its folder cannot be read (${errorCode(error)})`, { cause: error })
  }
}
