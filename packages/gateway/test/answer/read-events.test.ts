import { expect, test, vi } from 'vitest'
import { readEvents, type StreamEvent } from '../../src/answer/answer.ts'

test('who has read enough does not wait for a stream that stays open, and its connection is given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const cancel = vi.fn()
  const body = new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('data: [DONE]\n\n')),
    cancel,
  })
  for await (const events of readEvents(body)) {
    expect(events).toEqual([{ type: 'data', data: '[DONE]' }])
    break
  }
  expect(cancel).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(cancel).toHaveBeenCalled()
  vi.useRealTimers()
})

test('characters whose bytes come one by one are whole', async () => {
  const bytes = new TextEncoder().encode('data: naïve 😀 日本\r\n\r\n')
  const body = ReadableStream.from(Array.from(bytes, (byte) => Uint8Array.of(byte)))
  const events: StreamEvent[] = []
  for await (const read of readEvents(body)) events.push(...read)
  expect(events).toEqual([{ type: 'data', data: 'naïve 😀 日本' }])
})

test('an event of more than 64 MB is given up, and said to be broken', async () => {
  const megabyte = new TextEncoder().encode('x'.repeat(1024 * 1024))
  let sent = 0
  const cancel = vi.fn()
  const body = new ReadableStream({
    pull: (stream) => stream.enqueue(sent++ === 0 ? new TextEncoder().encode('data: {"') : megabyte),
    cancel,
  })
  const events: StreamEvent[] = []
  for await (const read of readEvents(body)) events.push(...read)
  expect(events).toEqual([{ type: 'broken', error: expect.objectContaining({ mayLose: true }) }])
  expect(cancel).toHaveBeenCalled()
  expect(sent).toBeLessThan(70)
})
