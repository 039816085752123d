import { countMessages, type TokenCounter } from '@palimpsest/core'
import type { Arm } from '../arms/arm.ts'
import type { Dialogue } from './dialogue.ts'
import { measureProbe } from './measure-probe.ts'
import type { Played, ProbeResult } from './played.ts'

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
  const input = { opened, searches: arm.searches, tokens, dialogue }
  const byMessage = new Map(probes.map((probe) => [probe.message, probe]))
  const results: ProbeResult[] = []
  const sizes: number[] = []
  const warnings: Record<string, number> = {}
  let compactions = 0
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue
    const projection = await opened.project(messages.slice(0, index))
    const size = countMessages(tokens, projection.messages)
    sizes.push(size)
    if (projection.compacted) compactions++
    for (const code of projection.warnings) warnings[code] = (warnings[code] ?? 0) + 1
    const probe = byMessage.get(index - 1)
    if (probe !== undefined) results.push(await measureProbe(probe, { ...input, projection, size }))
    await opened.answered(message)
  }
  await opened.end()
  return { probes: results, tokens: sizes, compactions, warnings }
}
