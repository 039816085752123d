import { createScratchFolder } from '../lcm/scratch-folder.ts'
import type { Progress } from '../progress.ts'
import { measureSession, type SessionFigures } from './measure-session.ts'
import { SUBJECTS } from './play-requests.ts'

/** Sessions of each engine at each length, in one run. */
export type SessionReport = Awaited<ReturnType<typeof runSession>>

interface SessionRunInput {
  readonly seed: number
  /** Messages of the histories. */
  readonly sizes: readonly number[]
  /** Turns that are measured at each. Default 30. */
  readonly turns?: number
  readonly folder: string
  readonly progress: Progress
}

export async function runSession({ seed, sizes, turns = 30, folder, progress }: SessionRunInput) {
  const rows: SessionFigures[] = []
  // The one over lcm is the sum of both.
  for (const engine of SUBJECTS.filter(({ name }) => !name.includes(' over ')))
    for (const size of sizes.toSorted((a, b) => a - b)) {
      progress.step(`a session of ${engine.name}, ${size} messages`)
      const scratch = createScratchFolder(folder)
      try {
        rows.push(await measureSession({ engine, seed, size, turns, folder: scratch.path }))
      } finally {
        scratch.remove()
      }
    }
  progress.end()
  return { seed, rows }
}
