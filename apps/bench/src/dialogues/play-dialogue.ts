import type { Message, TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import type { Dialogue } from './dialogue.ts'
import { measureNeedles } from './measure-needles.ts'
import { measureProbe } from './measure-probe.ts'
import type { NeedleResult, Played, ProbeResult } from './played.ts'
import { type CountedRequest, sharedPrefix } from './shared-prefix.ts'

export interface PlayInput {
  readonly arm: Arm
  readonly dialogue: Dialogue
  /** Tokens that the messages of a prompt may take. */
  readonly budget: number
  readonly tokens: TokenCounter
}

/** Plays a dialogue with an arm as a host does: a request before each of the assistant's messages. */
export async function playDialogue({ arm, dialogue, budget, tokens }: PlayInput): Promise<Played> {
  const { messages, probes, seed } = dialogue
  const opened = await arm.open({ sessionId: `dialogue-${seed}`, budget, tokens })
  const search = { opened, searches: arm.searches, tokens }
  const byMessage = new Map(probes.map((probe) => [probe.message, probe]))
  const results: ProbeResult[] = []
  const needles: NeedleResult[] = []
  const stability: number[] = []
  const requestSizes: number[] = []
  const warnings: Record<string, number> = {}
  let compactions = 0
  let before: CountedRequest | undefined
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const transcript = messages.slice(0, index)
    const projection = await opened.project(transcript)
    // Engines hand out new objects for each request, so that a message is counted here once and not again below.
    const counted = {
      messages: projection.messages,
      sizes: projection.messages.map((each) => tokens.countMessage(each)),
    }
    if (before !== undefined)
      stability.push(sharedPrefix(before, counted, tokens) / (requestSizes.at(-1) ?? 1))
    before = counted
    requestSizes.push(counted.sizes.reduce((sum, each) => sum + each, 0))
    if (projection.compacted) compactions++
    for (const code of projection.warnings) warnings[code] = (warnings[code] ?? 0) + 1
    const probe = byMessage.get(index - 1)
    if (probe !== undefined) {
      const fits = firstThatFits(transcript, budget, tokens)
      results.push(await measureProbe(probe, { ...search, dialogue, projection, sizes: counted.sizes, fits }))
      if (probe === probes.at(-1))
        needles.push(...(await measureNeedles(dialogue.needles, projection.messages, search)))
    }
    await opened.answered(message)
  }
  await opened.end()
  return { seed, probes: results, needles, stability, tokens: requestSizes, compactions, warnings }
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
