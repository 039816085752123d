import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import { tailWithin } from '../arms/bounds.ts'
import { usedBehind } from './after-compaction.ts'
import { isShown } from './locate.ts'
import type { NativeRow, NativeShare } from './recall-report.ts'
import type { SessionReading } from './session-reading.ts'

/** An arm's budget for each token of the host's summaries: a projection is about half of its budget on average. */
const BUDGET_PER_TOKEN = 2

interface Summary {
  /** Index of the message before which the host compacted. */
  readonly message: number
  readonly text: string
  readonly tokens: number
  readonly used: readonly string[]
}

export interface NativeInput {
  readonly reading: SessionReading
  /** Bounds among them are left out. */
  readonly arms: readonly Arm[]
  readonly tokens: TokenCounter
}

/**
 * Measures the summaries that a recorded host wrote, and beside them what each arm shows at the same places when its budget is
 * twice the mean size of the summaries. Sizes still differ, so each has the end of the transcript of its own size beside it.
 */
export async function measureNativeCompactions({ reading, arms, tokens }: NativeInput): Promise<NativeRow[]> {
  const summaries = summariesOf(reading, tokens)
  if (summaries.length === 0) return []
  const mean = summaries.reduce((sum, summary) => sum + summary.tokens, 0) / summaries.length
  const shares = summaries.map((summary) => [nativeShare(summary, reading, tokens)])
  for (const arm of arms.filter(({ kind }) => kind !== 'bound')) {
    const budget = Math.round(mean * BUDGET_PER_TOKEN)
    const projections = await projectionsAt({ arm, reading, budget, tokens }, summaries)
    for (const [index, summary] of summaries.entries())
      shares[index]?.push(armShare(summary, { arm, shown: projections[index] ?? [], reading, tokens }))
  }
  return summaries.map(({ message, used, tokens }, index) => ({
    session: reading.session.name,
    message,
    tokens,
    n: used.length,
    shares: shares[index] ?? [],
  }))
}

/** Those that were recorded with their text, and behind which something of before is used. */
function summariesOf(reading: SessionReading, tokens: TokenCounter): Summary[] {
  return reading.session.nativeCompactions.flatMap(({ beforeEntry: message, summary: text }) => {
    const used = usedBehind(reading, message)
    return text === undefined || used.length === 0
      ? []
      : [{ message, text, tokens: tokens.countText(text), used }]
  })
}

function nativeShare(
  { text, tokens: size, used, message }: Summary,
  reading: SessionReading,
  tokens: TokenCounter,
): NativeShare {
  const shown = reading.sightings.inText(text)
  const share = used.filter((identifier) => shown.has(identifier)).length / used.length
  return { arm: 'native', tokens: size, share, tail: tailShare({ used, message }, size, { reading, tokens }) }
}

interface ShownInput {
  readonly arm: Arm
  readonly shown: readonly Message[]
  readonly reading: SessionReading
  readonly tokens: TokenCounter
}

function armShare(summary: Summary, { arm, shown, reading, tokens }: ShownInput): NativeShare {
  const size = countMessages(tokens, shown)
  const share = shareIn(summary.used, shown, reading)
  return { arm: arm.name, tokens: size, share, tail: tailShare(summary, size, { reading, tokens }) }
}

function tailShare(
  { used, message }: Pick<Summary, 'used' | 'message'>,
  size: number,
  { reading, tokens }: Pick<ShownInput, 'reading' | 'tokens'>,
): number {
  return shareIn(used, tailWithin(reading.session.messages.slice(0, message), size, tokens), reading)
}

function shareIn(
  used: readonly string[],
  messages: readonly Message[],
  { sightings }: SessionReading,
): number {
  return used.filter((identifier) => isShown(identifier, messages, sightings)).length / used.length
}

interface ProjectionsInput {
  readonly arm: Arm
  readonly reading: SessionReading
  readonly budget: number
  readonly tokens: TokenCounter
}

/** The last projection that was made up to each place. */
async function projectionsAt(
  { arm, reading, budget, tokens }: ProjectionsInput,
  places: readonly { readonly message: number }[],
): Promise<(readonly Message[])[]> {
  const { name, messages } = reading.session
  const opened = await arm.open({ sessionId: `native-${name}`, budget, tokens })
  const projections: (readonly Message[])[] = places.map(() => [])
  const last = Math.max(...places.map(({ message }) => message))
  for (const [index, message] of messages.slice(0, last + 1).entries()) {
    if (message.role !== 'assistant') continue
    const projection = await opened.project(messages.slice(0, index))
    for (const [place, { message: at }] of places.entries())
      if (index <= at) projections[place] = projection.messages
    await opened.answered(message)
  }
  await opened.end()
  return projections
}
