import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InvalidOptionError } from '@palimpsest/core'
import { type Config, parseConfig } from '@palimpsest/core/config'
import { ENGINE_NAMES } from './engines.ts'
import { UsageError } from './usage-error.ts'

/** The configuration from the named file, else from `config.yaml` in the folder, else the defaults. */
export async function loadConfig(file: string | undefined, folder: string): Promise<Config> {
  const usual = join(folder, 'config.yaml')
  const path = file ?? (existsSync(usual) ? usual : undefined)
  if (path === undefined) return parseConfig('')
  const text = await readFile(path, 'utf8').catch((cause) => {
    throw new UsageError(`the configuration ${path} cannot be read (${cause.code})`, { cause })
  })
  try {
    return parseConfig(text, { engines: ENGINE_NAMES, fileName: path })
  } catch (cause) {
    if (!(cause instanceof InvalidOptionError) || file !== undefined) throw cause
    throw new UsageError(`${cause.message} (read from ${path}; --config names another file)`, { cause })
  }
}
