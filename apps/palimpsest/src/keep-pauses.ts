import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import type { Config } from '@palimpsest/core/discovery'
import { z } from '@palimpsest/core/options'
import { MAX_PAUSES, type SessionPauses } from '@palimpsest/prompt-caching'
import { replaceFile } from './replace-file.ts'

/** The pauses of earlier sessions, which planners learn from. */
interface KeptPauses {
  /** The list that planners share. It is stored a minute later. */
  readonly pauses: SessionPauses[]
  /** Writes what is new. */
  close(): Promise<void>
}

/** Milliseconds. */
const SAVE_INTERVAL = 60_000

const pausesSchema = z.array(
  z.object({
    requests: z.int().positive(),
    longPauses: z.array(z.number().positive()).max(MAX_PAUSES),
    changes: z.int().min(0),
  }),
)

/** Whether anything is decided by the pauses of sessions. */
export function needsPauses({ cache_ttl, keep_alive_usd }: Config['prompt_caching']): boolean {
  return cache_ttl === 'auto' || keep_alive_usd > 0
}

/** Where pauses are stored, as a text. */
export interface PausesStore {
  /** For people. */
  readonly name: string
  /** Undefined before the first. */
  read(): Promise<string | undefined>
  write(text: string): Promise<void>
}

/** Stores them in a file, which is replaced as a whole: a process that is killed leaves the one before. */
export function pausesFile(path: string): PausesStore {
  return {
    name: path,
    read: () =>
      readFile(path, 'utf8').catch((error) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
    write: (text) => replaceFile(path, text, 0o600),
  }
}

/**
 * Keeps pauses for later processes: numbers, and nothing of what was said. Of several processes with one store, the last one
 * that writes is remembered. What is stored and cannot be read is told and replaced: then they are learned anew.
 */
export async function keepPauses(store: PausesStore, log: (line: string) => void): Promise<KeptPauses> {
  const pauses = await readPauses(store).catch((error) => {
    log(
      `warning: the pauses of earlier sessions are learned anew, ${store.name} is damaged: ${errorText(error)}`,
    )
    return []
  })
  let saved = JSON.stringify(pauses)
  let saving = Promise.resolve()
  const save = async (): Promise<void> => {
    const text = JSON.stringify(pauses)
    if (text === saved) return
    try {
      await store.write(text)
      saved = text
    } catch (error) {
      log(`warning: the pauses of sessions were not stored: ${errorText(error)}`)
    }
  }
  const saveNext = () => {
    saving = saving.then(save)
    return saving
  }
  const timer = setInterval(saveNext, SAVE_INTERVAL)
  timer.unref()
  return {
    pauses,
    close() {
      clearInterval(timer)
      return saveNext()
    },
  }
}

async function readPauses(store: PausesStore): Promise<SessionPauses[]> {
  const { data } = pausesSchema.safeParse(JSON.parse((await store.read()) ?? '[]'))
  if (data === undefined) throw new Error('it holds something else')
  return data
}
