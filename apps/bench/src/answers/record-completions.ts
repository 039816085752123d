import { createOpenAiCompletion } from '@palimpsest/openai'
import { patientFetch } from '@palimpsest/provider-utils'
import type { Progress } from '../progress.ts'
import type { AnswerArm } from './answer-arms.ts'
import { appendCompletion, type Completions, requestKey } from './completions.ts'
import { type Made, playAnswerArm } from './make-prompts.ts'

interface RecordInput extends Omit<Parameters<typeof playAnswerArm>[1], 'completions'> {
  readonly arms: readonly AnswerArm[]
  /** Gets what is recorded, as the file does. */
  readonly completions: Completions
  readonly file: URL
  /** An OpenAI-compatible service, with the version in its address. */
  readonly baseUrl: string
  readonly progress: Progress
}

/** A day: whoever answers may be a person. */
const LIMIT_MS = 86_400_000

/** Asks for the summaries that are not recorded, outside of the engines, whose limits of time are not those of a person. */
export async function recordCompletions({ arms, file, baseUrl, progress, ...input }: RecordInput) {
  const model = createOpenAiCompletion({ model: 'bench', baseUrl, timeoutMs: LIMIT_MS, fetch: patientFetch })
  for (const arm of arms)
    for (let asked = 1; ; asked++) {
      const made: Made = await playAnswerArm(arm, input)
      if (!('unknown' in made)) break
      progress.step(`${arm.name}: request ${asked}, ${input.tokens.countText(made.unknown.prompt)} tokens`)
      const { text } = await model.complete(made.unknown)
      const key = requestKey(made.unknown)
      input.completions.set(key, text)
      await appendCompletion(file, { key, arm: arm.name, text })
    }
}
