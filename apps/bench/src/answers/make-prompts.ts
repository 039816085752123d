import type { Message, TokenCounter } from '@palimpsest/core'
import { requestsOf } from '../arms/play-arm.ts'
import type { Progress } from '../progress.ts'
import { type AnswerArm, BOUND_TOKENS, BOUNDS, PLAYED, WHOLE } from './answer-arms.ts'
import { type AskedRequest, type Completions, createReplayModel, sha256 } from './completions.ts'
import { promptText } from './prompt-text.ts'

const CLOSING: Message = {
  role: 'user',
  content: 'Before we go on: I have some questions about what was said and done so far.',
}

export interface MadePrompt {
  readonly text: string
  readonly sha256: string
  readonly tokens: number
}

export type Made = MadePrompt | { readonly unknown: AskedRequest }

interface PlayInput {
  readonly messages: readonly Message[]
  readonly completions: Completions
  readonly tokens: TokenCounter
}

export async function playAnswerArm(arm: AnswerArm, input: PlayInput): Promise<Made> {
  const { messages, completions, tokens } = input
  const { model, unknown } = createReplayModel(completions)
  const opened = await arm.open({ sessionId: 'answers', tokens, model })
  let shown: readonly Message[] = []
  try {
    for (const { length, answer } of requestsOf(messages)) {
      await opened.project(messages.slice(0, length))
      await opened.answered(answer)
      if (unknown() !== undefined) break
    }
    if (unknown() === undefined) shown = (await opened.project([...messages, CLOSING])).messages
  } catch (error) {
    if (unknown() === undefined) throw error
  } finally {
    await opened.end()
  }
  const asked = unknown()
  return asked === undefined ? describe(promptText(shown), tokens) : { unknown: asked }
}

const describe = (text: string, tokens: TokenCounter): MadePrompt => ({
  text,
  sha256: sha256(text),
  tokens: tokens.countText(text),
})

interface PromptsInput extends PlayInput {
  readonly played?: readonly AnswerArm[]
  readonly progress: Progress
}

export async function makePrompts({ played = PLAYED, progress, ...input }: PromptsInput) {
  const { messages, tokens } = input
  const asked = [...messages, CLOSING]
  const prompts = new Map<string, Made>([[WHOLE, describe(promptText(asked), tokens)]])
  for (const arm of played) {
    progress(`the prompt of ${arm.name}`)
    prompts.set(arm.name, await playAnswerArm(arm, input))
  }
  for (const [name, cut] of Object.entries(BOUNDS))
    prompts.set(name, describe(cut(asked, BOUND_TOKENS, tokens), tokens))
  return prompts
}
