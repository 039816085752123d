import { checkSequence, messageText } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { inBatches, inTurns, lcmWorkload } from '../../src/lcm/workload.ts'
import { COMMON_WORD, holdsNeedle, RARE_CJK, RARE_CJK_HITS } from '../../src/workload/conversation.ts'

const SIZE = 3_000
const messages = [...lcmWorkload(1, SIZE).messages]
const texts = messages.map(messageText)

describe('lcmWorkload', () => {
  it('is a valid conversation, the same for the same seed', () => {
    expect(checkSequence(messages)).toEqual([])
    expect([...lcmWorkload(1, SIZE).messages]).toEqual(messages)
    expect([...lcmWorkload(2, 300).messages]).not.toEqual(messages.slice(0, 300))
  })

  it('is made while it is read', () => {
    const [first] = lcmWorkload(1, Number.MAX_SAFE_INTEGER).messages
    expect(first?.role).toBe('system')
  })

  it('holds every fact once, the common word in two of five messages, and the rare one where it is looked for', () => {
    const { needles } = lcmWorkload(1, SIZE)
    expect(needles).toHaveLength(200)
    const holding = texts.filter(holdsNeedle)
    for (const { sentence } of needles)
      expect(holding.filter((text) => text.includes(sentence))).toHaveLength(1)
    const common = texts.filter((text) => text.includes(COMMON_WORD)).length / texts.length
    expect(common).toBeGreaterThan(0.35)
    expect(common).toBeLessThan(0.45)
    expect(texts.filter((text) => text.includes(RARE_CJK))).toHaveLength(RARE_CJK_HITS)
  })
})

describe('inTurns and inBatches', () => {
  it('cut the conversation without losing or moving a message', () => {
    const turns = [...inTurns(messages)]
    expect(turns.flat()).toEqual(messages)
    for (const turn of turns) expect(turn.filter(({ role }) => role === 'user')).toHaveLength(1)
    const batches = [...inBatches(messages, 256)]
    expect(batches.flat()).toEqual(messages)
    expect(new Set(batches.slice(0, -1).map(({ length }) => length))).toEqual(new Set([256]))
  })
})
