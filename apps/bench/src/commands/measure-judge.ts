import { createTokenCounter } from '@palimpsest/tokens'
import { generateDialogue } from '../dialogues/generate-dialogue.ts'
import type { JudgeModels } from '../judge/judge-models.ts'
import type { JudgeReport } from '../judge/judge-report.ts'
import { LEAST_RUNS, runJudge } from '../judge/run-judge.ts'
import { DIALOGUE_TURNS } from './dialogues.ts'
import type { PartInput } from './part.ts'

/** What models make of the projections. Ctrl-C ends it early: answers were paid for, and those that came are kept. */
export async function measureJudge(
  { arms, options, progress }: PartInput,
  { answerer, judge }: JudgeModels,
): Promise<JudgeReport> {
  const interrupt = new AbortController()
  const onInterrupt = () => interrupt.abort(new Error('interrupted'))
  process.once('SIGINT', onInterrupt)
  try {
    const { budgets, seeds } = options
    return await runJudge({
      arms,
      dialogues: Array.from({ length: seeds }, (_, index) =>
        generateDialogue({ seed: index + 1, turns: DIALOGUE_TURNS }),
      ),
      budgets,
      tokens: createTokenCounter(),
      answerer,
      judge,
      runs: LEAST_RUNS,
      signal: interrupt.signal,
      progress,
    })
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
