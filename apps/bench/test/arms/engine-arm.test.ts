import compressor from '@palimpsest/compressor'
import { checkProjection, countMessages, isSummary, type Message } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { describe, expect, it } from 'vitest'
import type { Arm, Projection } from '../../src/arms/arm.ts'
import { engineArm, THRESHOLD } from '../../src/arms/engines.ts'
import { generated, requests, tokens } from './conversations.ts'

const budget = 16_000
const lossy = engineArm({
  name: 'compressor',
  description: '',
  engine: compressor,
  options: { threshold: THRESHOLD },
})
const lossless = engineArm({ name: 'lcm', description: '', engine: lcm, options: { threshold: THRESHOLD } })

async function play(
  arm: Arm,
  counter = tokens,
): Promise<{ transcript: readonly Message[]; shown: Projection }[]> {
  const opened = await arm.open({ sessionId: 's', budget, tokens: counter })
  const played = []
  for (const transcript of requests(generated)) {
    const shown = await opened.project(transcript)
    const answer = generated[transcript.length]
    if (answer?.role === 'assistant') await opened.answered(answer)
    played.push({ transcript, shown })
  }
  await opened.end()
  return played
}

describe.each([lossy, lossless])('$name behind a session', (arm) => {
  const playing = play(arm)

  it('shows valid conversations within the budget', async () => {
    for (const { transcript, shown } of await playing) {
      expect(checkProjection(shown.messages, transcript)).toEqual([])
      expect(countMessages(tokens, shown.messages)).toBeLessThanOrEqual(budget)
    }
  })

  it('may use nearly all of the budget before it compacts', async () => {
    const start = generated.slice(0, 12)
    const shownWith = async (room: number) => {
      const opened = await arm.open({ sessionId: 's', budget: room, tokens })
      return opened.project(start)
    }
    const { tools } = await shownWith(budget)
    const needed = countMessages(tokens, start) + tokens.countTools(tools)
    expect((await shownWith(Math.ceil(needed * 1.01))).messages).toEqual(start)
    expect((await shownWith(Math.floor(needed * 0.95))).compacted).toBe(true)
  })

  it('says that it compacted when a summary was written, and only then', async () => {
    const played = await playing
    const summaries = played.map(({ shown }) => JSON.stringify(shown.messages.filter(isSummary)))
    for (const [index, { shown }] of played.entries())
      if (summaries[index] !== (summaries[index - 1] ?? '[]')) expect(shown.compacted).toBe(true)
    expect(played.filter(({ shown }) => !shown.compacted).length).toBeGreaterThan(played.length / 2)
  })
})

it('does not depend on which arms ran before with the same counter', async () => {
  const shared = createTokenCounter()
  await play(lossless, shared)
  expect(await play(lossy, shared)).toEqual(await play(lossy, createTokenCounter()))
})

it('gives the tools of its engine', async () => {
  const opened = await lossless.open({ sessionId: 's', budget, tokens })
  const { tools } = await opened.project(generated.slice(0, 10))
  expect(tools.map((tool) => tool.function.name)).toContain('lcm_grep')
  await opened.end()
})
