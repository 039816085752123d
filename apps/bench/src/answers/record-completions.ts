import { createOpenAiCompletion } from '@palimpsest/openai'
import { patientFetch } from '@palimpsest/provider-utils'
import type { Progress } from '../progress.ts'
import type { AnswerArm } from './answer-arms.ts'
import { appendCompletion, type Completions, requestKey } from './completions.ts'
import { type Made, playAnswerArm } from './make-prompts.ts'

interface RecordInput extends Omit<Parameters<typeof playAnswerArm>[1], 'completions'> {
  readonly arms: readonly AnswerArm[]
  readonly completions: Completions
  readonly file: URL
  readonly baseUrl: string
  readonly progress: Progress
}

/** A day, because a person may answer. */
const LIMIT_MS = 86_400_000

/** Requests missing summaries outside of the engines, whose time limits are too short for a person. */
export async function recordCompletions({ arms, file, baseUrl, progress, ...input }: RecordInput) {
  const model = createOpenAiCompletion({ model: 'bench', baseUrl, timeoutMs: LIMIT_MS, fetch: patientFetch })
  for (const arm of arms)
    for (let asked = 1; ; asked++) {
      const made: Made = await playAnswerArm(arm, input)
      if (!('unknown' in made)) break
      progress(`${arm.name}: request ${asked}, ${input.tokens.countText(made.unknown.prompt)} tokens`)
      const { text } = await model.complete(made.unknown)
      const key = requestKey(made.unknown)
      input.completions.set(key, text)
      await appendCompletion(file, { key, arm: arm.name, text })
    }
}
