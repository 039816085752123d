import { describe, expect, it } from 'vitest'
import type { OpenedArm } from '../../src/arms/arm.ts'
import { contextQueries } from '../../src/recall/context-queries.ts'
import { identifierQueries, MOST_CALLS, searchFor, showsName } from '../../src/recall/scripted-search.ts'
import { words } from './conversation.ts'

const searches = ['notes', 'messages'].map((tool) => ({ tool, arguments: (query: string) => ({ query }) }))

/** Tools that answer as they are told, and remember what they were asked. */
function toolbox(answer: (query: string, tool: string) => object) {
  const asked: string[] = []
  const opened: OpenedArm = {
    project: async (messages) => ({ messages, tools: [], compacted: false, warnings: [] }),
    answered: async () => {},
    end: async () => {},
    async callTool(tool, args) {
      const query = 'query' in args ? String(args.query) : ''
      asked.push(`${tool}: ${query}`)
      return JSON.stringify(answer(query, tool))
    },
  }
  return { opened, asked }
}

const search = (opened: OpenedArm, queries: readonly string[], identifier = 'src/a.ts') =>
  searchFor({ identifier, queries, searches, opened, tokens: words })

describe('a scripted searcher', () => {
  it('asks each tool by the phrase, then by the words, and stops at the third call', async () => {
    const { opened, asked } = toolbox(() => ({ hits: [] }))
    expect(await search(opened, identifierQueries('src/a.ts'))).toEqual({ call: null, tokens: MOST_CALLS })
    expect(asked).toEqual(['notes: "src/a.ts"', 'messages: "src/a.ts"', 'notes: src/a.ts'])
  })

  it('stops when an answer shows the identifier, and has read the answers up to there', async () => {
    const { opened, asked } = toolbox((_, tool) => ({
      hits: tool === 'messages' ? [{ snippet: '… in src/a.ts' }] : [],
    }))
    expect(await search(opened, identifierQueries('src/a.ts'))).toEqual({ call: 2, tokens: 4 })
    expect(asked).toHaveLength(2)
  })

  it('takes no repetition of its query for an answer', () => {
    const echo = {
      query: 'src/a.ts',
      terms: [{ term: 'src/a.ts', messages: 0 }],
      ignored: ['src/a.ts'],
      hint: 'no src/a.ts',
      hits: [],
    }
    expect(showsName(JSON.stringify(echo), 'src/a.ts')).toBe(false)
    expect(showsName(JSON.stringify({ ...echo, hits: [{ snippet: 'src/a.ts' }] }), 'src/a.ts')).toBe(true)
  })

  it('reads answers without the escapes of JSON, and whole words only', () => {
    expect(showsName(JSON.stringify({ snippet: '{"text":"first\\nfooBar\\n"}' }), 'fooBar')).toBe(true)
    expect(showsName(JSON.stringify({ snippet: 'fooBarBaz' }), 'fooBar')).toBe(false)
    expect(showsName('no JSON about fooBar', 'fooBar')).toBe(true)
  })
})

describe('a searcher by context', () => {
  const text =
    'Before we deploy the gateway, read src/limits/readBucket.ts for the bucket of each tenant, limits included.'
  const seen: Record<string, number> = {
    deploy: 5,
    gateway: 2,
    tenant: 1,
    the: 90,
    included: 3,
    before: 8,
    for: 40,
  }
  const queries = contextQueries(
    { text, identifier: 'src/limits/readBucket.ts', count: (word) => seen[word] ?? 0 },
    3,
  )

  it('goes by words around it that were there before, rarest first', () => {
    expect(queries).toEqual(['tenant gateway', 'included deploy', 'before for'])
  })

  it('is never given the identifier or a word of it', () => {
    const all = contextQueries({ text, identifier: 'src/limits/readBucket.ts', count: () => 1 }, 20)
      .join(' ')
      .split(' ')
    expect(all).toContain('bucket')
    expect(all.filter((word) => /^(?:src|limits|readbucket|ts)$/.test(word))).toEqual([])
  })

  it('asks nothing where nothing stands around', () => {
    expect(contextQueries({ text: 'fooBar', identifier: 'fooBar', count: () => 1 }, 3)).toEqual([])
  })
})
