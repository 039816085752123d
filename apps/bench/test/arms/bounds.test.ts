import { checkProjection, countMessages, isInstruction, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import type { Arm } from '../../src/arms/arm.ts'
import { full, tailWithin, truncate } from '../../src/arms/bounds.ts'
import { bundled, conversations, requests, tokens } from './conversations.ts'

const size = (messages: readonly Message[]) => countMessages(tokens, messages)

async function project(arm: Arm, transcript: readonly Message[], budget = 12_000) {
  const opened = await arm.open({ sessionId: 's', budget, tokens })
  return opened.project(transcript)
}

describe('truncate', () => {
  it('shows a valid conversation with the system prompt, the last request and whole calls', async () => {
    for (const conversation of conversations)
      for (const transcript of requests(conversation)) {
        const { messages } = await project(truncate, transcript)
        expect(checkProjection(messages, transcript)).toEqual([])
        expect(messages.at(-1)).toBe(transcript.at(-1))
      }
  })

  it('is within the budget, unless the last message and its call are above it', async () => {
    for (const conversation of conversations)
      for (const transcript of requests(conversation)) {
        const least = size(tailWithin(transcript, 0, tokens))
        const { messages } = await project(truncate, transcript)
        expect(size(messages)).toBeLessThanOrEqual(Math.max(12_000, least))
        // One more call would not have fit.
        const tail = messages.filter((message) => !isInstruction(message))
        const first = tail.find(({ role }) => role !== 'user') ?? tail[0]
        const before = first === undefined ? -1 : transcript.indexOf(first) - 1
        if (before > 0 && messages.length > 3 && !messages.includes(transcript[before] as Message))
          expect(
            size(messages) + size(transcript.slice(lastCall(transcript, before), before + 1)),
          ).toBeGreaterThan(12_000)
      }
  })

  it('leaves nothing out while everything fits', async () => {
    const start = bundled.slice(0, 8)
    expect(await project(truncate, start, size(start))).toMatchObject({ messages: start, compacted: false })
    expect((await project(truncate, start, size(start) - 1)).compacted).toBe(true)
  })
})

describe('the tail within nothing', () => {
  it('is valid, and the least: without any of its messages it would not be', () => {
    for (const conversation of conversations)
      for (const transcript of requests(conversation)) {
        const messages = tailWithin(transcript, 0, tokens)
        expect(checkProjection(messages, transcript)).toEqual([])
        expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1)
        expect(messages.filter(({ role }) => role === 'assistant').length).toBeLessThanOrEqual(1)
      }
  })
})

describe('full', () => {
  it('is the transcript, whatever the budget', async () => {
    expect(await project(full, bundled, 1)).toMatchObject({ messages: bundled, compacted: false, tools: [] })
  })
})

it('keeps the last request before a turn that is longer than the budget', () => {
  const turn = bundled.filter(({ role }) => role !== 'user')
  const request: Message = { role: 'user', content: 'Do all of it.' }
  const [system, ...work] = turn
  if (system === undefined) throw new Error('a system prompt expected')
  const [first, second, ...rest] = tailWithin([system, request, ...work], 12_000, tokens)
  expect([first, second]).toEqual([system, request])
  expect(rest.length).toBeGreaterThan(2)
  expect(rest).toEqual(work.slice(-rest.length))
})

/** Where the call begins whose last message stands at a place. */
function lastCall(messages: readonly Message[], at: number): number {
  return messages[at]?.role === 'tool' ? lastCall(messages, at - 1) : at
}
