import type { Message, Store } from '@palimpsest/core'
import { StoreError } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { blockTokens, renderSummaries } from '../../src/engine/render-summaries.ts'
import { rewriteForgotten } from '../../src/index.ts'
import { useFolders } from '../store-folder.ts'
import {
  createChat,
  everySummary,
  memoryStore,
  openSession,
  SUMMARY,
  scripted,
  shownSummaries,
  stored,
  summaryOf,
  system,
  tokens,
  turns,
  user,
  wrapStore,
} from './harness.ts'

const folders = useFolders()

const CODEWORD = 'PELICAN-77'
const TOLD: Message[] = [
  system(),
  ...turns(3, 100, 'a'),
  user(`The codeword is ${CODEWORD}, it stands in src/pelican77.ts.`),
  user('We use Postgres for the ledger and deploy from deploy/ledger.yaml on Fridays.'),
  ...turns(40),
]
const SECRET = TOLD.findIndex(({ content }) => String(content).includes(CODEWORD))

/** A session whose past is summarised, with condensed summaries over the message that is forgotten then. */
async function forgotten(store: Store = memoryStore()) {
  const chat = createChat({
    store,
    window: 6_000,
    model: scripted(`${SUMMARY}\n${'- a fact.\n'.repeat(60)}`),
    leaf_chunk_tokens: 700,
  })
  await chat.prepare(TOLD)
  const session = await openSession(store)
  const before = await shownSummaries(store)
  expect(before[0]?.depth).toBeGreaterThan(0)
  await session.forget({ first: SECRET, last: SECRET, reason: 'asked', at: 7 })
  await chat.end()
  return { store, session }
}

describe('a summary that was forgotten', () => {
  it('is one line in the context, and takes no more room than that', async () => {
    const { store } = await forgotten()
    const nodes = await shownSummaries(store)
    const gone = nodes.filter((node) => node.forgotten !== undefined)
    expect(gone.length).toBeGreaterThan(0)
    const text = renderSummaries(gone, { records: 10_000, summaries: 10_000, tokens }).join('\n\n')
    expect(text).toContain('was deleted on request; lcm_expand reads what is left of its messages')
    expect(text).not.toMatch(/>\n\n<\/summary>/)
    const [one] = gone
    if (one === undefined) throw new Error('nothing was forgotten')
    expect(blockTokens([{ ...one, tokens: 9_000 }], tokens)).toBeLessThan(100)
  })

  it('is not summarised as if it said something', async () => {
    const { store } = await forgotten()
    const model = scripted(SUMMARY)
    const chat = createChat({ store, window: 6_000, leaf_chunk_tokens: 700, model })
    const list = [...TOLD.with(SECRET, user('(left out)')), ...turns(60, 100, 'z')]
    await chat.prepare(list)
    await chat.compact()
    for (const { prompt } of model.calls) {
      expect(prompt).not.toContain('deleted on request; lcm_expand')
      expect(prompt).not.toMatch(/\]\n\n\n/)
    }
    expect(await store.verify()).toEqual([])
  })
})

