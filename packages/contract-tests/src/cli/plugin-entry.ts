import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from '@palimpsest/core'
import { parse } from 'yaml'
import { entryFile } from './entry-file.ts'
import { UsageError } from './usage-error.ts'

/** What makes a folder a plugin. */
export const PLUGIN_FILE = 'plugin.yaml'

/** Where the engine is when the manifest does not say, the first that exists. */
const USUAL_ENTRIES = ['index.ts', 'index.mts', 'index.js', 'index.mjs']

/**
 * The file that a folder with a plugin.yaml gives as its engine.
 *
 * @param name what messages call the folder.
 * @throws UsageError
 */
export function pluginEntry(folder: string, name: string): string {
  const manifest = `${PLUGIN_FILE} of ${name}`
  const { entry } = readPlugin(join(folder, PLUGIN_FILE), manifest)
  const usual = USUAL_ENTRIES.find((file) => existsSync(join(folder, file)))
  if (entry !== undefined || usual !== undefined) return entryFile(folder, entry ?? usual, manifest)
  throw new UsageError(
    `${name} has none of ${USUAL_ENTRIES.join(', ')}; name its file as "entry" in ${PLUGIN_FILE}`,
  )
}

function readPlugin(file: string, manifest: string): { readonly entry?: unknown } {
  try {
    return Object(parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new UsageError(`${manifest} cannot be read: ${errorText(error)}`)
  }
}
