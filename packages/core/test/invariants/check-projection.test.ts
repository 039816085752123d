import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProjection, checkSequence, type Message } from '../../src/index.ts'
import { brokenConversation, conversation, deepFreeze } from '../arbitraries.ts'
import { counted } from '../counted.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })

describe('a valid conversation', () => {
  it('breaks no invariant as its own projection', async () => {
    await counted(
      'invariants 2, 3 and 4 hold for a transcript itself',
      fc.property(conversation(), (messages) => {
        expect(checkSequence(deepFreeze(messages))).toEqual([])
        expect(checkProjection(messages, messages)).toEqual([])
      }),
      500,
    )
  })
})

describe('a broken conversation', () => {
  it('is judged, never thrown at, and faults come in order', async () => {
    await counted(
      'the validator takes any list',
      fc.property(brokenConversation(), brokenConversation(), (projection, transcript) => {
        const violations = checkProjection(projection, transcript)
        const indices = checkSequence(projection).map(({ index }) => index)
        expect(indices).toEqual(indices.toSorted((a, b) => a - b))
        for (const { index, message } of violations) {
          expect(index).toBeGreaterThanOrEqual(0)
          expect(message).not.toBe('')
        }
      }),
      500,
    )
  })
})

describe('turns in a row', () => {
  const transcript = [user('a'), user('b'), assistant('c'), user('d')]

  it('may stay as the transcript, or the projection before, had them', () => {
    expect(checkProjection(transcript, transcript)).toEqual([])
    const before = [user('summary'), user('d')]
    expect(checkProjection(before, transcript)).toHaveLength(1)
    expect(checkProjection(before, transcript, { before })).toEqual([])
  })
})

describe('calls that are still running', () => {
  const owner = {
    role: 'assistant',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
  } as Message

  it('may have no results yet at the end, if the caller says so', () => {
    expect(checkSequence([user('x'), owner]).map(({ code }) => code)).toEqual(['MISSING_RESULT'])
    expect(checkSequence([user('x'), owner], { inFlight: true })).toEqual([])
    expect(checkSequence([owner, user('x')], { inFlight: true })).toHaveLength(1)
  })
})

describe('a note behind the system prompt', () => {
  const transcript: Message[] = [{ role: 'system', content: 'Be exact.' }, user('a')]
  const withNote = (note: string): Message[] => [{ role: 'system', content: `Be exact.${note}` }, user('a')]

  it.each(['\n\n[Earlier turns were summarised.]', '\n---\n', ' A. B. C.', '\n\n========\n'])(
    'may be %j',
    (note) => {
      expect(checkProjection(withNote(note), transcript)).toEqual([])
    },
  )
})

describe('a user who says the same twice', () => {
  const transcript = [user('go on'), assistant('a'), user('stop'), assistant('b'), user('go on')]

  it('is heard the second time too', () => {
    expect(checkProjection(transcript.slice(2), transcript)).toEqual([])
    const dropped = transcript.slice(0, 4)
    expect(checkProjection(dropped, transcript).map(({ code }) => code)).toEqual(['LAST_USER_CHANGED'])
  })
})
