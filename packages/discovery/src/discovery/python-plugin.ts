import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readTextFile } from './read-text-file.ts'

/** A manifest that names a module in JavaScript, which may lie deeper. */
const ENTRY = /^entry\s*:/m

/** Whether a plugin's folder holds an engine for Hermes Agent and none for this host. */
export async function isPythonPlugin(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch((): string[] => [])
  if (!files.includes('__init__.py') || files.some((name) => /\.m?[jt]s$/.test(name))) return false
  return !ENTRY.test((await readTextFile(join(folder, 'plugin.yaml'), 64).catch(() => undefined)) ?? '')
}
