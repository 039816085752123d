import type { Dialogue } from '../dialogues/dialogue.ts'
import type { Progress } from '../progress.ts'
import { askJudge, type Judge } from './ask-judge.ts'
import { plantAnswers } from './planted-answer.ts'
import { settleCall } from './settle-call.ts'
import type { PlantedVerdict } from './summarize-check.ts'

/**
 * Lets the judge judge answers that were planted, in the same form as real ones; gives its verdicts an answer at a time. What
 * fails has none. Rejects when aborted, and when every other request would fail too.
 */
export async function* checkJudge(
  judge: Judge,
  dialogues: readonly Dialogue[],
  progress: Progress,
): AsyncGenerator<PlantedVerdict[]> {
  const answers = plantAnswers(dialogues)
  progress.step('the judge, with planted answers')
  for (const [index, answer] of answers.entries()) {
    const { value } = await settleCall('judge', askJudge(judge, answer))
    yield answer.planted.map((planted, at) => ({ planted, verdict: value?.[at] ?? null }))
    progress.done(index + 1, answers.length)
  }
}
