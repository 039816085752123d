import { vi } from 'vitest'
import { type AnthropicRequest, type MockAnthropic, startMockAnthropic } from './mock-anthropic.ts'

export const MINUTE = 60_000
/** People who come back after six to eight minutes, again and again. */
export const PAUSES = Array.from({ length: 10 }, () => ({
  requests: 20,
  longPauses: [6, 7, 8, 6, 7].map((minutes) => minutes * MINUTE),
  changes: 0,
}))

/** An upstream with a cache: each request reads what the one before has written, and writes the rest. */
export async function startCachingAnthropic(): Promise<MockAnthropic> {
  const cached = (index: number) => {
    const { promptTokens: all = 0 } = upstream.requests[index] ?? {}
    const read = Math.min(all, upstream.requests[index - 1]?.promptTokens ?? 0)
    return { read, write5m: all - read }
  }
  const upstream = await startMockAnthropic({ answer: () => ({ text: 'Understood.' }), cached })
  return upstream
}

export const isPing = ({ body }: AnthropicRequest) => body.max_tokens === 0

/** Lets time pass, and what is sent meanwhile be answered. For faked timers. */
export async function pass(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= MINUTE / 2) {
    await vi.advanceTimersByTimeAsync(Math.min(left, MINUTE / 2))
    await new Promise((resolve) => setImmediate(resolve))
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
}
