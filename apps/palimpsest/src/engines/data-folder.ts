import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChosenEngine } from './choose-engine.ts'

/**
 * Where an engine keeps what it keeps on the disk: a folder of its own in the user's. It is there, and for the user alone,
 * when others wrote the engine; ours are told where their stores are. What cannot be made is the engine's to tell.
 */
export async function dataFolder(home: string, { definition, source }: ChosenEngine): Promise<string> {
  const folder = join(home, 'engines', definition.name)
  if (source !== 'built-in') await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  return folder
}
