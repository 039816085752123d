import { createContextSession, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import lcm from '../../src/index.ts'
import { useFolders } from '../store-folder.ts'
import { calls, result, scripted, system, tokens, user } from './harness.ts'

const { open, path } = useFolders()

const TURNS = 450
const FILLER = `${'word '.repeat(4_000)}\n`
/** More than eight million characters, of which the last four hundred turns take eight. */
const history: readonly Message[] = [
  system(),
  ...Array.from({ length: TURNS }, (_, turn): Message[] => [
    user(`Now look at asked${turn}.ts`),
    calls(`in${turn}`),
    result(`in${turn}`, `${FILLER}found${turn}.ts`),
  ]).flat(),
  user('Go on.'),
]

describe('a history of many windows that comes at once', () => {
  it('is stored and covered whole; a model reads the end of it, and the user speaks for the rest', async () => {
    const store = open(path())
    const model = scripted('## Goal\nThe user wanted files looked at.')
    const session = createContextSession({
      ...{ engine: lcm, store, model, contextLength: 200_000, tokens, sessionId: 'long' },
    })
    const { compactions, warnings } = await session.prepare(history)
    expect(warnings).toEqual([])
    expect(compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    const asked = model.calls.map(({ prompt }) => prompt).join('\n')
    expect(asked).toContain('found440.ts')
    expect(asked).not.toContain('found0.ts')

    const stored = await store.find({ key: 'long' })
    if (stored === null) throw new Error('there is no session')
    expect((await stored.messages()).map(({ message }) => message)).toEqual(history)
    const [first] = await stored.summaries([1])
    expect(first).toMatchObject({ first: 1, writer: 'extractive' })
    expect(first?.text).toContain('m1: Now look at asked0.ts')
    expect(first?.text).not.toContain('found0.ts')

    const found = await session.callTool('lcm_grep', { query: 'found0.ts' })
    expect(found).toContain('"m3"')
    await session.end()
    expect(await store.verify()).toEqual([])
  })
})
