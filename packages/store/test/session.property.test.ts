import {
  compactedResult,
  createContextSession,
  defineContextEngine,
  isInstruction,
  type Message,
  placeSummary,
  roughTokenCounter,
  type Store,
  type StoredSession,
} from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSqliteStore } from '../src/index.ts'

/** Summarises all but the last two messages when it is told to. */
const summarising = defineContextEngine({
  name: 'summarising',
  apiVersion: 1,
  description: 'Summarises all but the last two messages',
  create: () => ({
    shouldCompress: () => false,
    async compress({ messages }) {
      const head = isInstruction(messages[0]) ? messages.slice(0, 1) : []
      const tail = messages.slice(Math.max(head.length, messages.length - 2))
      const after = placeSummary({ head, summary: 'x', tail })
      return compactedResult({ before: messages, after, tokens: roughTokenCounter, reason: 'summarised' })
    },
  }),
})

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('say' as const), turns: fc.integer({ min: 1, max: 4 }) }),
  },
  fc.record({ kind: fc.constant('edit' as const), back: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    kind: fc.constantFrom('compact' as const, 'undo' as const, 'restart' as const, 'prompt' as const),
  }),
  fc.record({ kind: fc.constantFrom('reset' as const, 'goOnFromRequest' as const) }),
  fc.record({ kind: fc.constant('trouble' as const), calls: fc.integer({ min: 1, max: 4 }) }),
)

/** The same store, whose writes fail for so many calls of `append` and `saveState`. */
function failing(store: Store) {
  const state = { left: 0 }
  const broken: Store = {
    ...store,
    async session(ref, at) {
      const session = await store.session(ref, at)
      const fail = () => {
        if (state.left-- > 0) throw new Error('disk full')
      }
      const own: Partial<StoredSession> = {
        append: async (input) => {
          fail()
          return session.append(input)
        },
        saveState: async (name, value) => {
          fail()
          return session.saveState(name, value)
        },
      }
      return new Proxy(session, {
        get(target, name) {
          const member: unknown = Reflect.get(own, name) ?? Reflect.get(target, name)
          return typeof member === 'function' ? member.bind(target) : member
        },
      })
    },
  }
  return { state, broken }
}

it('has in its store what the host says, whatever the host and the store do', async () => {
  let steps = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (course) => {
      const own = createSqliteStore({ path: ':memory:' })
      const { state, broken } = failing(own)
      const open = () =>
        createContextSession({ engine: summarising, contextLength: 1e6, sessionId: 's', store: broken })
      let session = open()
      let said = 0
      let list: Message[] = [{ role: 'system', content: 'prompt' }]
      const say = (turns: number) => {
        for (let turn = 0; turn < turns; turn++)
          list.push(
            { role: 'user', content: `question ${said++} `.repeat(20) },
            { role: 'assistant', content: `answer ${said++}` },
          )
      }
      for (const one of course) {
        steps++
        if (one.kind === 'say') say(one.turns)
        else if (one.kind === 'edit') list.splice(Math.max(1, list.length - one.back))
        else if (one.kind === 'compact') await session.compact()
        else if (one.kind === 'undo') await session.undoCompaction()
        else if (one.kind === 'prompt') list[0] = { role: 'system', content: `prompt ${said++}` }
        else if (one.kind === 'trouble') state.left = one.calls
        else if (one.kind === 'reset') {
          await session.reset()
          list = list.slice(0, 1)
        } else if (one.kind === 'restart') {
          state.left = 0
          await session.prepare(list)
          session = open()
        }
        if (one.kind === 'goOnFromRequest') {
          const { messages } = await session.prepare(list)
          const more: Message[] = [{ role: 'user', content: `more ${said++}` }]
          await session.prepare([...messages, ...more])
          list.push(...more)
        } else await session.prepare(list)
        expect(session.transcript).toEqual(list)
      }
      state.left = 0
      await session.prepare(list)
      const stored = await (await own.session({ key: 's' }, 0)).messages()
      const rest = stored.map(({ message }) => message).filter((message) => message?.role !== 'system')
      expect(rest).toEqual(list.slice(1))
      expect(await own.verify()).toEqual([])
      await own.close()
    }),
    { numRuns: 60 },
  )
  console.log(`${steps} steps of a host, a store and a process: nothing lost, nothing twice`)
})
