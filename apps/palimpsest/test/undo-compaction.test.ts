import compressor from '@palimpsest/compressor'
import {
  type CompletionModel,
  type ContextSession,
  checkProjection,
  createContextSession,
  type EngineDefinition,
  isSummary,
  type Message,
  messageText,
} from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it, onTestFinished } from 'vitest'

const system: Message = { role: 'system', content: 'You are a careful engineer.' }
const fact = (turn: number) => `FACT-${turn}`
const turn = (number: number): Message[] => [
  { role: 'user', content: `Question ${number}: ${`what does module ${number} do? `.repeat(40)}` },
  { role: 'assistant', content: `${fact(number)} ${`module ${number} parses its input. `.repeat(60)}` },
]
const turns = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => turn(from + index)).flat()
const ask = (history: readonly Message[]): Message[] => [
  system,
  ...history,
  { role: 'user', content: 'And what now?' },
]

const store = createSqliteStore({ path: ':memory:' })
const model: CompletionModel = {
  name: 'double:summariser',
  complete: async () => ({
    text: '## Goal\nThe modules are read one after the other.\n\n## Done\nEach of them parses its input.',
    finishReason: 'stop',
  }),
}
const ENGINES: [string, EngineDefinition<never>, object][] = [
  ['compressor', compressor as EngineDefinition<never>, {}],
  ['lcm', lcm as EngineDefinition<never>, {}],
  ['decisions', decisions as EngineDefinition<never>, {}],
  ['decisions over compressor', decisions as EngineDefinition<never>, { compaction: { engine: compressor } }],
  ['decisions over lcm', decisions as EngineDefinition<never>, { compaction: { engine: lcm } }],
]

describe.each(ENGINES)('%s', (name, engine, options) => {
  const open = (sessionId: string): ContextSession => {
    const session = createContextSession({
      engine,
      store,
      options: options as never,
      contextLength: 64_000,
      model,
      sessionId,
    })
    onTestFinished(() => session.end())
    return session
  }
  /** The projection of a request, without what an engine places for that request only. */
  const look = async (session: ContextSession, history: readonly Message[]) => {
    const prepared = await session.prepare(ask(history))
    expect(checkProjection(prepared.messages, session.transcript)).toEqual([])
    expect(session.transcript).toEqual(ask(history))
    // The model of this test reads no decisions.
    expect(prepared.warnings.filter(({ code }) => code !== 'candidates-refused')).toEqual([])
    return prepared
  }

  it('compacts, undoes, goes on, compacts again, and loses nothing', async () => {
    const session = open(`${name}, once`)
    const history = turns(0, 30)
    await look(session, history)
    expect((await session.compact()).outcome).toBe('compacted')
    const left = session.lastCompaction?.left ?? []
    expect(left.length).toBeGreaterThan(10)
    const compacted = await look(session, history)
    for (const { index } of left)
      expect(compacted.origins).not.toContainEqual({ from: 'transcript', index, whole: true })

    expect(await session.undoCompaction()).toEqual({ left })
    const back = await look(session, history)
    expect(back.compactions).toEqual([])
    expect(back.messages.filter(isSummary)).toEqual([])
    for (const { index } of left)
      expect(back.origins).toContainEqual({ from: 'transcript', index, whole: true })
    expect(await session.undoCompaction()).toBeUndefined()

    const longer = turns(0, 32)
    const later = await look(session, longer)
    for (let number = 0; number < 32; number++) expect(JSON.stringify(later.messages)).toContain(fact(number))

    expect((await session.compact()).outcome).toBe('compacted')
    const again = await look(session, longer)
    expect(again.messages.filter(isSummary)).toHaveLength(1)
    expect(again.messages.map(messageText).join()).toContain(fact(31))
    const covered = again.origins.flatMap((origin) => (origin.from === 'summary' ? origin.of : []))
    const shown = again.origins.flatMap((origin) => (origin.from === 'transcript' ? [origin.index] : []))
    for (let index = 0; index < longer.length + 2; index++) {
      const isTold =
        shown.includes(index) || covered.some(({ first, last }) => first <= index && index <= last)
      expect([index, isTold]).toEqual([index, true])
    }

    await session.undoCompaction()
    expect((await look(session, longer)).messages.filter(isSummary)).toEqual([])
    expect(await store.verify()).toEqual([])
  })
})
