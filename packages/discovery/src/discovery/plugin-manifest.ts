import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidEngineError } from '@palimpsest/core'
import { lazily, z } from '@palimpsest/core/options'
import { readYaml } from '../config/read-yaml.ts'
import { type EngineManifest, parseManifest } from './engine-manifest.ts'
import { readTextFile } from './read-text-file.ts'

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
export async function readPluginManifest(folder: string, name: string): Promise<EngineManifest> {
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
export async function isPythonPlugin(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch((): string[] => [])
  if (!files.includes('__init__.py') || files.some((name) => /\.m?[jt]s$/.test(name))) return false
  return !ENTRY.test((await readTextFile(join(folder, 'plugin.yaml'), 64).catch(() => undefined)) ?? '')
}
