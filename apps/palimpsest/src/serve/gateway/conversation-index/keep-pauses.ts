import { readFile } from 'node:fs/promises'
import { errorText } from '@palimpsest/core'
import { z } from '@palimpsest/core/options'
import { MAX_PAUSES, type SessionPauses } from '@palimpsest/prompt-caching'
import { replaceFile } from '../../../replace-file.ts'

/** The pauses of earlier sessions, which planners learn from. */
export interface KeptPauses {
  /** The list that planners share. It is in the file a minute later. */
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

/**
 * Keeps pauses in a file: numbers, and nothing of what was said. It is replaced as a whole, so a process that is killed
 * leaves the one before. A file that is damaged is told and replaced: then they are learned anew.
 */
export async function keepPauses(path: string, log: (line: string) => void): Promise<KeptPauses> {
  const pauses = await readPauses(path).catch((error) => {
    log(`warning: the pauses of earlier sessions are learned anew, ${path} is damaged: ${errorText(error)}`)
    return []
  })
  let saved = JSON.stringify(pauses)
  let saving = Promise.resolve()
  const save = async (): Promise<void> => {
    const text = JSON.stringify(pauses)
    if (text === saved) return
    try {
      await replaceFile(path, text, 0o600)
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

async function readPauses(path: string): Promise<SessionPauses[]> {
  const text = await readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const { data } = pausesSchema.safeParse(JSON.parse(text))
  if (data === undefined) throw new Error('it holds something else')
  return data
}
