import { EXCERPTS_HEADING } from '@palimpsest/extractive'
import { describe, expect, it } from 'vitest'
import { renderSummaries } from '../../src/engine/render-summaries.ts'
import type { SummaryNode } from '../../src/store/summary-node.ts'
import {
  assistant,
  calls,
  createChat,
  createFakeClock,
  createMemoryStore,
  openSession,
  result,
  scripted,
  summaryOf,
  system,
  texts,
  tokens,
  turns,
  user,
} from './harness.ts'

const node = (number: number, text: string, writer: SummaryNode['writer'] = 'extractive'): SummaryNode => ({
  ...{
    number,
    depth: 0,
    first: number * 10,
    last: number * 10 + 9,
    messages: 10,
    children: [],
    text,
    writer,
  },
  ...{ tokens: tokens.countText(text), sourceTokens: 1000, from: 0, to: 0, at: 0, hash: '' },
})
const excerpts = (...lines: string[]) => [EXCERPTS_HEADING, ...lines].join('\n')
const render = (nodes: readonly SummaryNode[], maxTokens = 2_000) =>
  renderSummaries(nodes, { maxTokens, tokens }).slice(1)

describe('what is shown of summaries', () => {
  it('without a model is one line with their ids, and the quoted lines and identifiers of all of them', () => {
    const nodes = [
      node(1, `${excerpts('- m11 user: Build src/import.ts.')}\n\n## Identifiers\nsrc/old.ts`),
      node(2, `${excerpts('- m21 user: Test src/import.ts.')}\n\n## Identifiers\nsrc/new.ts`),
    ]
    expect(render(nodes)).toEqual([
      '<index messages="m10-m29">s1-s2: lcm_describe {"id":"s1"} shows the text</index>',
      excerpts('- m11 user: Build src/import.ts.', '- m21 user: Test src/import.ts.'),
      '## Identifiers\nsrc/new.ts src/old.ts',
    ])
  })

  it('with a model is a block for the text of each, in the order of the conversation', () => {
    const nodes = [
      node(1, excerpts('- m11 user: Build it.')),
      node(2, `## Goal\nAn importer.\n\n${excerpts('- m21 user: Test it.')}`, 'model'),
      node(3, '(No room for a summary: read it with lcm_expand.)', 'pointer'),
    ]
    expect(render(nodes)).toEqual([
      '<index messages="m10-m19">s1: lcm_describe {"id":"s1"} shows the text</index>',
      '<summary id="s2" depth="0" messages="m20-m29" by="model">\n## Goal\nAn importer.\n</summary>',
      '<index messages="m30-m39">s3: lcm_describe {"id":"s3"} shows the text</index>',
      excerpts('- m11 user: Build it.', '- m21 user: Test it.'),
    ])
  })

  it('is chosen from all of them when there is no room for all, and fits', () => {
    const nodes = Array.from({ length: 20 }, (_, at) =>
      node(at + 1, excerpts(`- m${at * 10 + 11} user: Go on with part ${at} of what was planned.`)),
    )
    const text = render(nodes, 400).join('\n\n')
    expect(text).toContain('part 0 of')
    expect(text).toContain('part 19 of')
    expect(text).not.toContain('part 1 of')
    expect(tokens.countText(text)).toBeLessThan(400)
  })

  it('depends on what is stored alone: read again, the same summaries are shown the same', () => {
    const nodes = Array.from({ length: 9 }, (_, at) => {
      const lines = [
        `- m${at * 10 + 12} user: See src/part${at}.ts`,
        `- m${at * 10 + 13} assistant: a${at}.ts b${at}.ts`,
      ]
      return node(at + 1, `${excerpts(...lines)}\n\n## Identifiers\nc${at}.ts d${at}.ts`)
    })
    expect(render(structuredClone(nodes), 300)).toEqual(render(nodes, 300))
  })
})

describe('a long session without a model', () => {
  it('shows its first request, however often its summaries were condensed, and marks each message by its number', async () => {
    const store = createMemoryStore()
    const chat = createChat({ store, window: 4_000, clock: createFakeClock(), leaf_fan_in: 3 })
    const first = 'Port the ledger to Postgres, one table at a time.'
    const list = [system(), user(first), assistant('I begin.')]
    for (let round = 0; round < 30; round++) {
      list.push(...turns(8, 60, `r${round}_`))
      await chat.prepare(list)
    }
    const { messages } = await chat.compact()
    const { nodes } = await (await openSession(store)).frontier()
    expect(nodes[0]?.depth).toBeGreaterThan(1)
    const text = summaryOf(messages)
    expect(text).toContain(`- m1 user: ${first}`)
    expect(text).not.toContain('1970')
    const quoted = [...text.matchAll(/^- m(\d+) user: (.+)$/gm)]
    expect(quoted.length).toBeGreaterThan(3)
    for (const [, seq, said] of quoted) expect(list[Number(seq)]).toEqual(user(said ?? ''))
  })
})

