import type { SessionView } from '@palimpsest/inspector'
import { firstLine } from '../first-line.ts'
import { EXIT_USAGE } from '../report-failure.ts'
import type { ComparedEngine } from './compared-engines.ts'
import { type ReplayTask, replayEngine } from './replay-engine.ts'

export interface ComparedReplays {
  readonly views: readonly SessionView[]
  /** 0, or 2 when an engine failed. */
  readonly exitCode: number
}

/**
 * Replays a recording into each engine of a comparison. One that fails is told on stderr and is missing: the replay before it
 * may have been long, and paid for.
 */
export async function replayCompared(
  task: ReplayTask,
  engines: readonly ComparedEngine[],
): Promise<ComparedReplays> {
  const views: SessionView[] = []
  let exitCode = 0
  for (const { configuration, engine, flags } of engines) {
    const { name } = engine.definition
    const input = { engine, flags, label: `replaying ${name}`, sessionId: `replay ${name}` }
    try {
      const { view, report } = await replayEngine({ ...task, configuration }, input)
      if (view !== undefined) views.push(view)
      if (report.laws.violations.length > 0)
        process.stderr.write(`${name}: a law was violated; replay with --engine ${name} says which\n`)
    } catch (error) {
      exitCode = EXIT_USAGE
      process.stderr.write(`palimpsest: the page is without ${name}, which failed: ${firstLine(error)}\n`)
    }
  }
  return { views, exitCode }
}
