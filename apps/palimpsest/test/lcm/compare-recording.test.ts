import type { Message } from '@palimpsest/core'
import { createMemoryStore, encodeMessage } from '@palimpsest/lcm'
import { expect, it } from 'vitest'
import { compareRecording } from '../../src/lcm/compare-recording.ts'

it('reads a message once, however long it is', async () => {
  const messages: Message[] = [
    { role: 'user', content: 'Read the log.' },
    { role: 'assistant', content: 'ä line of it\n'.repeat(100_000) },
  ]
  const session = await createMemoryStore().session({ key: 'log' }, 0)
  const stored = messages.map((message) => ({ ...encodeMessage(message, 1), at: 0 }))
  await session.append({ nextSeq: 0, messages: stored, at: 0 })
  let reads = 0
  const counted: typeof session = {
    ...session,
    messages(query) {
      reads++
      return session.messages(query)
    },
  }
  const entries = messages.map((message, index) => ({ message, line: index + 1 }))
  expect(await compareRecording(counted, entries, () => {})).toMatchObject({ equal: 2, different: [] })
  expect(reads).toBe(2)
})
