import {
  type AssistantMessage,
  type ContextSession,
  countMessages,
  createContextSession,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import type { Arm, Search } from './arms.ts'
import { type Dialogue, type Item, type Probe, settledItems } from './dialogue.ts'
import { countNames, holdsItem, promptTexts, showsStale } from './presence.ts'
import { sharedPrefix } from './shared-prefix.ts'

/** What one arm showed the model in one dialogue. */
export interface Played {
  readonly seed: number
  readonly probes: readonly ProbeResult[]
  /** Of each request behind the first: tokens shared with the request before, as a share of that request. */
  readonly stability: readonly number[]
  /** Tokens of each request, tools included. */
  readonly tokens: readonly number[]
  readonly compactions: number
  readonly warnings: Readonly<Record<string, number>>
}

export interface ProbeResult {
  readonly message: number
  readonly title: string
  readonly tokens: number
  readonly items: readonly ItemResult[]
  readonly names: { readonly found: number; readonly n: number }
}

/** Whether the model had an item before it when it was asked. */
export interface ItemResult {
  readonly item: Item
  /** It was settled before the part of the conversation that would fit into the budget. */
  readonly isEarly: boolean
  readonly isShown: boolean
  /** The corrected value is shown without the one that holds beside it; null for an item that was never wrong. */
  readonly isStale: boolean | null
  /** Tools of which one call finds it; what is shown counts as found. */
  readonly reachedBy: Readonly<Record<string, boolean>>
}

export interface PlayInput {
  readonly arm: Arm
  readonly dialogue: Dialogue
  /** Tokens of the window, which is the budget. */
  readonly budget: number
  readonly tokens: TokenCounter
}

/** 2026-01-01T00:00:00Z. */
const START = 1_767_225_600_000

/** Plays a dialogue through a session as a host does: a request before each of the assistant's messages. */
export async function playDialogue({ arm, dialogue, budget, tokens }: PlayInput): Promise<Played> {
  const { messages, probes, seed } = dialogue
  let now = START
  const session = createContextSession({
    engine: arm.engine,
    options: arm.options,
    contextLength: budget,
    tokens,
    clock: { now: () => now++ },
    sessionId: `dialogue-${seed}`,
  })
  const byMessage = new Map(probes.map((probe) => [probe.message, probe]))
  const results: ProbeResult[] = []
  const stability: number[] = []
  const sizes: number[] = []
  const warnings: Record<string, number> = {}
  let before: readonly Message[] | undefined
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const prepared = await session.prepare(messages.slice(0, index))
    const size = countMessages(tokens, prepared.messages) + tokens.countTools(prepared.tools)
    sizes.push(size)
    for (const { code } of prepared.warnings) warnings[code] = (warnings[code] ?? 0) + 1
    if (before !== undefined)
      stability.push(sharedPrefix(before, prepared.messages, tokens) / countMessages(tokens, before))
    before = prepared.messages
    const probe = byMessage.get(index - 1)
    if (probe !== undefined) {
      const fits = firstThatFits(messages.slice(0, index), budget, tokens)
      results.push(await measureProbe({ probe, session, arm, prompt: prepared.messages, size, fits }))
    }
    await session.observe(answer(message, size, tokens))
  }
  const { compressionCount } = session.engine
  await session.end()
  return { seed, probes: results, stability, tokens: sizes, compactions: compressionCount, warnings }
}

function answer(message: AssistantMessage, promptTokens: number, tokens: TokenCounter) {
  const completion = tokens.countMessage(message)
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completion,
    total_tokens: promptTokens + completion,
  }
  return { message, usage }
}

async function measureProbe({
  probe,
  session,
  arm,
  prompt,
  size,
  fits,
}: {
  readonly probe: Probe
  readonly session: ContextSession
  readonly arm: Arm
  readonly prompt: readonly Message[]
  readonly size: number
  readonly fits: number
}): Promise<ProbeResult> {
  const texts = promptTexts(prompt)
  const items: ItemResult[] = []
  for (const item of settledItems(probe)) {
    const isShown = holdsItem(texts, item)
    const reachedBy: Record<string, boolean> = {}
    for (const search of arm.searches)
      reachedBy[search.tool] = isShown || (await isFoundBy(search, session, item))
    const isStale = item.wrong === undefined ? null : showsStale(texts, item)
    items.push({ item, isEarly: item.settledAt < fits, isShown, isStale, reachedBy })
  }
  const { title, names } = probe.topic
  const found = countNames(texts, names)
  return { message: probe.message, title, tokens: size, items, names: { found, n: names.length } }
}

/** Index of the first message of the longest end that fits into a budget. */
function firstThatFits(messages: readonly Message[], budget: number, tokens: TokenCounter): number {
  let size = 0
  const tooFar = messages.findLastIndex((message) => {
    size += tokens.countMessage(message)
    return size > budget
  })
  return tooFar + 1
}

/** One call with the words that the question could hold; it never gets the value. */
async function isFoundBy(search: Search, session: ContextSession, item: Item): Promise<boolean> {
  const answer = await session.callTool(search.tool, search.arguments(item.subject.join(' ')))
  return holdsItem([readableText(answer)], item)
}

/** JSON hides quotes and line ends behind backslashes. */
function readableText(json: string): string {
  return json.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1')
}
