import { expect, it } from 'vitest'
import { take } from '../../src/memory/memory-session.ts'
import { messageCandidates } from '../../src/memory/read-candidates.ts'
import { createSessionState } from '../../src/memory/session-state.ts'
import { newSession } from '../../src/store-kit/plan-write.ts'

it('reads no more messages than a search needs, from the end that it asks for', () => {
  const session = newSession({ principal: 'local', key: 'a', createdAt: 0 })
  const state = createSessionState({ ...session, nextSeq: 1_000 })
  const read: number[] = []
  for (let seq = 0; seq < 1_000; seq++)
    state.messages.push({
      ...{ seq, role: 'user', at: 0, tokens: 1, hash: '', json: '' },
      get text() {
        read.push(seq)
        return seq % 2 === 0 ? 'a fox' : 'nothing'
      },
    })
  const where = [[{ kind: 'word', text: 'fox' } as const]]
  const found = take(messageCandidates(state, { where, order: 'newest', limit: 3 }), 3)
  expect(found.map(({ seq }) => seq)).toEqual([998, 996, 994])
  expect(Math.min(...read)).toBe(994)
  expect(take(messageCandidates(state, { where: [], order: 'newest', limit: 0 }), 0)).toEqual([])
})
