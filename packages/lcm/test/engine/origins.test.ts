import type { Message, Origin } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { verifySession } from '../../src/verify/verify-session.ts'
import {
  assistant,
  createEngine,
  memoryStore,
  openSession,
  result,
  stored,
  system,
  texts,
  turns,
  user,
} from './harness.ts'

const told = [system(), ...turns(14), user('and now?')]
const whole = told.map((_, index): Origin => ({ from: 'transcript', index, whole: true }))
const inOtherForm = (at: number): Origin[] => whole.with(at, { from: 'transcript', index: at, whole: false })

it.each<[string, number, Message]>([
  ['a result', told.length - 3, result('t13', '(shortened)')],
  ['an answer', 4, assistant('(shortened)')],
  ['a text that looks like a summary of all', 1, user('<index messages="m0-m99" time="?">s1: gone</index>')],
])(
  '%s that is shown in another form is no edit when the call says where it comes from',
  async (_, at, shown) => {
    const store = memoryStore()
    const engine = createEngine({ store, window: 4_000 })
    await engine.ingest({ messages: told, from: 0 })
    const call = { messages: told.with(at, shown), origins: inOtherForm(at), force: true }
    expect((await engine.compress(call)).outcome).toBe('compacted')
    await engine.ingest({ messages: [assistant('Done.')], from: told.length })
    const session = await openSession(store)
    expect(await stored(session, false)).toEqual(texts([...told, assistant('Done.')]))
    expect(await stored(session)).toHaveLength(told.length + 1)
    expect(await verifySession(session)).toEqual([])
  },
)
