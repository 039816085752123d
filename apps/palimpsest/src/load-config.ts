import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Config, parseConfig } from '@palimpsest/core/config'
import { ENGINE_NAMES } from './engines.ts'

/** The configuration from the named file, else from `config.yaml` in the folder, else the defaults. */
export async function loadConfig(file: string | undefined, folder: string): Promise<Config> {
  const usual = join(folder, 'config.yaml')
  const path = file ?? (existsSync(usual) ? usual : undefined)
  if (path === undefined) return parseConfig('')
  return parseConfig(await readFile(path, 'utf8'), { engines: ENGINE_NAMES, fileName: basename(path) })
}
