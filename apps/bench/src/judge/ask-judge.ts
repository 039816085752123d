import type { CompletionModel } from '@palimpsest/core'
import { JUDGE_SYSTEM, type JudgedText, judgePrompt } from './judge-prompt.ts'
import type { ModelMeter } from './model-meter.ts'
import { readVerdicts } from './read-verdicts.ts'
import type { Verdict } from './verdict.ts'

/** A judge that answers with something that cannot be read is asked once more. */
const TRIES = 2

export interface Judge {
  readonly model: CompletionModel
  readonly meter: ModelMeter
  readonly signal: AbortSignal
}

/**
 * One verdict for each fact. Undefined when the judge twice gave none that can be read. Rejects with a `ModelError`, or when
 * aborted.
 */
export async function askJudge(
  { model, meter, signal }: Judge,
  text: JudgedText,
): Promise<Verdict[] | undefined> {
  const call = { system: JUDGE_SYSTEM, prompt: judgePrompt(text), signal }
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await meter.send(() => model.complete(call))
    const verdicts = readVerdicts(answer.text, text.facts.length)
    if (verdicts !== undefined) return verdicts
  }
  return undefined
}
