import { fileURLToPath } from 'node:url'
import type { Message } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { readSession } from '../../src/commands/options.ts'
import { generateConversation } from '../../src/workload/conversation.ts'

/** Shared by the tests of a file: texts are counted once. */
export const tokens = createTokenCounter()

/** 63K tokens of coding turns with parallel calls; the system prompt has 3K, the largest call with its results 5K. */
export const generated = generateConversation({ seed: 11, messages: 100 })

const recorded = await readSession(
  fileURLToPath(new URL('../../../palimpsest/sessions/ledger.jsonl', import.meta.url)),
)

/** The beginning of the bundled session: 60K tokens, the largest call with its results 14K. */
export const bundled = recorded.messages.slice(0, 160)

export const conversations: readonly (readonly Message[])[] = [generated, bundled]

/** The transcript before each message that a model or a user writes. */
export function* requests(messages: readonly Message[]): Generator<readonly Message[]> {
  for (const [index, { role }] of messages.entries())
    if (index > 1 && role !== 'tool') yield messages.slice(0, index)
}