describe('rewriting what was forgotten', () => {
  it.each([
    ['memory', () => memoryStore()],
    ['sqlite', () => folders.open(folders.path())],
  ])('brings everything else of the range back, and nothing of what was deleted (%s)', async (_, create) => {
    const { store, session } = await forgotten(create())
    const before = await shownSummaries(store)
    expect(JSON.stringify(before)).not.toContain('deploy/ledger.yaml')
    const written = await rewriteForgotten(session, { tokens, at: 9 })
    expect(written).toBeGreaterThan(0)
    const nodes = await shownSummaries(store)
    expect(nodes.filter((node) => node.forgotten !== undefined)).toEqual([])
    expect(nodes.map(({ text }) => text).join('\n')).toContain('deploy/ledger.yaml')
    // The same messages as before, without a gap.
    expect(nodes.map(({ first }) => first)).toEqual([1, ...nodes.slice(0, -1).map(({ last }) => last + 1)])
    expect(nodes.at(-1)?.last).toBe(before.at(-1)?.last)
    expect(JSON.stringify(await everySummary(session))).not.toMatch(/pelican/i)
    expect(await store.verify()).toEqual([])
    expect(await rewriteForgotten(session, { tokens, at: 9 })).toBe(0)

    // The host tells its history without the deleted words, and the session goes on.
    const chat = createChat({ store, window: 6_000, leaf_chunk_tokens: 700 })
    const told = (await session.messages()).map(({ message }) => message ?? user(''))
    await chat.prepare([...told, user('and now?')])
    const { messages } = await chat.compact()
    expect(summaryOf(messages)).not.toMatch(/pelican/i)
    expect(await store.verify()).toEqual([])
  })

  it('says so when nothing of a part is left', async () => {
    const { store, session } = await forgotten()
    const [oldest] = await shownSummaries(store)
    await session.forget({ first: 1, last: oldest?.last ?? 0, reason: 'asked', at: 8 })
    await rewriteForgotten(session, { tokens, at: 9 })
    const nodes = await shownSummaries(store)
    expect([nodes[0]?.text, nodes[0]?.writer]).toEqual([
      '(All messages of this part were deleted on request.)',
      'pointer',
    ])
    expect(await store.verify()).toEqual([])
  })

  it('tries once more when another writer was faster, and not for ever', async () => {
    for (const conflicts of [1, 2]) {
      let left = conflicts
      const inner = memoryStore()
      await forgotten(inner)
      const store = wrapStore(inner, async (method, run) => {
        if (method === 'commit' && left-- > 0)
          throw new StoreError('STORE_CONFLICT', 'another writer was faster')
        return run()
      })
      const session = await store.session({ key: 'chat' }, 0)
      const rewriting = rewriteForgotten(session, { tokens, at: 9 })
      if (conflicts === 1) expect(await rewriting).toBeGreaterThan(0)
      else await expect(rewriting).rejects.toMatchObject({ code: 'STORE_CONFLICT' })
    }
  })

  it('does nothing when nothing was forgotten', async () => {
    const store = memoryStore()
    const chat = createChat({ store, window: 6_000 })
    await chat.prepare(TOLD)
    const session = await openSession(store)
    const { version } = await session.head()
    expect(await rewriteForgotten(session, { tokens, at: 9 })).toBe(0)
    expect((await session.head()).version).toBe(version)
  })
})

it('a forgotten system prompt keeps no conversation from being compacted', async () => {
  const store = memoryStore()
  await createChat({ store, window: 6_000 }).prepare(TOLD)
  const session = await openSession(store)
  await session.forget({ first: 0, last: 0, reason: 'asked', at: 7 })
  const chat = createChat({ store, window: 6_000 })
  const { messages, compactions } = await chat.prepare([...TOLD, ...turns(30, 100, 'more')])
  expect(compactions.at(-1)?.outcome).toBe('compacted')
  expect(messages[0]).toEqual(TOLD[0])
  expect(await store.verify()).toEqual([])
})

it('an engine that is running writes nothing of what was forgotten into new summaries', async () => {
  const store = memoryStore()
  const list = TOLD.slice(0, SECRET + 3)
  const chat = createChat({ store, window: 6_000 })
  await chat.prepare(list)
  const session = await openSession(store)
  await session.forget({ first: SECRET, last: SECRET, reason: 'asked', at: 7 })
  // The host goes on with its own history, in which the text still stands.
  await chat.prepare([...list, ...turns(60, 100, 'more')])
  await chat.compact()
  const nodes = await everySummary(session)
  expect(nodes.length).toBeGreaterThan(0)
  expect(nodes.filter(({ text }) => text.includes(CODEWORD))).toEqual([])
  expect((await stored(session)).filter((json) => json.includes(CODEWORD))).toEqual([])
})
