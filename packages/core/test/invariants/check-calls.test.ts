import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessage, checkProjection, type Message, toolCallsOf } from '../../src/index.ts'
import { brokenConversation, conversation } from '../arbitraries.ts'
import { counted } from '../counted.ts'
import { calling, result, user } from '../session/talk.ts'

const results = (...ids: string[]) => ids.map((id) => result(id))

const CALL_CODES = ['UNKNOWN_CALL_ID', 'SPLIT_TRANSACTION']

/** The calls at fault, as `checkProjection` sees them. */
const found = (projection: readonly Message[], transcript: readonly Message[]) =>
  checkProjection(projection, transcript)
    .filter(({ code }) => CALL_CODES.includes(code))
    .map(({ code, index }) => [code, index])

/** The same as the invariant says it, with a look at the whole transcript for each call. */
const expected = (projection: readonly Message[], transcript: readonly Message[]) =>
  projection.flatMap((message, index) => {
    const mine = toolCallsOf(message).map(({ id }) => id)
    return mine.flatMap((id) => {
      const owners = transcript.filter((other) => toolCallsOf(other).some((call) => call.id === id))
      const [owner] = owners
      if (owner === undefined) return [['UNKNOWN_CALL_ID', index]]
      const isWhole = owners.length === 1 && checkMessage(owner).length === 0
      const group = isWhole ? toolCallsOf(owner).map((call) => call.id) : [id]
      return group.every((other) => mine.includes(other)) ? [] : [['SPLIT_TRANSACTION', index]]
    })
  })

/** The messages of a conversation that a bit of the seed keeps, each assistant message with some of its calls. */
function thinned(messages: readonly Message[], seed: readonly boolean[]): Message[] {
  let at = 0
  const keeps = () => seed[at++ % seed.length] ?? true
  return messages.flatMap((message) => {
    if (!keeps()) return []
    if (message?.role !== 'assistant' || !Array.isArray(message.tool_calls) || keeps()) return [message]
    return [{ ...message, tool_calls: message.tool_calls.filter(keeps) }]
  })
}

const seeds = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 })

describe('the calls of a projection', () => {
  it('are judged as the whole transcript says, wherever they stand in it', async () => {
    await counted(
      'invariant 2 for calls, against a judge that reads everything',
      fc.property(
        fc.oneof(conversation({ maxTurns: 4 }), brokenConversation()),
        fc.oneof(conversation({ maxTurns: 1 }), brokenConversation()),
        seeds,
        (transcript, others, seed) => {
          const list = [...transcript, ...others]
          const projection = thinned(list, seed)
          // What is no message at all is judged before the calls are.
          fc.pre(
            projection.every(
              (message) => !checkMessage(message).some(({ code }) => code === 'NOT_A_MESSAGE'),
            ),
          )
          expect(found(projection, list)).toEqual(expected(projection, list))
          expect(found(projection, transcript)).toEqual(expected(projection, transcript))
        },
      ),
      400,
    )
  })

  it('may be some of those that share an id with other calls, however far apart', () => {
    const again = [
      calling('a', 'b'),
      ...results('a', 'b'),
      user('x'),
      calling('a', 'c'),
      ...results('a', 'c'),
    ]
    const shown = [calling('a'), ...results('a')]
    expect(found(shown, again)).toEqual([])
    expect(found(shown, again.slice(0, 3))).toEqual([['SPLIT_TRANSACTION', 0]])
    expect(found([calling('b'), ...results('b')], again)).toEqual([['SPLIT_TRANSACTION', 0]])
  })
})
