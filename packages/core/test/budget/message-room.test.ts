import { describe, expect, it } from 'vitest'
import { countMessages, type Message, messageRoom, roughTokenCounter as tokens } from '../../src/index.ts'

const messages: Message[] = [{ role: 'user', content: 'word '.repeat(1_000) }]
const counted = countMessages(tokens, messages)

describe('messageRoom', () => {
  it('is the threshold when the host knows of nothing else', () => {
    expect(messageRoom({ thresholdTokens: 5_000, messages, tokens })).toBe(5_000)
  })

  it('leaves room for what the prompt holds beside the messages', () => {
    const currentTokens = counted + 700
    expect(messageRoom({ thresholdTokens: 5_000, messages, tokens, currentTokens })).toBe(4_300)
  })

  it('is never above what was asked for, and never squeezed to nothing', () => {
    expect(messageRoom({ thresholdTokens: 5_000, messages, tokens, targetTokens: 900 })).toBe(900)
    const currentTokens = counted + 50_000
    expect(messageRoom({ thresholdTokens: 5_000, messages, tokens, currentTokens })).toBe(500)
  })

  it('counts in the tokens of the counter when a provider counts more', () => {
    const calibrated = { ...tokens, calibration: { observe() {}, apply: (count: number) => count * 2 } }
    expect(messageRoom({ thresholdTokens: 5_000, messages, tokens: calibrated })).toBe(2_500)
  })
})
