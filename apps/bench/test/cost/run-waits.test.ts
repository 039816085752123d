import compressor from '@palimpsest/compressor'
import { createTokenCounter } from '@palimpsest/tokens'
import { expect, it } from 'vitest'
import { runWaits } from '../../src/cost/run-waits.ts'
import { generateConversation } from '../../src/workload/conversation.ts'

it('requests wait for compactions at the threshold, and do not while the session is idle', async () => {
  const messages = generateConversation({ seed: 3, messages: 400 })
  const entries = messages.map((message, line) => ({ message, line }))
  const session = { name: 'generated', messages, entries }
  const progress = () => {}
  const tokens = createTokenCounter()
  const only = { engines: [compressor], windows: [64_000] }
  const rows = await runWaits({ sessions: [session], skipped: [], tokens, progress, ...only })
  const [waiting, idle] = rows
  expect(rows.map(({ compactAt }) => compactAt)).toEqual(['threshold', 'idle'])
  expect(waiting?.compactions).toBeGreaterThan(0)
  expect(waiting?.waitedFor).toBe(waiting?.compactions)
  expect(waiting?.longest).toBeGreaterThan(5)
  expect(idle?.compactions).toBeGreaterThan(0)
  expect(idle?.waitedFor).toBe(0)
})
