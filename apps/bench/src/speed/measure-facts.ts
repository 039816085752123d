import compressor, { type CompressorOptions } from '@palimpsest/compressor'
import { createContextSession, messageText, type TokenCounter } from '@palimpsest/core'
import type { Workload } from '../workload/conversation.ts'
import { createStubModel } from '../workload/stub-model.ts'

/** Where planted facts went in a rolling conversation. */
export interface FactCounts {
  readonly profile: string
  readonly where: 'user' | 'tool'
  readonly planted: number
  /** The summariser was shown the fact before its text was cleared, or the fact still stands in the last prompt. */
  readonly reached: number
  /** In the last prompt, although the stub's summaries repeat nothing. */
  readonly stillInPrompt: number
  readonly compactions: number
}

/** Plays a conversation through a session, request by request, and looks for every fact. */
export async function measureFacts(
  { messages, needles }: Workload,
  tokens: TokenCounter,
  profile: NonNullable<CompressorOptions['profile']>,
): Promise<FactCounts[]> {
  const model = createStubModel()
  const session = createContextSession({
    engine: compressor,
    options: { profile },
    contextLength: 200_000,
    tokens,
    model,
    clock: { now: () => 0 },
    sessionId: 'bench',
  })
  let prompt: readonly string[] = []
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const prepared = await session.prepare(messages.slice(0, index))
    prompt = prepared.messages.map(messageText)
  }
  const compactions = session.engine.compressionCount
  await session.end()
  const shown = model.prompts.join('\n')
  const last = prompt.join('\n')
  const said = messages.map(messageText).join('\n')
  return (['user', 'tool'] as const).map((where) => {
    const mine = needles.filter((needle) => needle.where === where && said.includes(needle.sentence))
    return {
      profile,
      where,
      planted: mine.length,
      reached: mine.filter(({ sentence }) => shown.includes(sentence) || last.includes(sentence)).length,
      stillInPrompt: mine.filter(({ value }) => last.includes(value)).length,
      compactions,
    }
  })
}
