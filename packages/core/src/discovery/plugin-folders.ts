import type { Dirent } from 'node:fs'
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isEngineName } from '../engine/engine-name.ts'
import { InvalidEngineError } from '../errors/errors.ts'
import { lazily, z } from '../options.ts'
import { readYaml } from './config/read-yaml.ts'
import { type Candidate, type EngineSource, type EntryFacts, unavailable } from './discovery-types.ts'
import { type EngineManifest, parseManifest } from './engine-manifest.ts'
import { moduleCandidate } from './import-engine.ts'
import { errorCode, oneLine } from './one-line.ts'
import { isInside, readTextFile } from './plugin-files.ts'

const FOLDER = 'plugins/context_engine'

const NAME = 'the name of its folder must be kebab-case, such as "my-engine"; rename it'
const PYTHON =
  'it is written in Python, which cannot be loaded here; docs/porting-from-hermes.md says how it is ported to TypeScript'

type FolderSource = Extract<EngineSource, 'directory' | 'user-directory'>

/**
 * The engines in `plugins/context_engine/`: one folder each, or a link to one. Hidden files, `node_modules`, and
 * files that do not look like an engine, such as a readme, are passed over.
 *
 * @param root a real path.
 */
export async function readPluginFolders(root: string, source: FolderSource): Promise<Candidate[]> {
  const parent = join(root, FOLDER)
  let members: Dirent[]
  try {
    members = await readdir(parent, { withFileTypes: true })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return []
    const facts: EntryFacts = { name: `./${FOLDER}`, source, location: parent }
    return [unavailable(facts, `this folder cannot be read (${code}), so its engines are not known`)]
  }
  const found = members.filter(isCandidate).map(({ name }) => {
    const shown = oneLine(name)
    const facts: EntryFacts = { name: shown, source, location: join(parent, shown) }
    return readPluginFolder(root, join(parent, name), facts)
  })
  return (await Promise.all(found)).filter((candidate) => candidate !== undefined)
}

function isCandidate(member: Dirent): boolean {
  if (member.name.startsWith('.') || member.name === 'node_modules') return false
  return !member.isFile() || isEngineName(member.name)
}

/** None when the folder went away in the meantime. */
async function readPluginFolder(
  root: string,
  path: string,
  facts: EntryFacts,
): Promise<Candidate | undefined> {
  const candidate = await describeFolder(root, path, facts)
  return candidate.entry.available || !(await isGone(path)) ? candidate : undefined
}

async function describeFolder(root: string, path: string, facts: EntryFacts): Promise<Candidate> {
  const name = basename(path)
  const claim = isEngineName(name) ? name : undefined
  try {
    const folder = await realFolder(path)
    const isPython = await isPythonPlugin(folder)
    if (isPython) return unavailable(facts, PYTHON, claim)
    if (claim === undefined) return unavailable(facts, NAME)
    const manifest = await readPluginManifest(folder, claim)
    const installIn = isInside(root, folder) ? root : folder
    return await moduleCandidate({ facts, manifest, folder, installIn })
  } catch (error) {
    return unavailable(facts, claim === undefined ? NAME : error, claim)
  }
}

async function realFolder(path: string): Promise<string> {
  try {
    const folder = await realpath(path)
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    const target = await readlink(path).catch(() => undefined)
    const what = target === undefined ? 'its folder' : `it is a link to "${target}", which`
    throw new InvalidEngineError(`${what} cannot be read (${errorCode(error)})`, { cause: error })
  }
  throw new InvalidEngineError('it is a file; an engine is a folder with plugin.yaml in it')
}

async function isGone(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return false
  } catch (error) {
    return errorCode(error) === 'ENOENT'
  }
}

const FILE = 'plugin.yaml'

/** Kilobytes; a manifest has some hundred bytes. */
const MAX_SIZE = 64

/** Scalars are read as texts, so that `version: 1.0` stays what it is. Keys of other hosts may stand beside. */
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

/**
 * Reads the `plugin.yaml` of a folder whose name the engine must have.
 *
 * @throws InvalidEngineError, or InvalidOptionError for text that is not YAML.
 */
async function readPluginManifest(folder: string, name: string): Promise<EngineManifest> {
  const text = await readTextFile(join(folder, FILE), MAX_SIZE)
  if (text === undefined)
    throw new InvalidEngineError(`${FILE} is missing; write one with name, description and version`)
  const { content } = readYaml(text, {
    fileName: FILE,
    example: '"name:" and "description:"',
    textsOnly: true,
  })
  const manifest = parseManifest(pluginManifest(), content, FILE)
  if (manifest.name === name) return manifest
  throw new InvalidEngineError(
    `${FILE} names the engine "${manifest.name}", but its folder is "${name}"; make the two agree`,
  )
}

/** A manifest that names a module in JavaScript, which may lie deeper. */
const ENTRY = /^entry\s*:/m

/** Whether a plugin's folder holds an engine for Hermes Agent and none for this host. */
async function isPythonPlugin(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch((): string[] => [])
  if (!files.includes('__init__.py') || files.some((name) => /\.m?[jt]s$/.test(name))) return false
  return !ENTRY.test((await readTextFile(join(folder, 'plugin.yaml'), 64).catch(() => undefined)) ?? '')
}
