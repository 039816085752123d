import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isEngineName } from '../engine/define-context-engine.ts'
import { InvalidEngineError } from '../errors/errors.ts'
import type { Loose } from '../messages/json-value.ts'
import { lazily, parseOptions, z } from '../options.ts'
import { isPackageName, readYaml } from './config/read-yaml.ts'
import type { EngineEntry, EngineSource } from './discovery-types.ts'
import { assertApiVersion, importEngine } from './import-engine.ts'
import {
  errorCode,
  errorLine,
  findEntryFile,
  isInside,
  isMissing,
  oneLine,
  readPackageJson,
  readTextFile,
} from './plugin-files.ts'

export interface Candidate {
  readonly entry: EngineEntry
  readonly claim?: string
  readonly load?: () => Promise<unknown>
}

type EntryFacts = Omit<EngineEntry, 'available' | 'reason' | 'chosen'>

export function unavailable(facts: EntryFacts, error: unknown, claim?: string): Candidate {
  return {
    entry: { ...facts, available: false, reason: errorLine(error) },
    ...(claim !== undefined && { claim }),
  }
}

const FOLDER = 'plugins/context_engine'
const NAME = 'the name of its folder must be kebab-case, such as "my-engine"; rename it'
const PYTHON =
  'it is written in Python, which cannot be loaded here; docs/porting-from-hermes.md says how it is ported to TypeScript'
const MAX_MANIFEST = 64

/** Scalars are read as text, so that `version: 1.0` stays as written. */
const pluginManifest = lazily(() =>
  z.looseObject({
    name: z.string('must be the name of the folder'),
    version: z.string('must be a text').optional(),
    description: z.string('must be a text').optional(),
    apiVersion: z
      .string('must be a number')
      .regex(/^\d{1,9}$/, 'must be a whole number')
      .default('1')
      .transform(Number),
    entry: z.string('must be the path of a module in the folder').optional(),
  }),
)

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

function parseManifest<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  file: string,
  path = '',
): z.output<Schema> {
  try {
    return parseOptions(schema, value, path)
  } catch (error) {
    throw new InvalidEngineError(`${file}: ${errorLine(error)}`, { cause: error })
  }
}

interface ModuleInput {
  readonly facts: EntryFacts
  readonly manifest: {
    readonly name: string
    readonly apiVersion: number
    readonly version?: unknown
    readonly description?: unknown
    readonly entry?: string | undefined
  }
  readonly folder: string
  readonly installIn: string
}

async function moduleCandidate({ facts, manifest, folder, installIn }: ModuleInput): Promise<Candidate> {
  const { name, version, description, apiVersion, entry } = manifest
  const known: EntryFacts = {
    ...facts,
    name,
    apiVersion,
    ...(typeof version === 'string' && { version: oneLine(version) }),
    ...(typeof description === 'string' && { description: oneLine(description) }),
  }
  try {
    assertApiVersion(apiVersion)
    const file = await findEntryFile(folder, entry)
    return { entry: { ...known, available: true }, claim: name, load: () => importEngine(file, installIn) }
  } catch (error) {
    return unavailable(known, error, name)
  }
}

export async function readPluginFolders(root: string, source: EngineSource): Promise<Candidate[]> {
  const parent = join(root, FOLDER)
  let members: Dirent[]
  try {
    members = await readdir(parent, { withFileTypes: true })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return []
    const reason = `this folder cannot be read (${code}), so its engines are not known`
    return [unavailable({ name: `./${FOLDER}`, source, location: parent }, reason)]
  }
  const isPlugin = (member: Dirent) =>
    !member.name.startsWith('.') &&
    member.name !== 'node_modules' &&
    (!member.isFile() || isEngineName(member.name))
  return Promise.all(
    members.filter(isPlugin).map(({ name }) => readPluginFolder(root, join(parent, name), source)),
  )
}