it("a model's summary stands beside the user's own words and the names that it left out", async () => {
  const model = scripted('## Goal\nThe user wanted the parts read.')
  const chat = createChat({ window: 4_000, model })
  const { messages } = await chat.prepare([system(), ...turns(30), user('and now?')])
  const text = summaryOf(messages)
  expect(text).toContain('by="model">\n## Goal\nThe user wanted the parts read.\n</summary>')
  expect(text).toContain('- m1 user: Please look at part t0 of the program.')
  expect(text).toMatch(/## Identifiers\n.*src\/t\d+\.ts/)
  for (const { prompt } of model.calls) expect(prompt).not.toMatch(/^## (Identifiers|Excerpts)/m)
})

describe('a session in the middle of a long turn', () => {
  const ticket = '# Ticket 12: currencies\n\nCriteria:\n- Rounding is half-even\n- Fees go to FEE-77'
  const messages = [
    system(),
    user('Build a ledger service. Keep every amount in cents.'),
    assistant('The ledger of src/ledger.ts keeps cents.'),
    user('do ticket 12'),
    calls('12'),
    result('12', ticket),
    ...turns(12, 200).filter(({ role }) => role !== 'user'),
  ]

  it('shows the request once, the points of the ticket, and no name that the tail shows', async () => {
    const chat = createChat({ window: 6_000 })
    const { messages: shown } = await chat.prepare(messages)
    const text = summaryOf(shown)
    expect(shown.filter(({ content }) => content === 'do ticket 12')).toHaveLength(1)
    expect(text).not.toContain('do ticket 12')
    expect(text).toContain('Criteria: - Rounding is half-even - Fees go to FEE-77')
    const [, listed = ''] = text.split('## Identifiers')
    expect(listed).toContain('src/t0.ts')
    expect(texts(shown).join()).toContain('src/t11.ts')
    expect(listed).not.toContain('src/t11.ts')
  })

  it('tells a model what stands beside its record, and the frame holds it', async () => {
    const model = scripted('## Goal\nThe user wanted transfers between currencies.')
    const { messages: shown } = await createChat({ window: 6_000, model }).prepare(messages)
    const plain = (text = '') => text.replace(/\w+w\d+( \w+w\d+)+/g, '(words)')
    expect(plain(model.calls[0]?.prompt)).toMatchInlineSnapshot(`
      "<conversation>
      m1 [user] Build a ledger service. Keep every amount in cents.
      m2 [assistant] The ledger of src/ledger.ts keeps cents.
      m3 [user] do ticket 12
      m4 [assistant calls read] {"path":"src/12.ts"}
      m5 [tool result] # Ticket 12: currencies

      Criteria:
      - Rounding is half-even
      - Fees go to FEE-77
      m6 [assistant calls read] {"path":"src/t0.ts"}
      m7 [tool result] (words)
      m8 [assistant] Part t0 is as it should be.
      m9 [assistant calls read] {"path":"src/t1.ts"}
      m10 [tool result] (words)
      m11 [assistant] Part t1 is as it should be.
      m12 [assistant calls read] {"path":"src/t2.ts"}
      m13 [tool result] (words)
      m14 [assistant] Part t2 is as it should be.
      </conversation>

      Write the record of the conversation above, a part of a longer one: every decision and its reason, what was done and how it works, every error and its fix, and what was left open. Beside your record stand, word for word, the user's messages, the ticket or plan that is worked on, and a list of names: do not list them again. Give the room to why something was done, how it works, what failed, and what comes next. Aim at no more than 83 tokens. Use those of these headings that have something, in this order: "## Goal", "## Constraints & Preferences", "## Progress", "## Key Decisions", "## Errors & Fixes", "## Next Steps". Answer with the record only."
    `)
    expect(plain(summaryOf(shown))).toMatchInlineSnapshot(`
      "Nothing is lost: lcm_expand with the id of a summary or a message gives back what was said, word for word, and lcm_grep searches all of it.

      <summary id="s1" depth="0" messages="m1-m14" time="2026-01-01T00:00Z" by="model">
      ## Goal
      The user wanted transfers between currencies.
      </summary>

      <summary id="s2" depth="0" messages="m15-m23" time="2026-01-01T00:00Z" by="model">
      ## Goal
      The user wanted transfers between currencies.
      </summary>

      <summary id="s3" depth="0" messages="m24-m32" time="2026-01-01T00:00Z" by="model">
      ## Goal
      The user wanted transfers between currencies.
      </summary>

      <summary id="s4" depth="0" messages="m33-m34" time="2026-01-01T00:00Z" by="model">
      ## Goal
      The user wanted transfers between currencies.
      </summary>

      ## Excerpts (verbatim, without a model)
      - m1 user: Build a ledger service. Keep every amount in cents.
      - m5 document: read src/12.ts: # Ticket 12: currencies Criteria: - Rounding is half-even - Fees go to FEE-77

      ## Identifiers
      src/t9.ts src/t8.ts src/t7.ts src/t6.ts src/t5.ts src/t4.ts src/t3.ts src/t2.ts src/t1.ts src/t0.ts src/ledger.ts (words)"
    `)
  })
})
