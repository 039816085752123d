import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkSequence, checkSequenceSliced } from '../../src/laws/check-sequence.ts'
import { freezeMessage } from '../../src/messages/copy-message.ts'
import { atOnce } from '../../src/session/pause.ts'
import type { Message } from '../../src/spec/v1/message.ts'

const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'read', arguments: '{}' } })
const results: readonly Message[] = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: id }))
const said: readonly Message[] = [
  { role: 'system', content: 'Be exact.' },
  { role: 'user', content: 'Hello.' },
  { role: 'assistant', content: 'Hello.' },
  { role: 'assistant', content: null, tool_calls: [call('a')] },
  { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
  ...results,
  { role: 'user', content: 7 } as never,
]
/** Mostly whole transactions, so that long sound beginnings are among the lists. */
const pieces: readonly (readonly Message[])[] = [
  ...said.map((message) => [message]),
  ...[said[1], said[2]].map((message) => [message as Message]),
  [said[3], results[0]] as Message[],
  [said[4], ...results] as Message[],
]
const frozen = (messages: readonly Message[]): readonly Message[] =>
  Object.freeze(messages.map((message) => freezeMessage(structuredClone(message))))

it('finds the same in a list, whatever beginning of it was checked before', () => {
  const some = fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((chosen) => chosen.flat())
  const counts = { sound: 0, broken: 0 }
  fc.assert(
    fc.property(some, some, fc.boolean(), (before, behind, isOther) => {
      const list = frozen(isOther ? behind : [...before, ...behind])
      const beginning = isOther ? frozen(before) : Object.freeze(list.slice(0, before.length))
      checkSequence(beginning)
      const found = atOnce(checkSequenceSliced(list, {}, beginning))
      expect(found).toEqual(checkSequence(frozen(list)))
      expect(checkSequence(list)).toEqual(found)
      counts[found.length === 0 ? 'sound' : 'broken']++
    }),
    { numRuns: 1_000 },
  )
  expect(Math.min(counts.sound, counts.broken)).toBeGreaterThan(50)
})
