import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readForRecall } from '../../src/recall/session-reading.ts'
import { assistant, call, filler, recorded, user, words } from './conversation.ts'

const BEYOND = 10
const read = (messages: readonly Message[]) =>
  readForRecall({ session: recorded(messages), tokens: words, beyond: BEYOND })
const far = (messages: readonly Message[]): string[] =>
  read(messages).references.map(
    ({ message, role, identifier, distance }) => `${message} ${role} ${identifier} ${distance}`,
  )

describe('a far re-reference', () => {
  it('is used again with more than so many tokens between', () => {
    expect(far([user('See src/a.ts'), assistant(filler(11)), assistant('In src/a.ts now')])).toEqual([
      '2 assistant src/a.ts 11',
    ])
    expect(far([user('See src/a.ts'), assistant(filler(10)), assistant('In src/a.ts now')])).toEqual([])
  })

  it('counts no token of the two messages themselves', () => {
    const long = `src/a.ts ${filler(50)}`
    expect(far([user(long), assistant(long)])).toEqual([])
    expect(far([user(long), assistant(filler(11)), assistant(`${filler(50)} src/a.ts`)])).toEqual([
      '2 assistant src/a.ts 11',
    ])
  })

  it('is not what a tool showed in between, or what a call was about', () => {
    const between = (messages: readonly Message[]) => [
      user('See src/a.ts'),
      assistant(filler(11)),
      ...messages,
      assistant('src/a.ts'),
    ]
    expect(far(between([]))).toHaveLength(1)
    expect(far(between(call('lib/b.ts', 'import /work/src/a.ts')))).toEqual([])
    expect(
      far(between([...call('src/a.ts', 'nothing'), user('so')])).filter((each) => each.startsWith('5')),
    ).toEqual([])
  })

  it('may be passed to a tool, under any name of an argument', () => {
    const [request, result] = call('src/a.ts', 'nothing') as [Message, Message]
    expect(far([user('See src/a.ts in pathName'), assistant(filler(11)), request, result])).toEqual([
      '2 assistant src/a.ts 11',
    ])
  })

  it('is counted for users apart, and never for a tool or for what is new', () => {
    const messages = [
      user('See src/a.ts'),
      assistant(filler(11)),
      ...call('x', 'src/a.ts'),
      assistant(filler(11)),
      user('Now src/a.ts and src/new.ts'),
    ]
    expect(far(messages)).toEqual(['5 user src/a.ts 11'])
  })

  it('counts once in a message, however often it stands there', () => {
    expect(
      far([user('See src/a.ts'), assistant(filler(11)), assistant('src/a.ts src/a.ts src/a.ts')]),
    ).toHaveLength(1)
  })

  it('is the part of a longer name that was seen', () => {
    expect(far([user('AshSqlite.DataLayer'), assistant(filler(11)), assistant('AshSqlite')])).toHaveLength(1)
    expect(far([user('AshSqliteX'), assistant(filler(11)), assistant('AshSqlite')])).toEqual([])
  })
})

describe('a raw end of the transcript', () => {
  it('holds no far re-reference, and the whole transcript holds each', () => {
    const name = fc.constantFrom('src/a.ts', 'fooBar', 'lib/fooBar.ts', 'foo_bar', '/work/src/a.ts', '`jobs`')
    const text = fc
      .tuple(fc.array(name, { maxLength: 3 }), fc.nat(15))
      .map(([names, size]) => `${names.join(' ')} ${filler(size)}`)
    const turn = fc.oneof(
      text.map((content) => [user(content)]),
      text.map((content) => [assistant(content)]),
      fc.tuple(name, text).map(([argument, result]) => call(argument, result)),
    )
    let references = 0
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 25 }), (turns) => {
        const messages = turns.flat()
        const reading = read(messages)
        for (const { message, identifier } of reading.references) {
          references++
          const kept = messages.slice(0, message).filter((_, index, before) => {
            const behind = reading.sizes.slice(index, before.length).reduce((sum, size) => sum + size, 0)
            return behind <= BEYOND
          })
          expect(kept.some((each) => reading.sightings.in(each).has(identifier))).toBe(false)
          expect(messages.slice(0, message).some((each) => reading.sightings.in(each).has(identifier))).toBe(
            true,
          )
        }
      }),
      { numRuns: 300 },
    )
    expect(references).toBeGreaterThan(300)
  })
})
