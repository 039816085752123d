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
export function askJudge(judge: Judge, text: JudgedText): Promise<Verdict[] | undefined> {
  const call = { system: JUDGE_SYSTEM, prompt: judgePrompt(text) }
  return askUntilRead(judge, call, (answer) => readVerdicts(answer, text.facts.length))
}

/** The value that could be read from an answer of the judge. Undefined, and rejects, as `askJudge` does. */
export async function askUntilRead<Value>(
  { model, meter, signal }: Judge,
  call: { readonly system: string; readonly prompt: string },
  read: (answer: string) => Value | undefined,
): Promise<Value | undefined> {
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await meter.send(() => model.complete({ ...call, signal }))
    const value = read(answer.text)
    if (value !== undefined) return value
  }
  return undefined
}