async function readPluginFolder(root: string, path: string, source: EngineSource): Promise<Candidate> {
  const name = basename(path)
  const facts: EntryFacts = { name: oneLine(name), source, location: join(dirname(path), oneLine(name)) }
  const claim = isEngineName(name) ? name : undefined
  try {
    const folder = await realpath(path).catch((error: unknown) => {
      throw new InvalidEngineError(`its folder cannot be read (${errorCode(error)})`)
    })
    if (!(await stat(folder)).isDirectory())
      throw new InvalidEngineError('it is a file; an engine is a folder with plugin.yaml in it')
    if (await isPythonPlugin(folder)) return unavailable(facts, PYTHON, claim)
    if (claim === undefined) return unavailable(facts, NAME)
    const manifest = await readPluginManifest(folder, claim)
    const installIn = isInside(root, folder) ? root : folder
    return await moduleCandidate({ facts, manifest, folder, installIn })
  } catch (error) {
    return unavailable(facts, claim === undefined ? NAME : error, claim)
  }
}

async function readPluginManifest(folder: string, name: string): Promise<ModuleInput['manifest']> {
  const fileName = 'plugin.yaml'
  const text = await readTextFile(join(folder, fileName), MAX_MANIFEST)
  if (text === undefined)
    throw new InvalidEngineError(`${fileName} is missing; write one with name, description and version`)
  const { content } = readYaml(text, { fileName, example: '"name:" and "description:"', textsOnly: true })
  const manifest = parseManifest(pluginManifest(), content, fileName)
  if (manifest.name === name) return manifest
  throw new InvalidEngineError(
    `${fileName} names the engine "${manifest.name}", but its folder is "${name}"; make the two agree`,
  )
}

async function isPythonPlugin(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch((): string[] => [])
  if (!files.includes('__init__.py') || files.some((name) => /\.m?[jt]s$/.test(name))) return false
  const manifest = await readTextFile(join(folder, 'plugin.yaml'), MAX_MANIFEST).catch(() => undefined)
  return !/^entry\s*:/m.test(manifest ?? '')
}

export async function readDependencies(root: string): Promise<Candidate[]> {
  try {
    const names = await dependencyNames(root)
    const found = await Promise.all(names.map((name) => readPackage(root, name)))
    return found.filter((candidate) => typeof candidate === 'object')
  } catch (error) {
    return [unavailable({ name: './package.json', source: 'package', location: root }, error)]
  }
}

export async function readChosenPackage(root: string, name: string): Promise<Candidate | undefined> {
  const found = await readPackage(root, name)
  if (typeof found === 'object') return found
  const refuse = (reason: string) => unavailable({ name, source: 'package', location: name }, reason)
  if (found === 'no-engine')
    return refuse(`its package.json has no "${ENGINE_FIELD}" field, so it is not a context engine`)
  const names = await dependencyNames(root).catch((): string[] => [])
  return names.includes(name)
    ? refuse('it is a dependency and not installed; install the dependencies')
    : undefined
}

async function dependencyNames(root: string): Promise<string[]> {
  const { dependencies, devDependencies, optionalDependencies } = await readPackageJson(root)
  const lists = [dependencies, devDependencies, optionalDependencies]
  return [...new Set(lists.flatMap((list) => Object.keys(list ?? {})))].filter(isPackageName)
}

async function readPackage(root: string, name: string): Promise<Candidate | 'no-engine' | 'not-installed'> {
  const facts: EntryFacts = { name, source: 'package', location: name }
  let claim: string | undefined
  try {
    const folder = await findPackage(root, name)
    if (folder === undefined) return 'not-installed'
    const json: Loose = await readPackageJson(folder)
    if (!Object.hasOwn(json, ENGINE_FIELD)) return 'no-engine'
    claim = z.looseObject({ name: z.string().refine(isEngineName) }).safeParse(json[ENGINE_FIELD]).data?.name
    const field = parseManifest(engineField(), json[ENGINE_FIELD], 'package.json', ENGINE_FIELD)
    const manifest = { ...field, version: json.version, description: json.description }
    return await moduleCandidate({ facts, manifest, folder, installIn: root })
  } catch (error) {
    return unavailable({ ...facts, name: claim ?? name }, error, claim)
  }
}

async function findPackage(root: string, name: string): Promise<string | undefined> {
  for (let folder = root; ; folder = dirname(folder)) {
    if (basename(folder) !== 'node_modules') {
      const found = await realpath(join(folder, 'node_modules', name)).catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw new InvalidEngineError(`its folder cannot be read (${errorCode(error)})`)
      })
      if (found !== undefined) return found
    }
    if (dirname(folder) === folder) return undefined
  }
}
