import type { Summary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { renderSummaries } from '../../src/engine/render-summaries.ts'
import {
  assistant,
  calls,
  createChat,
  createFakeClock,
  memoryStore,
  result,
  scripted,
  shownSummaries,
  summaryOf,
  system,
  tokens,
  turns,
  user,
} from './harness.ts'

const node = (number: number, text: string, writer: Summary['writer'] = 'extractive'): Summary => ({
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
  ...{ tokens: tokens.countText(text), sourceTokens: 1000, from: 0, to: 0, at: 0 },
})
const said = (...lines: string[]) => ['## What the user said, word for word', ...lines].join('\n')
const render = (nodes: readonly Summary[], summaries = 2_000) =>
  renderSummaries(nodes, { summaries, records: summaries / 2, tokens }).slice(1)

describe('what is shown of summaries', () => {
  it('without a model is a line for each, or for several where there are many, and what the user said, with the first request', () => {
    const nodes = [
      node(1, said('- m11: Build src/import.ts.', '- m12: Go on.')),
      node(2, said('- m21: Test src/import.ts.')),
    ]
    expect(render(nodes)).toEqual([
      '<index messages="m10-m19">s1: lcm_describe {"id":"s1"} shows the text</index>',
      '<index messages="m20-m29">s2: lcm_describe {"id":"s2"} shows the text</index>',
      said('- m11: Build src/import.ts.', '- m12: Go on.', '- m21: Test src/import.ts.'),
    ])
    const many = Array.from({ length: 60 }, (_, at) =>
      node(at + 1, said(`- m${at}1: Go on with part ${at}.`)),
    )
    const text = render(many, 400).join('\n')
    expect(text.match(/^<index /gm)).toHaveLength(1)
    expect(text).toContain('s1-s60')
    expect(text).toContain('part 0.')
    expect(text).toContain('part 59.')
    expect(text).not.toContain('part 1.')
    expect(tokens.countText(text)).toBeLessThan(400)
  })

  it('with a model is a block for the record of each, in the order of the conversation, then what code knows', () => {
    const files = '## Files that calls changed\n- src: a.ts (changed)'
    const nodes = [
      node(1, said('- m11: Build it.')),
      node(2, `## Goal\nAn importer.\n\n${files}\n\n${said('- m21: Test it.')}`, 'model'),
      node(3, '(No room for a summary: read it with lcm_expand.)', 'pointer'),
    ]
    expect(render(nodes)).toEqual([
      '<index messages="m10-m19">s1: lcm_describe {"id":"s1"} shows the text</index>',
      '<summary id="s2" depth="0" messages="m20-m29" about="a.ts" by="model">\n## Goal\nAn importer.\n</summary>',
      '<index messages="m30-m39">s3: lcm_describe {"id":"s3"} shows the text</index>',
      `${files}\n\n${said('- m11: Build it.', '- m21: Test it.')}`,
    ])
  })

  it('says in one line what a summary is about, and which files it changed', () => {
    const talk = (day: number, words: string) => `- m1${day}: Ana: ${words}`
    const files = '## Files that calls changed\n- src: a.ts (changed)'
    const lines = [
      talk(8, 'The quokka is here.'),
      talk(9, 'Hello.'),
      talk(12, 'Really, a QUOKKA?'),
      talk(13, 'Yes.'),
    ]
    const others = Array.from({ length: 4 }, (_, at) => talk(14 + at, `Nothing ${at}.`))
    expect(render([node(1, `${files}\n\n${said(...lines, ...others)}`)])[0]).toBe(
      '<index messages="m10-m19" about="quokka, a.ts">s1: lcm_describe {"id":"s1"} shows the text</index>',
    )
  })

  it('shows no record of talk beside what the user said in it', () => {
    const talk = node(1, `## Record\n- They met.\n\n${said('- m11: We met.')}`, 'model')
    expect(render([talk])).toHaveLength(1)
  })
})

describe('a long session without a model', () => {
  it('shows its first request, however often its summaries were condensed, and marks each message by its number', async () => {
    const store = memoryStore()
    const chat = createChat({ store, window: 4_000, clock: createFakeClock() })
    const first = 'Port the ledger to Postgres, one table at a time.'
    const list = [system(), user(first), assistant('I begin.')]
    for (let round = 0; round < 30; round++) {
      list.push(...turns(8, 60, `r${round}_`))
      await chat.prepare(list)
    }
    const { messages } = await chat.compact()
    expect((await shownSummaries(store))[0]?.depth).toBeGreaterThan(0)
    const text = summaryOf(messages)
    expect(text).toContain(`- m1: ${first}`)
    expect(text).not.toContain('1970')
    const quoted = [...text.matchAll(/^- m(\d+): (.+)$/gm)]
    expect(quoted.length).toBeGreaterThan(3)
    for (const [, seq, said] of quoted) expect(list[Number(seq)]).toEqual(user(said ?? ''))
  })
})

it('the request for a record is true, and code adds the rules and the files', async () => {
  const model = scripted('## Goal\nThe user wanted the parts read.')
  const chat = createChat({ window: 4_000, model })
  const { messages } = await chat.prepare([
    system(),
    user('Never touch legacy/.'),
    assistant('I will not.'),
    {
      ...calls('x'),
      tool_calls: [
        { id: 'x', type: 'function', function: { name: 'write', arguments: '{"path":"src/x.ts"}' } },
      ],
    },
    result('x', 'saved'),
    ...turns(30),
    user('and now?'),
  ])
  const text = summaryOf(messages)
  expect(text).toContain('by="model">\n## Goal\nThe user wanted the parts read.\n</summary>')
  expect(text).toContain("## The user's rules, word for word\n- m1: Never touch legacy/.")
  expect(text).toContain('## Files that calls changed\n- src: x.ts (created)')
  const [{ prompt = '' } = {}] = model.calls
  expect(prompt).toContain('<rules>\nm1: Never touch legacy/.\n</rules>')
  for (const { prompt } of model.calls) expect(prompt).not.toContain('stand, word for word')
})
